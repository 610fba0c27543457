import { z } from 'zod';
import type { ProcessMoment } from '../../base/process-moment.ts';
import type { PlaceInOrder } from '../../payment/ports.ts';
import type { Database } from '../database.ts';

const BEGIN = 'INSERT INTO process_runs (id) VALUES (?)';
const NO_OF = 'SELECT no FROM process_runs WHERE id = CAST(? AS TEXT)';

const Row = z.object({ no: z.int() });

/**
 * Records that a process run begins with this database. It is on disk before any row that names the run, so that no later run has its number.
 * @param id random: a run that this database has forgotten, because an older state was restored, must not match a known one
 */
export function beginProcessRun(database: Database, id: string): void {
  database.run(BEGIN, id);
  database.flush();
}

/** The position of a moment among the ends of reports; null: this database does not know the run. */
export function placeInOrder(database: Database, { run, ms }: ProcessMoment): PlaceInOrder | null {
  const row = database.get(NO_OF, run);
  return row === undefined ? null : { run: Row.parse(row).no, ms };
}
