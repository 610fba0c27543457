import { sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import { type Exchange, type Exchanged, MOST_STATE_BYTES } from '../../fleet/contract/exchange.ts';
import { WRONG_CLOCK_MS } from '../alerts/kinds.ts';
import { raiseAlert } from '../alerts/raise.ts';
import { commandsFor, noteOutcomes } from '../commands/handing-over.ts';
import type { TenantTransaction } from '../database/connect.ts';
import type { Agent } from './authenticate.ts';
import { quarantine } from './quarantine.ts';
import { trustedBranch } from './release.ts';

/** What JSON escapes and jsonb refuses: U+0000, and half of a surrogate pair. */
const NOT_KEPT = /(?<!\\)(?:\\\\)*\\u(0000|d[89a-f][0-9a-f]{2})/i;
/** The last request of a process may come after the first one of the next: that makes two turns. */
const TWO_PROCESSES_TURNS = 3;

/**
 * Notes what an agent says of itself, and answers what the hub has of it. Two requests of one process may overtake one another: the later one counts. None is taken
 * twice, those of earlier processes included.
 * @throws EXCHANGE_SUPERSEDED for the earlier one; STATE_TOO_LARGE, REQUEST_INVALID
 */
export async function exchange(
  transaction: TenantTransaction,
  of: Agent,
  report: Exchange,
  now: number,
): Promise<Exchanged> {
  const { tenant, agent } = of;
  const state = stateOf(report);
  const before = await transaction
    .selectFrom('agent')
    .select(['run_id', 'exchange', 'former_run_id', 'turns'])
    .select(sql<boolean>`state IS NOT NULL`.as('has_state'))
    .where('id', '=', agent)
    // A rollout that is being made keeps the ids of its agents, and holds up no exchange.
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const isSameRun = before.run_id === report.run_id;
  if (isSameRun && report.exchange <= before.exchange) throw superseded(before.exchange);
  await requireNew(transaction, of, report);
  const turns = turnsOf(report, before);
  const offset = report.now - now;
  await transaction
    .updateTable('agent')
    .set({
      seen_at: new Date(now),
      exchanged_at: sql<Date>`now()`,
      version: report.version,
      epoch: report.epoch,
      run_id: report.run_id,
      exchange: report.exchange,
      clock_offset_ms: offset,
      ...(isSameRun ? {} : { former_run_id: before.run_id, turns }),
      ...(state === null ? {} : { state }),
    })
    .where('id', '=', agent)
    .execute();
  await noteOutcomes(transaction, of, report.outcomes ?? [], now);
  if (turns >= TWO_PROCESSES_TURNS)
    await quarantine(transaction, tenant, agent, 'two_processes', { epoch: report.epoch });
  if (Math.abs(offset) > WRONG_CLOCK_MS)
    await raiseAlert(transaction, tenant, agent, 'clock_wrong', { offset_ms: offset });
  const { quarantined } = await transaction
    .selectFrom('agent')
    .select('quarantined')
    .where('id', '=', agent)
    .executeTakeFirstOrThrow();
  return {
    journal: await cursorOf(transaction, agent, report.epoch),
    has_state: before.has_state || state !== null,
    now,
    quarantined,
    commands: await commandsFor(transaction, agent, quarantined, now),
  };
}

/** What the hub lacks of the history that it trusts; null: it has none of this epoch. */
async function cursorOf(
  transaction: TenantTransaction,
  agent: string,
  epoch: string,
): Promise<Exchanged['journal']> {
  const cursor = await transaction
    .selectFrom('journal_cursor')
    .select('next_seq')
    .where('agent_id', '=', agent)
    .where('epoch', '=', epoch)
    .where('branch', '=', await trustedBranch(transaction, agent, epoch))
    .executeTakeFirst();
  return cursor === undefined ? null : { next_seq: cursor.next_seq };
}

/**
 * Keeps the newest exchange of each process: a replayed one changes nothing, however old it is.
 * @throws EXCHANGE_SUPERSEDED
 */
async function requireNew(
  transaction: TenantTransaction,
  { tenant, agent }: Agent,
  { run_id, exchange: number }: Exchange,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('agent_run')
    .values({ agent_id: agent, tenant_id: tenant, run_id, exchange: number })
    .onConflict((conflict) =>
      conflict
        .columns(['agent_id', 'run_id'])
        .doUpdateSet({ exchange: number })
        .where('agent_run.exchange', '<', number),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw superseded(number);
}

function superseded(number: number): AppError {
  return new AppError('EXCHANGE_SUPERSEDED', `exchange ${number} of this process has come before`);
}

/** As JSON; null: it has not changed. @throws STATE_TOO_LARGE, REQUEST_INVALID */
function stateOf({ state }: Exchange): string | null {
  if (state === undefined) return null;
  const text = JSON.stringify(state);
  if (Buffer.byteLength(text) > MOST_STATE_BYTES)
    throw new AppError('STATE_TOO_LARGE', `the state is larger than ${MOST_STATE_BYTES} bytes`);
  if (NOT_KEPT.test(text))
    throw new AppError('REQUEST_INVALID', 'the state has a character that PostgreSQL does not keep');
  return text;
}

/** How often two processes have taken turns since a new one appeared. */
function turnsOf(
  { run_id }: Exchange,
  before: { readonly run_id: string | null; readonly former_run_id: string | null; readonly turns: number },
): number {
  if (run_id === before.run_id) return before.turns;
  return run_id === before.former_run_id ? before.turns + 1 : 0;
}
