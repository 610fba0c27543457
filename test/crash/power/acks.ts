import { openSync, writeSync } from 'node:fs';
import { z } from 'zod';
import type { RecordedEvent } from '../record/recording.ts';

/**
 * What a recorded life says is so, at the moment from which somebody may rely on it; each stands in its place among the writes.
 */
const Ack = z.discriminatedUnion('kind', [
  /** The database is open, and this is the memory that was found. */
  z.object({
    kind: z.literal('opened'),
    epoch: z.enum(['new', 'same', 'fresh', 'older', 'foreign', 'copied']),
  }),
  /**
   * A transaction has returned: the whole content of the database as it is now, as two hashes (`content.ts`). It may be gone after a power
   * cut until everything is sure: nobody was told of it.
   */
  z.object({
    kind: z.literal('commit'),
    isDurable: z.boolean(),
    content: z.string().nullable(),
    oldContent: z.string(),
  }),
  /** All that was committed is on disk. */
  z.object({ kind: z.literal('sure') }),
  /** Somebody was told of an attempt: a till, a listener, or the terminal that was sent its command. */
  z.object({
    kind: z.literal('answered'),
    whom: z.enum(['till', 'listener', 'terminal', 'service']),
    attempt: z.string(),
    version: z.int(),
    state: z.string(),
    /** A sale that was rung up here: what was asked for, in minor units; each basket of a scenario has its own sum. */
    basket: z.int().nullable(),
  }),
  /** The terminal's own memory, which no power cut of ours touches. */
  z.object({ kind: z.literal('ledger'), text: z.string() }),
  /** The journal is anchored up to here. */
  z.object({ kind: z.literal('anchored'), count: z.int() }),
  /** The life ended in order. */
  z.object({ kind: z.literal('closed') }),
]);
export type Ack = z.infer<typeof Ack>;

/** The acknowledgements of this process; where nobody records they go nowhere. */
export function ackWriter(path = process.env['TILLD_RECORD_ACK']): (ack: Ack) => void {
  if (path === undefined) return () => undefined;
  const file = openSync(path, 'a');
  return (ack) => void writeSync(file, JSON.stringify(ack));
}

export function ackOf(event: RecordedEvent & { type: 'ack' }): Ack {
  return Ack.parse(JSON.parse(event.text));
}
