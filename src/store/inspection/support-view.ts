import { z } from 'zod';
import type { Readable } from '../read-only-database.ts';

const Any = z.unknown();
const Payment = z.object({
  id: Any,
  device_id: Any,
  type: Any,
  state: Any,
  status: Any,
  origin: Any,
  amount_minor: Any,
  currency: Any,
  needs_person: Any,
  created_at: Any,
  dispatched_at: Any,
  in_doubt_since: Any,
  completed_at: Any,
});
const Entry = z.object({ seq: Any, attempt_id: Any, at: Any, event: Any, from_state: Any, to_state: Any });
const Count = z.object({ name: z.string(), count: z.int() });
const NEWEST_PAYMENTS = 200;
const NEWEST_ENTRIES = 1000;
/** Row counts, under tilld's own names. */
const COUNTS = `SELECT 'payments' AS name, count(*) AS count FROM attempts
  UNION ALL SELECT 'payments open', count(*) FROM attempts WHERE completed_at IS NULL
  UNION ALL SELECT 'payments in doubt', count(*) FROM attempts WHERE completed_at IS NULL AND state = 'in_doubt'
  UNION ALL SELECT 'journal', count(*) FROM journal
  UNION ALL SELECT 'events', count(*) FROM events
  UNION ALL SELECT 'reports pending', count(*) FROM outbox WHERE state = 'pending'
  UNION ALL SELECT 'reports parked', count(*) FROM outbox WHERE state = 'parked'
  UNION ALL SELECT 'tasks open', count(*) FROM tasks WHERE done_at IS NULL
  UNION ALL SELECT 'settlements', count(*) FROM settlements
  UNION ALL SELECT 'api keys', count(*) FROM api_keys
  UNION ALL SELECT 'webhook endpoints', count(*) FROM webhook_endpoints
  UNION ALL SELECT 'webhook deliveries pending', count(*) FROM webhook_deliveries WHERE state = 'pending'
  UNION ALL SELECT 'schema', user_version FROM pragma_user_version`;

/** The parts of the database that support needs; without `detail`, `details`, references and callers, which hold other people's text. */
export function supportView(database: Readable): {
  readonly counts: readonly { readonly name: string; readonly count: number }[];
  readonly payments: readonly z.infer<typeof Payment>[];
  readonly journal: readonly z.infer<typeof Entry>[];
} {
  const payments = `SELECT id, device_id, type, state, status, origin, amount_minor, currency, needs_person, created_at, dispatched_at,
    in_doubt_since, completed_at FROM attempts ORDER BY seq DESC LIMIT ${NEWEST_PAYMENTS}`;
  const journal = `SELECT seq, attempt_id, at, event, from_state, to_state FROM journal ORDER BY seq DESC LIMIT ${NEWEST_ENTRIES}`;
  return {
    counts: database.all(COUNTS).map((row) => Count.parse(row)),
    payments: database.all(payments).map((row) => Payment.parse(row)),
    journal: database.all(journal).map((row) => Entry.parse(row)),
  };
}
