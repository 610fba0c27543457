import { z } from 'zod';
import type { PaymentRecord } from '../../../src/sandbox/service/records.ts';
import type { Database } from '../../../src/store/database.ts';

const ATTEMPTS = `SELECT attempts.id, attempts.status, attempts.origin, attempts.created_at AS createdAt, attempts.completed_at AS completedAt,
  coalesce(aliases.service_id, attempts.id) AS serviceId FROM attempts LEFT JOIN aliases ON aliases.attempt_id = attempts.id
  WHERE attempts.seq > ? AND attempts.seq <= ? ORDER BY attempts.seq`;
const Sold = z.object({
  id: z.string(),
  status: z.string(),
  origin: z.enum(['local', 'service']),
  createdAt: z.int(),
  completedAt: z.int().nullable(),
  serviceId: z.string(),
});
export type Sold = z.infer<typeof Sold>;

/** What was reported to the service, held against what happened. */
export interface MonthJudgement {
  readonly attempts: number;
  readonly succeeded: number;
  /** Attempts whose outcome the service does not have, or has otherwise. */
  readonly lost: readonly string[];
  /** Payments at the service beyond the one of their attempt, and calls that changed one twice. */
  readonly doubled: readonly string[];
  /** Payments that an agent reported and that were run here as work. */
  readonly echoesRun: number;
  readonly rowsLeft: number;
}

/** Goes through every attempt of the books and every payment of the service. `heard` is called for each attempt. */
export function judgeMonth(
  database: Database,
  payments: ReadonlyMap<string, PaymentRecord> & { all(): Iterable<PaymentRecord> },
  heard: (sold: Sold) => void,
): MonthJudgement {
  const [lost, doubled]: [string[], string[]] = [[], []];
  const known = new Set<string>();
  let [attempts, succeeded, echoesRun] = [0, 0, 0];
  for (const sold of attemptsIn(database)) {
    attempts += 1;
    if (sold.status === 'succeeded') succeeded += 1;
    heard(sold);
    const payment = payments.get(sold.serviceId);
    known.add(sold.serviceId);
    if (!payment || payment.status !== sold.status || sold.completedAt === null) {
      lost.push(`${sold.id} is ${sold.status} here and ${payment?.status ?? 'not known'} there`);
      continue;
    }
    if (sold.origin === 'service' && payment.askedBy === 'client') echoesRun += 1;
    const { create, result } = payment.calls;
    if (create.applied !== 1 || result.applied !== 1)
      doubled.push(`${sold.id}: create ${create.applied} times, result ${result.applied} times`);
  }
  for (const { id, askedBy } of payments.all()) {
    if (askedBy === 'client' && !known.has(id)) doubled.push(`${id} is there beside the one of its attempt`);
  }
  const rowsLeft = z
    .object({ left: z.int() })
    .parse(database.get("SELECT count(*) AS left FROM outbox WHERE state <> 'done'")).left;
  return { attempts, succeeded, lost, doubled, echoesRun, rowsLeft };
}

function* attemptsIn(database: Database): Generator<Sold> {
  for (let seq = 0; ; seq += 1000) {
    const page = database.all(ATTEMPTS, seq, seq + 1000);
    for (const row of page) yield Sold.parse(row);
    if (page.length === 0) return;
  }
}
