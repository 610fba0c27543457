import { z } from 'zod';
import { Timestamp, Uuid } from './primitives.ts';

/** Body of `PUT /v2/drain`: how long the lease is held unless it is renewed. */
export const HoldDrain = z.strictObject({ seconds: z.int().min(1).max(900) });

/** The drain lease, and what still runs. */
export const Drain = z.object({
  ends_at: Timestamp.nullable().describe('When it ends by itself; null: none is held.'),
  idle: z.boolean().describe('No payment, close or recovery runs or waits at any terminal.'),
  busy: z.array(z.object({ device_id: Uuid, name: z.string() })).describe('Devices that are not idle.'),
});
export type Drain = z.infer<typeof Drain>;
