import { z } from 'zod';
import type { Database } from '../database.ts';
import type { Readable } from '../read-only-database.ts';

const NAME = 'mirror_loss';
const FIND = `SELECT value FROM facts WHERE name = '${NAME}'`;
const SET = `INSERT OR REPLACE INTO facts (name, value) VALUES ('${NAME}', ?)`;
const LONGEST_WHAT = 200;

const Loss = z.object({
  at: z.int(),
  what: z.string(),
  kept: z.string().nullable(),
  readAgainAt: z.int().nullable(),
});
const Fact = z.object({ value: z.string() });

/**
 * A mirror that was set aside: when (epoch ms), what was wrong, the name of the file that is kept (null: there was none), and when everything was read
 * again (epoch ms; null: not yet). The mirror that took its place holds this note.
 */
export type MirrorLoss = z.infer<typeof Loss>;

/** null: this mirror has replaced none. A note that cannot be understood counts as none. */
export function mirrorLossIn(mirror: Readable): MirrorLoss | null {
  const row = mirror.get(FIND);
  if (row === undefined) return null;
  try {
    return Loss.parse(JSON.parse(Fact.parse(row).value));
  } catch {
    return null;
  }
}

export function noteMirrorLoss(mirror: Database, loss: MirrorLoss): void {
  mirror.run(SET, JSON.stringify({ ...loss, what: loss.what.slice(0, LONGEST_WHAT) }));
}

/** What happened, what it means for the customers' money, and what to do; for staff. */
export function lossWords({ at, what, kept, readAgainAt }: MirrorLoss): string {
  const on = new Date(at).toISOString().slice(0, 10);
  const place = kept === null ? 'was replaced by a new one' : `was set aside as ${kept}`;
  const now =
    readAgainAt === null
      ? 'Everything in it is read again from its sources; until then lists and searches lack records.'
      : 'Everything in it was read again from its sources.';
  return (
    `The local mirror (mirror.db) could not be used (${what}). On ${on} it ${place}. ${now} ` +
    'No payment depends on it: no customer was charged, and none was not charged, because of it. There is nothing to do; ' +
    'if it happens again, have the disk of this machine looked at.'
  );
}
