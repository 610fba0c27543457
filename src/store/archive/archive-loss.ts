import { z } from 'zod';
import type { Database } from '../database.ts';
import type { Readable } from '../read-only-database.ts';

const FIND = "SELECT value FROM facts WHERE name = 'archive_loss'";
const SET = "INSERT OR REPLACE INTO facts (name, value) VALUES ('archive_loss', ?)";
const LONGEST_WHAT = 200;

const Loss = z.object({
  at: z.int(),
  what: z.string(),
  kept: z.string(),
  saved: z.int(),
  lost: z.int(),
});
const Fact = z.object({ value: z.string() });

/**
 * An archive that was set aside: when (epoch ms), what was wrong, the name of the file that is kept, and how many chunks of 50 rows could be saved, and
 * could not. The archive that took its place holds this note.
 */
export type ArchiveLoss = z.infer<typeof Loss>;

/** null: this archive has replaced none. */
export function archiveLossIn(archive: Readable): ArchiveLoss | null {
  const row = archive.get(FIND);
  return row === undefined ? null : Loss.parse(JSON.parse(Fact.parse(row).value));
}

export function noteArchiveLoss(archive: Database, loss: ArchiveLoss): void {
  archive.run(SET, JSON.stringify({ ...loss, what: loss.what.slice(0, LONGEST_WHAT) }));
}

/** What happened, what it means for the customers' money, and what to do; for staff. */
export function archiveLossWords({ at, what, kept, saved, lost }: ArchiveLoss): string {
  const gone =
    lost === 0
      ? 'all of it was saved'
      : `${saved} of its ${saved + lost} chunks were saved, and the history of old payments in the other ${lost} cannot be shown`;
  return (
    `The archive of old payments was damaged (${what}). On ${new Date(at).toISOString().slice(0, 10)} it was set aside as ${kept} and is kept; ${gone}. ` +
    'No customer was charged, and none was not charged, because of it: payments, refunds and what guards them are in the books. ' +
    'There is nothing to do; have the disk of this machine looked at.'
  );
}
