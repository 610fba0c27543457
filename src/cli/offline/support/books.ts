import { supportView } from '../../../store/inspection/support-view.ts';
import { openForReading } from '../../../store/read-only-database.ts';
import { only } from './words.ts';

/** Row counts by kind, and the newest states and instants; no free text. */
export function aboutBooks(path: string) {
  const database = openForReading(path);
  try {
    const { counts, payments, journal } = supportView(database);
    return {
      counts,
      payments: payments.map((row) => ({
        id: only.uuid(row.id),
        device: only.uuid(row.device_id),
        type: only.word(row.type),
        state: only.word(row.state),
        status: only.word(row.status),
        origin: only.word(row.origin),
        amount_minor: only.number(row.amount_minor),
        currency: only.currency(row.currency),
        needs_person: only.number(row.needs_person),
        created_at: only.number(row.created_at),
        dispatched_at: only.number(row.dispatched_at),
        in_doubt_since: only.number(row.in_doubt_since),
        completed_at: only.number(row.completed_at),
      })),
      journal: journal.map((row) => ({
        seq: only.number(row.seq),
        attempt: only.uuid(row.attempt_id),
        at: only.number(row.at),
        event: only.word(row.event),
        from: only.word(row.from_state),
        to: only.word(row.to_state),
      })),
    };
  } finally {
    database.close();
  }
}
