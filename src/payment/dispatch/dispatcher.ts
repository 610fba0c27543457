import { type Clock, withDeadline } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Device } from '../../terminal/device.ts';
import type { LastTransaction, Readiness, TerminalSession, Totals } from '../../terminal/ports.ts';
import type { TerminalSupervisor } from '../../terminal/supervisor.ts';
import type { Attempt, Baseline } from '../attempt/attempt.ts';
import { nextTicket } from '../attempt/ticket.ts';
import type { DiskSpace } from '../guards/disk-space.ts';
import type { IdentityStore, PaymentStore } from '../ports.ts';
import type { ContinuityTracker } from '../recovery/continuity-tracker.ts';
import type { RefundsAndVoids } from '../refunds/refunds-and-voids.ts';
import { type MoneyDialogueDeps, runMoneyDialogue } from './money-dialogue.ts';
import { RECOVERING, type TerminalQueue } from './terminal-queue.ts';

/** Longest time for one reading of the terminal: readiness and the baseline, its last transaction, or its journal. */
export const PREPARE_MS = 60_000;

export interface DispatcherDeps extends MoneyDialogueDeps {
  readonly clock: Clock;
  /** Nothing is dispatched without disk space for all that follows. */
  readonly disk: DiskSpace;
  readonly device: Pick<Device, 'tip'>;
  readonly terminal: TerminalSupervisor;
  readonly store: PaymentStore;
  /** The stored facts of each device's terminal. */
  readonly terminals: IdentityStore;
  readonly refundsAndVoids: RefundsAndVoids;
  /** One sale, one charge: checked again with the terminal in hand. @throws what the guard throws */
  readonly guardAgain: (attempt: Attempt) => void;
  /** Asks the service for its record of the sale's invoice, within a second. Never throws. */
  readonly askInvoice: (attempt: Attempt) => Promise<void>;
  /** The service has still to confirm the sale's invoice. */
  readonly isInvoiceUnasked: (attempt: Attempt) => boolean;
  readonly queue: TerminalQueue;
  readonly continuity: ContinuityTracker;
  /** An attempt in doubt keeps this terminal from selling. */
  readonly isBlocked: () => boolean;
  /** Ends a running dialogue: what the terminal does then is in doubt. */
  readonly givingUp: AbortSignal;
}

/** `wait`: the obstacle; the dispatch is tried again. */
export type Attended = 'done' | { readonly wait: string };
type NotReady = Exclude<Readiness, { kind: 'ready' }>;

/** What a terminal reported right before a dispatch. */
interface Prepared {
  readonly readiness: Extract<Readiness, { kind: 'ready' }>;
  readonly last: LastTransaction;
  readonly totals: Totals | null;
}

/**
 * Dispatches one request to the terminal in hand and runs its dialogue to the end.
 *
 * INVARIANT: no byte of a money command before its `dispatched` row, with the baseline in it, is on disk.
 */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  /** The session whose money dialogue runs. */
  #paying: TerminalSession | null = null;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  /** Passes a cancel on to the terminal. */
  abort(): void {
    this.#paying?.abort();
  }

  /** With the terminal in hand: ready, baseline read, `dispatched` on disk, then the first byte. */
  async attend(attempt: Attempt, session: TerminalSession, signal: AbortSignal): Promise<Attended> {
    const { writer, terminal, clock, disk, frames, queue, continuity } = this.#deps;
    const [prepared] = await Promise.all([this.#prepare(session, signal), this.#deps.askInvoice(attempt)]);
    if (!('last' in prepared)) return { wait: prepared.message };
    const baseline = this.#baselineFor(attempt, session, prepared);
    if (baseline === 'done' || 'wait' in baseline) return baseline;
    const shortage = disk.shortage();
    if (shortage) return { wait: shortage.message };
    frames.take();
    const decidedAt = clock.monotonic();
    const ticket = this.#ticketFor(session, baseline);
    const dispatched = writer.apply(attempt.id, { type: 'dispatch' }, { baseline, ticket });
    queue.leave(attempt.id);
    await this.#execute(dispatched, session, decidedAt);
    continuity.dialogueEnded();
    continuity.noteNumbering(attempt.id);
    if (writer.require(attempt.id).state.name === 'in_doubt') await terminal.disconnect('outcome unknown');
    return 'done';
  }

  /** A ticket that is neither in our database nor in the terminal's open batch, as far as the terminal reports it. */
  #ticketFor(session: TerminalSession, { last }: Baseline): string {
    const { store, clock } = this.#deps;
    const inBatch = session.references?.();
    const shown = last.kind === 'found' ? last.report.reference : undefined;
    const isTaken = (ticket: string) =>
      ticket === shown || inBatch?.has(ticket) === true || store.hasTicket(ticket);
    return nextTicket({ last: store.lastTicket(), isTaken }, clock.now());
  }

  /** Readiness and the data of the baseline, or the obstacle. */
  #prepare(session: TerminalSession, signal: AbortSignal): Promise<Prepared | NotReady> {
    return withDeadline(this.#deps.clock, PREPARE_MS, tooSlow, signal, async (within) => {
      const readiness = await session.readiness(within);
      if (readiness.kind !== 'ready') return readiness;
      const last = await session.lastTransaction(within);
      const { totalsWithoutPaper } = session.capabilities;
      return { readiness, last, totals: totalsWithoutPaper ? await session.totals(within) : null };
    });
  }

  /** The baseline of a dispatch that may happen now; else the obstacle, or `done` when it has ended. @throws TERMINAL_NO_ANSWER */
  #baselineFor(
    attempt: Attempt,
    session: TerminalSession,
    { readiness, last, totals }: Prepared,
  ): Baseline | Attended {
    const { terminal, terminals, queue, continuity: tracker } = this.#deps;
    const { identity } = terminal;
    if (!identity) throw new AppError('TERMINAL_NO_ANSWER', 'the terminal was not identified');
    if (!queue.mayStillGo(attempt)) return { wait: 'the terminal became ready too late' };
    if (this.#deps.isBlocked()) {
      queue.expireAll(RECOVERING);
      return 'done';
    }
    const continuity = tracker.look(last);
    if (!queue.mayStillGo(attempt)) return 'done';
    const facts = terminals.factsOf(attempt.deviceId);
    if (facts.setAside !== null) {
      queue.expireAll({ code: 'wrong_terminal', message: facts.setAside });
      return 'done';
    }
    if (continuity.kind === 'too_early') return { wait: 'the terminal does not show its last payment yet' };
    const canVoid = facts.voidWithdrawn ? 'none' : session.capabilities.void;
    if (!this.#isAdmitted(attempt, { terminal: identity, last, continuity, void: canVoid })) return 'done';
    const { terminalClock } = readiness;
    return {
      last,
      terminal: identity,
      batch: facts.batch,
      day: facts.day,
      ...tracker.counting(last, facts.day),
      ...(terminalClock ? { terminalClock } : {}),
      ...(totals ? { totals } : {}),
      ...(this.#deps.isInvoiceUnasked(attempt) ? { invoiceUnasked: true } : {}),
      ...(this.#asksTip(attempt, session) ? { tipAsked: true } : {}),
    };
  }

  /** Stored with the dispatch: after a change of the configuration recovery still knows what the terminal was told. */
  #asksTip({ type }: Attempt, { capabilities }: TerminalSession): boolean {
    return type === 'sale' && this.#deps.device.tip === 'ask' && capabilities.tip;
  }

  /** Checks again with the terminal in hand; an attempt that may not go ends with the reason. */
  #isAdmitted(attempt: Attempt, at: Parameters<RefundsAndVoids['admit']>[1]): boolean {
    const { refundsAndVoids, guardAgain } = this.#deps;
    try {
      refundsAndVoids.admit(attempt, at);
      guardAgain(attempt);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#deps.queue.expire(attempt, { code: error.code.toLowerCase(), message: error.message });
      return false;
    }
  }

  async #execute(attempt: Attempt, session: TerminalSession, decidedAt: number): Promise<void> {
    this.#paying = session;
    try {
      await runMoneyDialogue(attempt, session, this.#deps, decidedAt, this.#deps.givingUp);
    } finally {
      this.#paying = null;
    }
  }
}

export function tooSlow(): AppError {
  return new AppError('TERMINAL_NO_ANSWER', 'the terminal takes too long to answer', { retry: 'safe' });
}
