import { sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import type {
  DamagedEntry,
  JournalBatch,
  JournalCursor,
  JournalEntry,
} from '../../fleet/contract/journal.ts';
import type { Agent } from '../agents/authenticate.ts';
import { quarantine } from '../agents/quarantine.ts';
import { trustedBranch } from '../agents/release.ts';
import { raiseAlert } from '../alerts/raise.ts';
import type { TenantTransaction } from '../database/connect.ts';
import { chainBreaks } from './breaks.ts';
import { firstMisfit } from './verify-chain.ts';

/** So many histories of one epoch are kept apart; more is no accident. */
const MOST_BRANCHES = 8;

interface Ingested {
  readonly outcome: 'stored' | 'gap' | 'too_many_branches';
  readonly branch: number;
  readonly next_seq: number;
  readonly stored: number;
}

/**
 * Stores each entry once, in the order of its number, however often and late it comes.
 * @throws JOURNAL_MISFIT when an entry does not fit its hash; JOURNAL_GAP with `next_seq`, from which the agent is to send; JOURNAL_BRANCHES
 */
export async function ingest(
  transaction: TenantTransaction,
  { tenant, agent }: Agent,
  batch: JournalBatch,
): Promise<JournalCursor> {
  const misfit = firstMisfit(batch);
  if (misfit !== null)
    throw new AppError('JOURNAL_MISFIT', `entry ${misfit} does not fit its chain`, {
      context: { seq: misfit },
    });
  const { epoch } = batch;
  const entries = batch.entries.map(rowOf);
  const column = <K extends keyof Row>(name: K) => entries.map((entry) => entry[name]);
  const { rows } =
    await sql<Ingested>`SELECT * FROM ingest_journal(${tenant}, ${agent}, ${epoch}, ${batch.first_seq}::bigint,
    ${batch.previous_hash}, ${MOST_BRANCHES}::int, ${column('attempt_id')}::text[], ${column('at')}::bigint[], ${column('event')}::text[],
    ${column('from_state')}::text[], ${column('to_state')}::text[], ${column('details')}::text[], ${column('hash')}::text[],
    ${column('damaged')}::text[])`.execute(transaction);
  const [result] = rows;
  if (result === undefined) throw new Error('ingest_journal returned no row');
  const { outcome, branch, next_seq, stored } = result;
  if (outcome === 'gap')
    throw new AppError('JOURNAL_GAP', `entries from ${next_seq} on are missing`, { context: { next_seq } });
  if (outcome === 'too_many_branches')
    throw new AppError(
      'JOURNAL_BRANCHES',
      `more than ${MOST_BRANCHES} histories of one epoch contradict each other`,
    );
  const damaged = batch.entries.find((entry) => 'damaged' in entry);
  if (damaged) await raiseAlert(transaction, tenant, agent, 'journal_damaged', { epoch, seq: damaged.seq });
  if (stored > 0 && branch !== (await trustedBranch(transaction, agent, epoch)))
    await quarantine(transaction, tenant, agent, 'journal_contradicts', {
      ...{ epoch, branch, seq: next_seq - stored },
      break_seq: await breakOf(transaction, agent, epoch, branch),
    });
  return { epoch, branch, next_seq, stored };
}

/** Where a history leaves the others; null: it is the first one. */
async function breakOf(transaction: TenantTransaction, agent: string, epoch: string, branch: number) {
  const breaks = await chainBreaks(transaction, sql`a.id = ${agent}::uuid`);
  return breaks.find((one) => one.epoch === epoch && one.branch === branch)?.seq ?? null;
}

/** An entry as the table has it; `damaged` says why it proves nothing. */
type Row = Omit<JournalEntry, 'seq'> & { readonly damaged: string | null };

function rowOf(entry: JournalEntry | DamagedEntry): Row {
  if (!('damaged' in entry)) return { ...entry, damaged: null };
  const { attempt_id, content, hash, damaged } = entry;
  const unknown = { at: 0, event: 'damaged', from_state: '', to_state: '' };
  return { ...unknown, attempt_id: attempt_id ?? '', details: content ?? '', hash, damaged };
}
