import Sqlite from 'better-sqlite3';
import type { Received } from './lean-service.ts';

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly tries: number;
}

/** How many payments the books hold, and what is wrong with those that were taken; the daemon must be down. */
export interface Audit {
  readonly reported: number;
  readonly pending: number;
  readonly wrong: readonly string[];
}

/** Each payment has its outcome, and each of its two reports is at the service once or waits in the outbox, never both and never neither. */
export function audited(path: string, paid: readonly string[], received: Received): Audit {
  const sqlite = new Sqlite(path, { readonly: true });
  try {
    const state = sqlite.prepare('SELECT state FROM attempts WHERE id = ?').pluck();
    const reports = sqlite.prepare<[string], Row>(
      'SELECT attempt_id AS id, kind, state, tries FROM outbox WHERE attempt_id = ?',
    );
    const rows = paid.flatMap((id) => reports.all(id));
    const wrong = [
      ...paid.filter((id) => state.get(id) !== 'succeeded').map((id) => `${id} has no outcome`),
      ...paid.filter((id) => kindsOf(reports.all(id)) !== 'create result').map((id) => `${id}: reports`),
      ...rows
        .filter((row) => !isReceivedRightly(row, received))
        .map(({ id, kind }) => `${id}: ${kind} at the service`),
    ];
    const reported = rows.filter((row) => row.state === 'done').length;
    return { reported, pending: rows.length - reported, wrong };
  } finally {
    sqlite.close();
  }
}

function kindsOf(rows: readonly Row[]): string {
  return rows
    .map(({ kind }) => kind)
    .sort()
    .join(' ');
}

/** What was on its way when the daemon ended may be there, too. */
function isReceivedRightly({ id, kind, state, tries }: Row, received: Received): boolean {
  const heard = (kind === 'create' ? received.creates : received.results)[id] ?? 0;
  if (state === 'done') return heard === 1;
  return state === 'pending' && heard <= Math.min(1, tries);
}
