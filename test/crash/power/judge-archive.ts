import { z } from 'zod';
import type { Money } from '../../../src/agent/money.ts';
import { messageOf } from '../../../src/base/errors.ts';
import { chunkEndingAt, textOf } from '../../../src/store/archive/archive.ts';
import { flawOf } from '../../../src/store/archive/archive-chunk.ts';
import type { Database } from '../../../src/store/database.ts';
import { CHAIN_START } from '../../../src/store/journal/journal-chain.ts';
import { numbersIn } from '../../support/archive.ts';
import type { Crime } from './crimes.ts';

type Accuse = (crime: Crime, text: string) => void;

const Noted = z.object({
  last_seq: z.int(),
  hash: z.string(),
  last_event: z.int(),
  digest: z.string(),
});
const First = z.object({ seq: z.int().nullable() });

/** What the books say that they have handed over is in the archive: all of it, once, and joined to what is left. */
export function judgeArchive({ database, archive }: Money, accuse: Accuse): void {
  const noted = database
    .all('SELECT * FROM archived_chunks ORDER BY last_seq')
    .map((row) => Noted.parse(row));
  const last = noted.at(-1);
  if (!last) return;
  try {
    const file = archive.existing();
    if (file) judgeChunks(file, noted, accuse);
    else accuse('lost_acknowledged', 'scenarios were archived, and there is no archive');
  } catch (error) {
    accuse('lost_acknowledged', `the archive cannot be read: ${messageOf(error)}`);
  }
  if (firstOf(database, 'journal') !== last.last_seq + 1)
    accuse('integrity', `rows up to ${last.last_seq} are archived, and the journal does not go on there`);
  const event = firstOf(database, 'events');
  if (event !== last.last_event + 1)
    accuse(
      'integrity',
      `events up to ${last.last_event} are archived, and the first that is left is ${event}`,
    );
}

function judgeChunks(file: Database, noted: readonly z.infer<typeof Noted>[], accuse: Accuse): void {
  let [seq, hash, event] = [0, CHAIN_START, 0];
  for (const note of noted) {
    const chunk = chunkEndingAt(file, note.last_seq);
    if (!chunk) {
      accuse('lost_acknowledged', `the chunk that ends with row ${note.last_seq} is gone`);
      return;
    }
    const text = textOf(file, note.last_seq);
    const flaw = flawOf({ ...chunk, ...text });
    if (flaw !== null) accuse('integrity', `the chunk that ends with row ${note.last_seq}: ${flaw}`);
    if (chunk.digest !== note.digest || chunk.hash !== note.hash)
      accuse('integrity', `the chunk that ends with row ${note.last_seq} is another one`);
    if (chunk.firstSeq !== seq + 1 || chunk.previous !== hash)
      accuse('integrity', `the chunk that ends with row ${note.last_seq} does not follow the one before it`);
    const expected = Array.from({ length: note.last_event - event }, (_, index) => event + 1 + index);
    if (numbersIn(text, 'e').join() !== expected.join())
      accuse('half_written', `the chunk that ends with row ${note.last_seq} has other events`);
    [seq, hash, event] = [note.last_seq, note.hash, note.last_event];
  }
}

function firstOf(database: Database, table: 'journal' | 'events'): number | null {
  return First.parse(database.get(`SELECT min(seq) AS seq FROM ${table}`)).seq;
}
