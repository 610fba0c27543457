import { z } from 'zod';
import type { Database } from '../database.ts';

const FIND = "SELECT value FROM facts WHERE name = 'boot'";
const SET = "INSERT OR REPLACE INTO facts (name, value) VALUES ('boot', ?)";
const NOTES = [
  "INSERT OR REPLACE INTO facts (name, value) SELECT 'boot_attempts', CAST(COALESCE(max(seq), 0) AS TEXT) FROM attempts",
  "INSERT OR REPLACE INTO facts (name, value) SELECT 'boot_tasks', CAST(COALESCE(max(seq), 0) AS TEXT) FROM tasks",
];

/**
 * Records which attempts and tasks the database held when the machine booted. The disk of a rebooted machine may be an older image: its pending
 * reports may have been sent since. A process that restarts on a running machine finds the newest database.
 * @param boot of the running system; null: it cannot be read and proves nothing
 */
export function noteBoot(database: Database, boot: string | null): void {
  if (boot === null) return;
  const row = database.get(FIND);
  const known = row === undefined ? null : z.object({ value: z.string() }).parse(row).value;
  if (known === boot) return;
  database.transaction(() => {
    if (known !== null) for (const note of NOTES) database.run(note);
    database.run(SET, boot);
  });
}
