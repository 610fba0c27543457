import { z } from 'zod';
import { text } from './text.ts';

/** The most entries of one request. */
export const MOST_ENTRIES = 50;

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Seq = z.int().min(1);

/** One row of an agent's journal as it stores it: `details` is JSON text, `at` epoch ms by the agent's clock. Its hash proves these fields, and no other one is kept. */
export const JournalEntry = z.object({
  seq: Seq,
  attempt_id: text(100),
  at: z.int(),
  event: text(100),
  from_state: text(100),
  to_state: text(100),
  details: text(262_144),
  hash: Hash,
});
export type JournalEntry = z.infer<typeof JournalEntry>;

/**
 * A row that the agent finds damaged: it proves nothing, and is kept with what could be read. `hash` is the stored one, which the next entry is chained to;
 * 64 zeros where it cannot be read. `content` is the rest of the row, as far as it is text.
 */
export const DamagedEntry = z.object({
  seq: Seq,
  damaged: text(1_000),
  attempt_id: text(100).nullable(),
  content: text(262_144).nullable(),
  hash: Hash,
});
export type DamagedEntry = z.infer<typeof DamagedEntry>;

/** A row that says why it is damaged is a damaged one, whatever else it has. */
export const AnyEntry = z.union([DamagedEntry, JournalEntry]);

/**
 * `POST /v1/journal`: consecutive entries of one epoch. An epoch is the life of one database: a restored or copied one begins another.
 * `previous_hash` is that of the entry before `first_seq`; 64 zeros before the first of all.
 */
export const JournalBatch = z.object({
  epoch: text(100),
  first_seq: Seq,
  previous_hash: Hash,
  entries: z.array(AnyEntry).min(1).max(MOST_ENTRIES),
});
export type JournalBatch = z.infer<typeof JournalBatch>;

/**
 * The hub's cursor, which decides: the agent sends from `next_seq` on, whatever it remembers. `branch` is 0 for the first history of an epoch, and
 * counts those that contradict it (two copies of one folder).
 */
export const JournalCursor = z.object({
  epoch: z.string(),
  branch: z.int().min(0),
  next_seq: Seq,
  stored: z.int().min(0),
});
export type JournalCursor = z.infer<typeof JournalCursor>;
