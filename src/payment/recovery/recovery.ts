import { type Clock, sleep, withDeadline } from '../../base/clock.ts';
import { AppError, hasCode, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { factsOf } from '../../base/trace.ts';
import type {
  Capabilities,
  LastTransaction,
  OwnTransaction,
  TerminalSession,
  TransactionReport,
} from '../../terminal/ports.ts';
import type { TerminalSupervisor } from '../../terminal/supervisor.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { commandOf } from '../attempt/money-command.ts';
import { type EvidenceOf, isFinal } from '../attempt/state-machine.ts';
import type { FrameLog } from '../dispatch/dialogue.ts';
import type { PaymentWriter } from '../payment-writer.ts';
import type { IdentityStore, PaymentStore } from '../ports.ts';
import { askedReferenceOf, isNamed, judgeOwn } from './by-reference.ts';
import { type Judgement, judge, RECOVERY_TABLE } from './decision-table.ts';
import { LateResult } from './late-result.ts';
import { questionAt } from './question.ts';
import type { DatabaseAge } from './restored-database.ts';
import { wentTo } from './same-terminal.ts';
import { quietTimeOf, type SettleTime, settleTimeOf } from './settle-time.ts';

/** The times of recovery, in ms. */
export interface RecoveryLimits {
  /** Idle without interruption before "not charged" may be said; null: the driver's value. */
  readonly settleMs: number | null;
  readonly readIntervalMs: number;
  /** A person is asked after this long. */
  readonly askPersonAfterMs: number;
  /** A terminal that answers is released after this long, but not before its settle time could be over. */
  readonly giveUpMs: number;
}

export interface RecoveryDeps {
  readonly deviceId: string;
  readonly terminal: TerminalSupervisor;
  readonly writer: PaymentWriter;
  readonly store: Pick<PaymentStore, 'isFromBefore' | 'findAttempt'>;
  readonly databaseAge: DatabaseAge;
  readonly terminals: Pick<IdentityStore, 'noteSharedUse' | 'beginBatch'>;
  readonly frames: FrameLog;
  readonly clock: Clock;
  readonly log: Log;
  readonly recovery: RecoveryLimits;
  /** An approval that is not believed to be of this terminal: then the attempt is with a person, and what answers is set aside. */
  readonly refuses: (attempt: Attempt, report: TransactionReport) => boolean;
}

/** Readings that must agree before "nothing happened" counts. */
const AGREEING_READS = 3;
/** Pause between two tries at a terminal that is off. */
const LOOK_AGAIN_MS = 1000;
/** Time limit of one reading. */
const LOOK_MS = 60_000;

const NEVER_IDLE: Judgement = {
  kind: 'person',
  row: 'unreadable',
  words: 'The terminal never became idle. Look at it.',
  report: null,
};

/** What was seen so far of a terminal that is being asked. */
class Watch {
  readonly startedAt: number;
  #answeringSince: number | null = null;
  #idleSince: number | null = null;
  #agreeing = 0;
  #judged: string | null = null;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  /** It did not answer: all counts start again. */
  lost(): void {
    this.#answeringSince = null;
    this.busy();
  }

  /** A dialogue runs on it: idleness and agreement start again. */
  busy(): void {
    this.#idleSince = null;
    this.#agreeing = 0;
  }

  /** How long it has been answering without interruption, in ms. */
  answeringFor(now: number): number {
    this.#answeringSince ??= now;
    return now - this.#answeringSince;
  }

  /** One reading, while the terminal was ready or not. */
  heard(judgement: Judgement, ready: boolean, now: number): void {
    const judged = `${judgement.kind} ${judgement.row}`;
    this.#agreeing = judged === this.#judged ? this.#agreeing + 1 : 1;
    this.#judged = judged;
    this.#idleSince = ready ? (this.#idleSince ?? now) : null;
  }

  /** Idle without interruption for the settle time, and the last readings agree. */
  isSettled(now: number, settleMs: number): boolean {
    return this.#idleSince !== null && now - this.#idleSince >= settleMs && this.#agreeing >= AGREEING_READS;
  }
}

/**
 * Finds out how an attempt in doubt ended, by asking its terminal.
 * "Charged" is said at once, on a terminal that had stored something before; any outcome that means "not charged" only after the settle time.
 *
 * INVARIANTS:
 * - nothing here sends a money command;
 * - another terminal's memory is no evidence, not even after it was adopted in the place of the one that got the command;
 * - an attempt leaves `in_doubt` only by evidence or a person.
 */
export class Recovery {
  readonly #deps: RecoveryDeps;

  constructor(deps: RecoveryDeps) {
    this.#deps = deps;
  }

  /** Returns when the attempt has ended, is released to a person, its terminal no longer serves this device, or the signal aborts. */
  async run(attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { clock, terminal, writer, recovery, log } = this.#deps;
    const watch = new Watch(clock.monotonic());
    log.warn({ ...factsOf(attempt), reason: attempt.reason?.code }, 'outcome unknown, asking the terminal');
    while (!signal.aborted) {
      const current = writer.require(attempt.id);
      if (isFinal(current.state) || current.releasedAt !== null || !this.#isHere(current)) return;
      try {
        const settled = await terminal.use((session) => this.#look(current, session, watch, signal));
        if (settled) return;
      } catch (error) {
        if (hasCode(error, 'TERMINAL_BUSY')) {
          if (this.#isStuck(current, watch)) return;
        } else watch.lost();
        const facts = { attempt: attempt.id, error: messageOf(error) };
        if (error instanceof AppError) log.debug(facts, 'terminal cannot be asked yet');
        else log.error(facts, 'recovery failed');
        await sleep(clock, LOOK_AGAIN_MS, signal).catch(() => undefined);
      }
      this.#askPersonInTime(current, watch);
      await sleep(clock, recovery.readIntervalMs, signal).catch(() => undefined);
    }
  }

  /** Its own terminal answers here: no other one is asked. */
  #isHere(attempt: Attempt): boolean {
    const { terminal, deviceId } = this.#deps;
    return wentTo(attempt, terminal.identity, deviceId);
  }

  /** It answers, but only that it is busy: after its time the terminal is released all the same. */
  #isStuck(attempt: Attempt, watch: Watch): boolean {
    const { clock, terminal } = this.#deps;
    watch.busy();
    if (watch.answeringFor(clock.monotonic()) < this.#times(terminal.capabilities).giveUpMs) return false;
    return this.#release(attempt, NEVER_IDLE, { kind: 'unreadable', detail: 'the terminal is busy' }, false);
  }

  /** One reading of the terminal; true when the attempt has ended or is released. */
  async #look(
    attempt: Attempt,
    session: TerminalSession,
    watch: Watch,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { clock, writer, frames } = this.#deps;
    // The task may have waited while a person adopted another terminal.
    if (!this.#isHere(attempt)) return true;
    frames.take();
    const { idleMs, sinceMs, giveUpMs, idleGiveUpMs } = this.#times(session.capabilities);
    const seen = await withDeadline(clock, LOOK_MS, tooSlow, signal, (within) =>
      this.#read(attempt, session, within),
    );
    if (seen.kind === 'ended') return true;
    const now = clock.monotonic();
    const answeringMs = watch.answeringFor(now);
    if (seen.kind === 'busy') {
      watch.busy();
      writer.progress(attempt, seen.message);
      return (
        answeringMs >= giveUpMs &&
        this.#release(attempt, NEVER_IDLE, { kind: 'unreadable', detail: seen.message }, false)
      );
    }
    const { judgement } = seen;
    watch.heard(judgement, seen.ready, now);
    if (session.capabilities.recover === 'none') this.#askPerson(attempt);
    const settled = watch.isSettled(now, idleMs) && now - watch.startedAt >= sinceMs;
    if (judgement.kind !== 'person' && (settled || isFinalAtOnce(attempt, judgement))) {
      return this.#settle(attempt, judgement.of, judgement, seen.last);
    }
    const givesUp = answeringMs >= (seen.ready ? idleGiveUpMs : giveUpMs);
    return (settled || givesUp) && this.#release(attempt, judgement, seen.last, settled);
  }

  /**
   * How long to wait for what, ms. A terminal is not released before "not charged" could have been said of it. `idleGiveUpMs`: one that is idle
   * at that moment gets its settle time once more, because it was perhaps interrupted just before.
   */
  #times(
    capabilities: Capabilities,
  ): SettleTime & { readonly giveUpMs: number; readonly idleGiveUpMs: number } {
    const { recovery } = this.#deps;
    const settleTime = settleTimeOf(capabilities, recovery.settleMs);
    const quietMs = quietTimeOf(settleTime);
    const giveUpMs = Math.max(recovery.giveUpMs, quietMs);
    return { ...settleTime, giveUpMs, idleGiveUpMs: giveUpMs + quietMs };
  }

  /** What the terminal sends unasked about this attempt, then its answers. */
  async #read(attempt: Attempt, session: TerminalSession, signal: AbortSignal): Promise<Seen> {
    const { writer, store, clock } = this.#deps;
    if (session.lateEnd && attempt.ticket !== null) {
      await session.lateEnd(commandOf(attempt, store), new LateResult(attempt, this.#deps), signal);
      const { state, releasedAt } = writer.require(attempt.id);
      if (isFinal(state) || releasedAt !== null) return { kind: 'ended' };
    }
    const readiness = await session.readiness(signal);
    if (readiness.kind === 'wait' && readiness.code === 'TERMINAL_BUSY')
      return { kind: 'busy', message: readiness.message };
    const ready = readiness.kind === 'ready';
    const reference = askedReferenceOf(attempt, store);
    if (session.ownTransaction && attempt.ticket) {
      const own = await session.ownTransaction(reference, signal);
      return {
        kind: 'read',
        ready,
        judgement: judgeOwn(attempt, own, reference, clock.now()),
        last: lastOf(own),
      };
    }
    const last = await session.lastTransaction(signal);
    if (last.kind === 'found' && isNamed(last.report, reference))
      return { kind: 'read', ready, judgement: judgeOwn(attempt, last, reference, clock.now()), last };
    const { totalsWithoutPaper } = session.capabilities;
    const hasSums = attempt.baseline?.totals !== undefined && totalsWithoutPaper;
    const totals = hasSums ? await session.totals(signal) : null;
    return {
      kind: 'read',
      ready,
      judgement: judge(attempt, last, totals, {
        maybeFollowed: this.#maybeFollowed(attempt),
        needsSums: session.capabilities.recover === 'last_only',
      }),
      last,
    };
  }

  /** It was sent before this database began: later commands may be forgotten. */
  #maybeFollowed({ id }: Attempt): boolean {
    const { databaseAge, store } = this.#deps;
    return databaseAge.lost && store.isFromBefore(id);
  }

  #settle(
    attempt: Attempt,
    of: EvidenceOf,
    judgement: Exclude<Judgement, { kind: 'person' }>,
    last: LastTransaction,
  ): boolean {
    const { writer, log, refuses } = this.#deps;
    const report = judgement.kind === 'proved' ? judgement.report : null;
    if (report && of === 'charged' && refuses(attempt, report)) return true;
    writer.apply(
      attempt.id,
      { type: 'evidence', of },
      {
        reason: REASONS[of],
        evidence: { kind: 'terminal_journal', row: judgement.row, report },
        ...(report && of === 'charged'
          ? { report: { ...attempt.report, ...report, verdict: 'approved' } }
          : {}),
        details: {
          row: judgement.row,
          rule: RECOVERY_TABLE[judgement.row],
          last,
          frames: this.#deps.frames.take(),
        },
      },
    );
    log.info({ ...factsOf(attempt), of, row: judgement.row }, 'outcome found');
    return true;
  }

  /** The terminal sells on. The attempt stays with a person, who may say "not charged" only if the terminal had `settled`. */
  #release(attempt: Attempt, judgement: Judgement, last: LastTransaction, settled: boolean): boolean {
    const { writer, clock, log } = this.#deps;
    const words = judgement.row === 'unreadable' ? questionAt(attempt) : wordsOf(judgement);
    // A person who says "charged" confirms what the terminal shows.
    const { report } = judgement.kind === 'person' ? judgement : { report: null };
    const shown = judgement.row === 'amount_differs' && report !== null ? { report } : {};
    // Before the release: a process that dies in between must not take up the same batch, in which a later reading could settle the attempt.
    if (judgement.row === 'somebody_else' || judgement.row === 'totals_disagree')
      this.#somebodyElse(attempt, last);
    writer.note(attempt.id, 'released', {
      ...shown,
      releasedAt: clock.now(),
      settledAt: settled ? clock.now() : null,
      needsPerson: true,
      reason: { code: 'needs_person', message: words },
      details: {
        row: judgement.row,
        rule: RECOVERY_TABLE[judgement.row],
        last,
        frames: this.#deps.frames.take(),
      },
    });
    log.error({ ...factsOf(attempt), row: judgement.row }, 'a person must decide');
    return true;
  }

  /** The continuity between our older transactions and the terminal's present one is broken. */
  #somebodyElse({ deviceId }: Attempt, last: LastTransaction): void {
    const { terminals } = this.#deps;
    if (last.kind === 'found') terminals.noteSharedUse(deviceId);
    terminals.beginBatch(deviceId);
  }

  #askPersonInTime(attempt: Attempt, watch: Watch): void {
    const { clock, recovery, writer } = this.#deps;
    if (clock.monotonic() - watch.startedAt >= recovery.askPersonAfterMs)
      this.#askPerson(writer.require(attempt.id));
  }

  #askPerson(attempt: Attempt): void {
    const { writer, log } = this.#deps;
    if (attempt.needsPerson || isFinal(attempt.state)) return;
    const reason = { code: 'needs_person', message: questionAt(attempt) };
    writer.note(attempt.id, 'person_asked', { needsPerson: true, reason });
    log.error(factsOf(attempt), 'a person must look at the terminal');
  }
}

type Seen =
  | { readonly kind: 'busy'; readonly message: string }
  /** The terminal has sent its result unasked, or one that is not believed. */
  | { readonly kind: 'ended' }
  /** `ready`: idle and able to sell; a terminal without paper can still report what it has stored. */
  | {
      readonly kind: 'read';
      readonly ready: boolean;
      readonly judgement: Judgement;
      readonly last: LastTransaction;
    };

/**
 * "Charged" may be said at once, because a terminal that takes its approval back then shows what it showed before, which contradicts it. Not where it
 * showed nothing before: then nothing would distinguish that from a close of its day by itself.
 */
function isFinalAtOnce({ baseline }: Attempt, { of, row }: Exclude<Judgement, { kind: 'person' }>): boolean {
  return of === 'charged' && (baseline?.last.kind !== 'empty' || row === 'own_reference');
}

/** What is stored of the answer for later analysis. */
function lastOf(own: OwnTransaction): LastTransaction {
  if (own.kind === 'never_seen') return own.last;
  if (own.kind !== 'absent') return own;
  const report = own.others.at(-1);
  return report ? { kind: 'found', report } : { kind: 'empty' };
}

function wordsOf(judgement: Judgement): string {
  return judgement.kind === 'person'
    ? judgement.words
    : 'Compare the receipts of the terminal with this payment.';
}

function tooSlow(): AppError {
  return new AppError('TERMINAL_NO_ANSWER', 'the terminal takes too long to answer', { retry: 'safe' });
}

const REASONS: Readonly<Record<EvidenceOf, { readonly code: string; readonly message: string } | null>> = {
  charged: null,
  declined: { code: 'declined', message: 'The terminal had declined it.' },
  aborted: { code: 'aborted', message: 'It had been stopped at the terminal.' },
  not_charged: { code: 'not_charged', message: 'The terminal has stored nothing.' },
  reversed: {
    code: 'reversed_by_terminal',
    message: 'The terminal took its approval back.',
  },
};
