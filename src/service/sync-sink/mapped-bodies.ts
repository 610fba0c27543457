import { z } from 'zod';
import type { Json, JsonObject } from '../../integration/connector.ts';

const Fields = z.record(z.string(), z.json());

/** The result of `mapInvoice` for an open invoice. */
export const OpenInvoice = z.object({
  state: z.literal('open'),
  customer: z.string(),
  /** What is due at the provider, where a part is paid. */
  due_minor: z.int().optional(),
  invoice: Fields,
});
export type OpenInvoice = z.infer<typeof OpenInvoice>;

/** The result of `mapMembership` for a valid one. */
export const Granted = z.object({ state: z.literal('granted'), customer: z.string(), entitlement: Fields });
export type Granted = z.infer<typeof Granted>;

/** It is no longer payable or valid. */
export const Over = z.object({ state: z.literal('over') });

/** The body with its origin and its version in `metadata.tilld`, by which it is found again. */
export function marked(body: JsonObject, version: string, updatedAt: number | null): JsonObject {
  const metadata = objectIn(body['metadata']);
  const tilld = { ...objectIn(metadata['tilld']), version, updated_at: updatedAt };
  return { ...body, metadata: { ...metadata, tilld } };
}

function objectIn(value: Json | undefined): JsonObject {
  const read = Fields.safeParse(value);
  return read.success ? read.data : {};
}
