import { z } from 'zod';
import type { NewReport, ReportState } from '../../payment/ports.ts';
import type { Database } from '../database.ts';
import { ENQUEUE_REPORT, RELEASE_REPORTS, REPORTS_OF } from './outbox-statements.ts';

const ReportRow = z.object({
  kind: z.enum(['create', 'result']),
  state: z.enum(['pending', 'done', 'parked']),
  tries: z.int(),
  createdAt: z.int(),
  doneAt: z.int().nullable(),
  doneRun: z.int().nullable(),
  doneMs: z.int().nullable(),
  lastError: z.string().nullable(),
});

/** The reports of payments, as the payment core writes and reads them; `sqlite-outbox-store.ts` is what the sender sees of them. */
export class SqliteReportStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  enqueue(report: NewReport): void {
    const { id, attemptId, kind, operation, parentId, key, body, createdAt, withheld } = report;
    const state = withheld === null ? 'pending' : 'parked';
    const text = JSON.stringify(body);
    const values = [id, attemptId, kind, operation, parentId, key, text, createdAt, state, withheld];
    this.#database.run(ENQUEUE_REPORT, ...values);
  }

  of(attemptId: string): readonly ReportState[] {
    return this.#database.all(REPORTS_OF, attemptId).map((row) => {
      const { doneRun, doneMs, ...report } = ReportRow.parse(row);
      return { ...report, doneIn: doneRun === null ? null : { run: doneRun, ms: doneMs ?? 0 } };
    });
  }

  /** Reports that were held back may be sent now. */
  release(attemptId: string): void {
    this.#database.run(RELEASE_REPORTS, attemptId);
  }
}
