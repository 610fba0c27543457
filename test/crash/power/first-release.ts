import { join } from 'node:path';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { BECAME_COLUMNS, becameValues } from '../../../src/store/attempts/attempt-row.ts';
import { Database } from '../../../src/store/database.ts';
import { chainEnd, hashOf } from '../../../src/store/journal/journal-chain.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { anAttempt } from '../../support/attempts.ts';
import { beginOlderEpoch, insertIntoOlder, noteOlderEpoch } from '../../support/older-books.ts';
import type { ShopDeps } from './shop.ts';

/** Columns of `attempts` that the first release did not have. */
const LATER: readonly string[] = ['corrects', 'batch', 'day', 'ticket', 'completed_elapsed'];
const NOON = Date.UTC(2026, 0, 5, 12, 0, 0);
const SNAPSHOT_REPORTED = 'pending';

/** A database as the first release left it: a sale that was reported, one whose report is pending, and one that is under way. */
export function firstRelease({ folder, ack }: ShopDeps): void {
  const database = Database.open(join(folder, 'money.db'), MONEY_MIGRATIONS.slice(0, 1), '0.1.0');
  const epoch = join(folder, 'epoch');
  // It had no tasks to look back at, and began with nothing before it.
  beginOlderEpoch(database, epoch, 'first-epoch');
  ack({ kind: 'opened', epoch: 'new' });
  const ended = { completedAt: NOON + 2000, dispatchedAt: NOON } as const;
  write(database, number(1, { state: { name: 'succeeded' }, ...ended }), ['create', 'result'], 'done');
  write(database, number(2, { state: { name: 'declined' }, ...ended }), ['create', 'result'], 'pending');
  write(database, number(3, { state: { name: 'dispatched' }, dispatchedAt: NOON }), ['create'], 'pending');
  database.run(
    'INSERT INTO api_keys VALUES (?, ?, ?, ?, ?, ?, NULL, NULL, NULL)',
    'k1',
    'Till',
    'h1',
    '[]',
    '[]',
    NOON,
  );
  noteOlderEpoch(database, epoch);
  database.close();
}

function number(index: number, changes: Partial<Attempt>): Attempt {
  const id = `0199c0de-0000-7000-8000-00000000010${index}`;
  const amount = { minor: 6100 + index, currency: 'EUR' } as const;
  return anAttempt({ id, amount, createdAt: NOON, expiresAt: NOON + 300_000, version: 2, ...changes });
}

/** Two commits, as in life: it is born, and then it is what it is. */
function write(
  database: Database,
  attempt: Attempt,
  reports: readonly ('create' | 'result')[],
  state: string,
): void {
  const { id } = attempt;
  const born = { ...attempt, ...anAttempt(), id, amount: attempt.amount, version: 1 };
  database.transaction(() => {
    insertIntoOlder(database, born);
    journal(database, id, 'create', '-', 'requested');
    database.run(
      'INSERT INTO idempotency_keys VALUES (?, ?, ?, ?, 201, ?, ?, ?)',
      'socket',
      `key-${id}`,
      'f',
      'r',
      '{}',
      id,
      NOON,
    );
    report(database, id, 'create', state);
  });
  database.transaction(() => {
    const changes = BECAME_COLUMNS.map((name, index) => [name, becameValues(attempt)[index]] as const);
    const known = changes.filter(([name]) => !LATER.includes(name));
    database.run(
      `UPDATE attempts SET ${known.map(([name]) => `${name} = ?`).join(', ')} WHERE id = ?`,
      ...known.map(([, value]) => value),
      id,
    );
    journal(database, id, 'dispatch', 'requested', attempt.state.name);
    if (reports.includes('result')) report(database, id, 'result', state);
    const snapshot = JSON.stringify({ ...attempt, corrects: undefined });
    const type = `terminal_payment.${attempt.state.name}`;
    database.run(
      'INSERT INTO events (id, type, at, attempt_id, reported, snapshot) VALUES (?, ?, ?, ?, ?, ?)',
      `evt_${id}`,
      type,
      NOON,
      id,
      SNAPSHOT_REPORTED,
      snapshot,
    );
  });
}

function journal(database: Database, id: string, event: string, from: string, to: string): void {
  const end = chainEnd(database);
  const row = { attempt_id: id, at: NOON, event, from_state: from, to_state: to, details: '{}' };
  database.run(
    'INSERT INTO journal (seq, attempt_id, at, event, from_state, to_state, details, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    end.count + 1,
    id,
    NOON,
    event,
    from,
    to,
    '{}',
    hashOf(end.hash, end.count + 1, row),
  );
}

function report(database: Database, id: string, kind: 'create' | 'result', state: string): void {
  database.run(
    'INSERT INTO outbox (id, attempt_id, kind, key, body, created_at, state) VALUES (?, ?, ?, ?, ?, ?, ?)',
    `${kind}-${id}`,
    id,
    kind,
    `${kind}-key-${id}`,
    JSON.stringify({ id }),
    NOON,
    state,
  );
}
