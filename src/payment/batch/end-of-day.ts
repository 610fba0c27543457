import { type Clock, sleep, withDeadline } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import { type Currency, formatMoney } from '../../base/money.ts';
import type { CloseOutcome, LastTransaction, TerminalSession } from '../../terminal/ports.ts';
import type { TerminalSupervisor } from '../../terminal/supervisor.ts';
import type { Attempt, Reason } from '../attempt/attempt.ts';
import type { DiskSpace } from '../guards/disk-space.ts';
import type { PaymentWriter } from '../payment-writer.ts';
import type { IdentityStore, PaymentStore, TerminalFacts } from '../ports.ts';
import { agrees, ourTotals } from './compare-totals.ts';
import type { OurTotals, Settlement } from './settlement.ts';

export interface EndOfDayDeps {
  readonly deviceId: string;
  readonly currency: Currency;
  /** The newest attempt whose outcome on this terminal is unknown; a released one counts as well. */
  readonly doubt: () => Attempt | null;
  /** Compares the terminal's last transaction with our database. */
  readonly look: (last: LastTransaction) => void;
  readonly terminal: TerminalSupervisor;
  readonly writer: PaymentWriter;
  readonly store: PaymentStore;
  readonly terminals: IdentityStore;
  readonly disk: DiskSpace;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** How long it may wait for a terminal that is busy or away, counted from the request. */
const WAIT_MS = 600_000;
/** Pause between two tries. */
const LOOK_AGAIN_MS = 1000;
/** Longest time that the terminal may take to close its day. */
const CLOSE_MS = 900_000;
const READY_MS = 60_000;

/**
 * Closes the day of one terminal.
 * Why it is careful although no money moves: after the close the terminal may no longer report its earlier transactions.
 *
 * INVARIANTS:
 * - never while an attempt is in doubt on this terminal, unless a person forced it;
 * - that it runs is on disk before the first byte of the close, so a process that ends meanwhile begins a new batch: the terminal may have closed its own.
 */
export class EndOfDay {
  readonly #deps: EndOfDayDeps;

  constructor(deps: EndOfDayDeps) {
    this.#deps = deps;
  }

  /** Runs a requested close to its end. */
  async run(settlement: Settlement, signal: AbortSignal): Promise<void> {
    const { terminal, clock, log } = this.#deps;
    if (settlement.status === 'in_progress') {
      this.#end(settlement, 'unknown', NOBODY_HEARD);
      return;
    }
    const waited = Math.max(0, clock.now() - settlement.createdAt);
    const until = clock.monotonic() + WAIT_MS - waited;
    let obstacle = 'the terminal was busy';
    while (!signal.aborted && clock.monotonic() < until) {
      try {
        const seen = await terminal.use((session) => this.#attend(settlement, session, signal));
        if (seen === 'done') return;
        obstacle = seen.wait;
      } catch (error) {
        obstacle = messageOf(error);
        log.warn(
          { settlement: settlement.id, error: obstacle },
          'terminal not reached, its day is not closed',
        );
      }
      if (this.#deps.store.findSettlement(settlement.id)?.status !== 'requested') return;
      await sleep(clock, LOOK_AGAIN_MS, signal).catch(() => undefined);
    }
    this.#end(settlement, 'cancelled', { code: 'expired', message: `The day was not closed: ${obstacle}.` });
  }

  /** The terminal closed its day without a command from tilld: stored without sums of the terminal. */
  noticed(): void {
    const { writer, terminals, deviceId, clock, ids, terminal, log } = this.#deps;
    const now = clock.now();
    log.warn({}, 'the terminal has closed its day by itself');
    const noticed: Settlement = {
      id: ids.uuid(),
      deviceId,
      source: 'terminal',
      status: 'succeeded',
      caller: 'terminal',
      forced: null,
      createdAt: now,
      completedAt: now,
      terminal: terminal.identity,
      totals: null,
      ours: this.#ours(terminals.factsOf(deviceId).day),
      differs: null,
      receipts: {},
      reason: {
        code: 'noticed',
        message: 'The terminal closed its day by itself; its sums are on its own receipt.',
      },
    };
    writer.settle(noticed, true, () => this.#nextDay());
  }

  async #attend(
    settlement: Settlement,
    session: TerminalSession,
    signal: AbortSignal,
  ): Promise<'done' | { readonly wait: string }> {
    const { writer, terminals, clock, deviceId, terminal } = this.#deps;
    const seen = await withDeadline(clock, READY_MS, tooSlow, signal, async (within) => {
      const readiness = await session.readiness(within);
      if (readiness.kind === 'wait') return readiness;
      return { kind: 'read', last: await session.lastTransaction(within) } as const;
    });
    if (seen.kind === 'wait') return { wait: seen.message };
    if (this.#deps.store.findSettlement(settlement.id)?.status !== 'requested') return 'done';
    this.#deps.look(seen.last);
    const { setAside } = terminals.factsOf(deviceId);
    if (setAside !== null) {
      const message = `The day was not closed: ${setAside}`;
      this.#end(settlement, 'cancelled', { code: 'end_of_day_blocked', message });
      return 'done';
    }
    const doubt = this.#deps.doubt();
    if (doubt && doubt.id !== settlement.forced?.doubtId) {
      const message = `The day was not closed: the outcome of payment ${doubt.id} is not known yet.`;
      this.#end(settlement, 'cancelled', { code: 'end_of_day_blocked', message });
      return 'done';
    }
    const shortage = this.#deps.disk.shortage();
    if (shortage) return { wait: shortage.message };
    const facts = terminals.factsOf(deviceId);
    const running = { ...settlement, status: 'in_progress', terminal: terminal.identity } as const;
    writer.settle(running, false);
    const outcome = await withDeadline(clock, CLOSE_MS, tooSlow, signal, (within) =>
      session.endOfDay((text) => this.#deps.log.info({ text }, 'end of day'), within),
    ).catch((error): CloseOutcome => ({ kind: 'unknown', code: 'driver_error', message: messageOf(error) }));
    this.#conclude(running, outcome, facts);
    if (outcome.kind === 'unknown') await terminal.disconnect('end of day without a word');
    return 'done';
  }

  #conclude(settlement: Settlement, outcome: CloseOutcome, { day, dayIsWhole }: TerminalFacts): void {
    const { writer } = this.#deps;
    if (outcome.kind !== 'closed') {
      const status = outcome.kind === 'refused' ? 'refused' : 'unknown';
      const words =
        outcome.kind === 'refused'
          ? 'The terminal did not close its day'
          : 'It is not known whether the day was closed';
      const message = `${words}: ${outcome.message}. Look at the terminal.`;
      this.#end(settlement, status, { code: outcome.code.toLowerCase(), message });
      return;
    }
    const { totals, receipts } = outcome;
    const ours = this.#ours(day);
    const comparable = dayIsWhole && totals?.amountMinor !== undefined;
    const differs = comparable ? !agrees(totals, ours) : null;
    const closed: Settlement = {
      ...settlement,
      status: 'succeeded',
      completedAt: this.#deps.clock.now(),
      totals,
      receipts,
      ours,
      differs,
    };
    writer.settle(closed, false, () => {
      this.#nextDay();
      if (differs) writer.ask('settlement_differs', { settlementId: closed.id }, this.#words(closed));
    });
  }

  /** The day is closed: approvals without the bank are final now. */
  #nextDay(): void {
    const { store, terminals, deviceId, clock } = this.#deps;
    for (const { id } of store.succeededIn(deviceId, { day: terminals.factsOf(deviceId).day }))
      for (const task of store.openTasksOf(id))
        if (task.kind === 'offline_approval')
          store.finishTask(task.id, { by: 'tilld', note: 'The terminal closed its day.', at: clock.now() });
    terminals.beginDay(deviceId);
  }

  #end(settlement: Settlement, status: 'cancelled' | 'refused' | 'unknown', reason: Reason): void {
    const { writer, clock, terminals, deviceId } = this.#deps;
    writer.settle({ ...settlement, status, reason, completedAt: clock.now() }, false, () => {
      if (status === 'unknown') terminals.beginDay(deviceId);
    });
  }

  #ours(day: number): OurTotals {
    return ourTotals(this.#deps.store.succeededIn(this.#deps.deviceId, { day }));
  }

  #words({ totals, ours }: Settlement): string {
    const { currency } = this.#deps;
    const [theirs, own] = [totals?.amountMinor ?? 0, ours?.netMinor ?? 0].map((minor) =>
      formatMoney({ minor, currency }),
    );
    return `The terminal closed its day with ${theirs}, our books say ${own}. Compare its receipt with the payments of the day: a customer may have been charged, or not, without tilld.`;
  }
}

const NOBODY_HEARD = {
  code: 'unknown_end',
  message: 'It is not known whether the day was closed: its end could not be stored. Look at the terminal.',
};

function tooSlow(): AppError {
  return new AppError('TERMINAL_NO_ANSWER', 'the terminal takes too long to answer', { retry: 'safe' });
}
