import { createHash } from 'node:crypto';
import type { JournalBatch, JournalEntry } from '../../fleet/contract/journal.ts';

/**
 * The first entry that is not the next one of its chain, or whose hash is not that of its content; null where all fit. A row that the agent reports as damaged
 * fits: the chain goes on from its stored hash.
 * The hash is SHA-256, hex, over the hash before it, a line feed, and the fields as a JSON list (`src/store/README.md`, The chain).
 */
export function firstMisfit({ first_seq, previous_hash, entries }: JournalBatch): number | null {
  let previous = previous_hash;
  for (const [index, entry] of entries.entries()) {
    const fits = 'damaged' in entry || entry.hash === hashOf(previous, entry);
    if (entry.seq !== first_seq + index || !fits) return first_seq + index;
    previous = entry.hash;
  }
  return null;
}

function hashOf(previous: string, entry: JournalEntry): string {
  const { seq, attempt_id, at, event, from_state, to_state, details } = entry;
  const fields = JSON.stringify([seq, attempt_id, at, event, from_state, to_state, details]);
  return createHash('sha256').update(`${previous}\n${fields}`).digest('hex');
}
