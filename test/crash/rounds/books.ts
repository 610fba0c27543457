import { join } from 'node:path';
import { z } from 'zod';
import { approvedMinor } from '../../../src/payment/attempt/amounts.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { chargedOf } from '../../../src/payment/attempt/state-machine.ts';
import type { ReportState } from '../../../src/payment/ports.ts';
import type { Task } from '../../../src/payment/tasks/task.ts';
import { Database } from '../../../src/store/database.ts';
import { JournalAnchors } from '../../../src/store/journal/journal-anchors.ts';
import { type ChainCheck, checkChain } from '../../../src/store/journal/journal-chain.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';

const Entry = z.object({
  attemptId: z.string(),
  event: z.string(),
  to: z.string(),
  verdict: z.string().nullable(),
  row: z.string().nullable(),
});
/** A row of the journal, as far as the judge reads it. `verdict`: what the terminal had reported; `row`: what recovery has decided by. */
export type Entry = z.infer<typeof Entry>;

const JOURNAL = `SELECT attempt_id AS attemptId, event, to_state AS "to",
  COALESCE(details ->> '$.verdict', details ->> '$.report.verdict') AS verdict, details ->> '$.row' AS row FROM journal ORDER BY seq`;
const EVENTS = 'SELECT type, attempt_id AS attemptId FROM events WHERE attempt_id IS NOT NULL ORDER BY seq';
const Event = z.object({ type: z.string(), attemptId: z.string() });
const MOST = 1000;

/** What the agent has on disk at the end of a round. */
export interface StoredState {
  readonly attempts: readonly Attempt[];
  readonly journal: readonly Entry[];
  readonly events: readonly z.infer<typeof Event>[];
  readonly tasks: readonly Task[];
  readonly reports: ReadonlyMap<string, readonly ReportState[]>;
  readonly chain: ChainCheck;
}

/** Reads the books of a state folder that no daemon holds. */
export function readStoredState(stateDir: string): StoredState {
  const database = Database.open(join(stateDir, 'money.db'), MONEY_MIGRATIONS, '0.1.0');
  try {
    const store = new SqlitePaymentStore(database);
    const attempts = store.listAttempts({ limit: MOST }).items.toReversed();
    return {
      attempts,
      journal: database.all(JOURNAL).map((row) => Entry.parse(row)),
      events: database.all(EVENTS).map((row) => Event.parse(row)),
      tasks: store.tasks({ open: false, limit: MOST }),
      reports: new Map(attempts.map(({ id }) => [id, store.reportsOf(id)])),
      chain: checkChain(database, new JournalAnchors(join(stateDir, 'journal-anchors')).read()),
    };
  } finally {
    database.close();
  }
}

/** What the books say of an attempt in the end, its correction included. */
export function chargedNow(attempt: Attempt, { attempts }: StoredState): 'yes' | 'no' | 'unknown' {
  const correction = correctionOf(attempt, attempts);
  if (correction) return correction.type === attempt.type ? 'yes' : 'no';
  return chargedOf(attempt.state);
}

/** The amount that the books have for it, in minor units; null: its terminal had none in its result (ECR17's P), and the till was told so. */
export function bookedMinor(attempt: Attempt, { attempts }: StoredState): number | null {
  const last = correctionOf(attempt, attempts) ?? attempt;
  return last.report !== null && last.report.amountMinor === undefined ? null : approvedMinor(last);
}

function correctionOf({ id }: Attempt, attempts: readonly Attempt[]): Attempt | undefined {
  return attempts.findLast(({ corrects }) => corrects === id);
}
