import { sql } from 'kysely';
import type { TenantTransaction } from '../database/connect.ts';
import { chainBreaks } from '../journal/breaks.ts';

export interface Period {
  /** Inclusive, by the clock of the hub. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
}

type Cell = string | number | null;
export type ExportLine = Readonly<Record<string, Cell>> & { readonly record: 'entry' | 'chain' | 'end' };

/** A line has those of its kind. */
const COLUMNS = [
  ...['record', 'shop', 'agent_id', 'epoch', 'branch', 'seq', 'attempt_id', 'at', 'event', 'from_state'],
  ...[
    'to_state',
    'details',
    'hash',
    'damaged',
    'received_at',
    'first_seq',
    'last_seq',
    'rows',
    'previous_hash',
  ],
  ...['last_hash', 'head_seq', 'head_hash', 'chains', 'break_seq', 'broke_at', 'trusted_seq', 'trusted_at'],
];

/** Of one chain, what has been written. */
interface Written {
  first_seq: number;
  last_seq: number;
  rows: number;
  last_hash: string;
}

/** Rows of one fetch: their details may be large. */
const AT_ONCE = 100;

/**
 * Every row of the journal that the hub received in a period, chain by chain in the order of its numbers; then one line for every chain that there is, and one end.
 * A chain is whole where `rows` is `last_seq` − `first_seq` + 1; its hashes lead from `previous_hash` to `last_hash`; its export before has ended with
 * `first_seq` − 1. `head_seq` and `head_hash` are the newest that the hub has. `break_seq` is the first entry by which the chain contradicts an earlier one of its
 * epoch; `trusted_seq` is the one from which on a person trusts it again (`agent_release`). Without the end the file was cut.
 */
export async function* exportedJournal(
  transaction: TenantTransaction,
  { from, to }: Period,
): AsyncGenerator<ExportLine> {
  const written = new Map<string, Written>();
  for await (const row of rowsOf(transaction, from, to)) {
    const { received_at, ...entry } = row;
    const before = written.get(chainOf(row));
    written.set(chainOf(row), {
      first_seq: before?.first_seq ?? row.seq,
      last_seq: row.seq,
      rows: (before?.rows ?? 0) + 1,
      last_hash: row.hash,
    });
    yield { record: 'entry', ...entry, received_at: received_at.toISOString() };
  }
  const chains = await chainsOf(transaction, from, to);
  const breaks = new Map((await chainBreaks(transaction)).map((one) => [chainOf(one), one]));
  let rows = 0;
  for (const { previous_hash, trusted_at, ...chain } of chains) {
    const { shop, agent_id, epoch, branch, head_seq, head_hash, trusted_seq } = chain;
    const nothing = { first_seq: null, last_seq: null, rows: 0, last_hash: null };
    const part = written.get(chainOf(chain)) ?? nothing;
    const broke = breaks.get(chainOf(chain));
    rows += part.rows;
    yield {
      record: 'chain',
      ...{ shop, agent_id, epoch, branch, ...part },
      previous_hash: part.rows === 0 ? null : (previous_hash ?? null),
      head_seq,
      head_hash,
      ...{ break_seq: broke?.seq ?? null, broke_at: broke?.found_at.toISOString() ?? null },
      ...{ trusted_seq, trusted_at: trusted_at?.toISOString() ?? null },
    };
  }
  yield { record: 'end', rows, chains: chains.length };
}

function rowsOf(transaction: TenantTransaction, from: Date, to: Date) {
  return transaction
    .selectFrom('journal as j')
    .innerJoin('agent', 'agent.id', 'j.agent_id')
    .innerJoin('shop', 'shop.id', 'agent.shop_id')
    .select(['shop.name as shop', 'j.agent_id', 'j.epoch', 'j.branch', 'j.seq', 'j.attempt_id', 'j.at'])
    .select(['j.event', 'j.from_state', 'j.to_state', 'j.details', 'j.hash', 'j.damaged', 'j.received_at'])
    .where('j.received_at', '>=', from)
    .where('j.received_at', '<', to)
    .orderBy(sql`j.agent_id, j.epoch, j.branch, j.seq`)
    .stream(AT_ONCE);
}

/** Every chain of the tenant, also one without a row in the period; `previous_hash` is that of the row before the first one of the period. */
async function chainsOf(transaction: TenantTransaction, from: Date, to: Date) {
  const { rows } = await sql<{
    shop: string;
    agent_id: string;
    epoch: string;
    branch: number;
    head_seq: number;
    head_hash: string;
    previous_hash: string | null;
    trusted_seq: number | null;
    trusted_at: Date | null;
  }>`SELECT s.name AS shop, c.agent_id, c.epoch, c.branch, c.next_seq - 1 AS head_seq, c.last_hash AS head_hash,
      (SELECT p.hash FROM journal p WHERE p.agent_id = c.agent_id AND p.epoch = c.epoch AND p.branch = c.branch
        AND p.seq = f.first - 1) AS previous_hash, r.seq AS trusted_seq, r.released_at AS trusted_at
    FROM journal_cursor c JOIN agent a ON a.id = c.agent_id JOIN shop s ON s.id = a.shop_id
    LEFT JOIN (SELECT agent_id, epoch, branch, min(seq) AS first FROM journal
      WHERE received_at >= ${from}::timestamptz AND received_at < ${to}::timestamptz
      GROUP BY agent_id, epoch, branch) f ON f.agent_id = c.agent_id AND f.epoch = c.epoch AND f.branch = c.branch
    LEFT JOIN LATERAL (SELECT seq, released_at FROM agent_release r WHERE r.agent_id = c.agent_id AND r.epoch = c.epoch
      AND r.branch = c.branch ORDER BY id DESC LIMIT 1) r ON true
    ORDER BY s.name, c.began_at, c.branch`.execute(transaction);
  return rows;
}

function chainOf(row: {
  readonly agent_id: string;
  readonly epoch: string;
  readonly branch: number;
}): string {
  return JSON.stringify([row.agent_id, row.epoch, row.branch]);
}

export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

/** One line as JSON, or as CSV (RFC 4180). */
export function lineOf(line: ExportLine, format: 'ndjson' | 'csv'): string {
  if (format === 'ndjson') return `${JSON.stringify(line)}\n`;
  return `${COLUMNS.map((column) => csvCell(line[column] ?? '')).join(',')}\r\n`;
}

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^\s*[=+\-@＝＋－＠]|^[\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
