import type { Clock } from '../../base/clock.ts';
import { invariant } from '../../base/invariant.ts';
import type { Log } from '../../base/log.ts';
import type { Device } from '../../terminal/device.ts';
import type { LastTransaction, TransactionReport } from '../../terminal/ports.ts';
import type { TerminalSupervisor } from '../../terminal/supervisor.ts';
import type { Attempt, Baseline } from '../attempt/attempt.ts';
import type { TerminalState } from '../dispatch/terminal-state.ts';
import type { PaymentWriter } from '../payment-writer.ts';
import type { IdentityStore, PaymentStore } from '../ports.ts';
import { type Continuity, continues, continuityOf, type SinceLastDialogue } from './continuity.ts';
import { RECOVERY_TABLE } from './decision-table.ts';
import type { RecoveryLimits } from './recovery.ts';
import { type DatabaseAge, terminalAheadWords, unwitnessedWords } from './restored-database.ts';
import { isSame, isThatOne } from './same-transaction.ts';
import type { ServiceWitness } from './service-witness.ts';
import { quietTimeOf, settleTimeOf } from './settle-time.ts';
import { disbelief, notBelieved, setAsideWords, staleReading, staleWords } from './spoofed-terminal.ts';

interface Judged {
  readonly previous: Attempt | null;
  readonly continuity: Continuity;
}

export interface ContinuityTrackerDeps {
  readonly deviceId: string;
  readonly device: Device;
  readonly databaseAge: DatabaseAge;
  readonly terminal: TerminalSupervisor;
  readonly writer: PaymentWriter;
  readonly store: PaymentStore;
  /** The stored facts of each device's terminal. */
  readonly terminals: IdentityStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly recovery: RecoveryLimits;
  readonly state: TerminalState;
  readonly witness: ServiceWitness;
  /** The terminal closed its day without a command from tilld. */
  readonly closedWithoutUs: () => void;
  /** Money moved with the payment before the waiting ones: they are not sent. */
  readonly expireWaiting: () => void;
}

/**
 * Tracks what a terminal did since our last dialogue with it, and stores the findings: a late outcome of a doubt, a void or a sale by hand, a
 * day that was closed, numbers that do not continue.
 * The judgement is {@link continuityOf}, which is pure; this class applies it.
 */
export class ContinuityTracker {
  readonly #deps: ContinuityTrackerDeps;
  /** Monotonic; the end of the last dialogue here. */
  #quietSince: number;
  /** Our last payment here when the terminal was read last. */
  #before: Attempt | null = null;

  constructor(deps: ContinuityTrackerDeps) {
    this.#deps = deps;
    this.#quietSince = deps.clock.monotonic();
  }

  /** What a fresh reading says of the time since our last dialogue here; the findings are stored before it returns. */
  look(last: LastTransaction): Continuity {
    const { writer, state, terminals, deviceId, log, expireWaiting } = this.#deps;
    const { previous, continuity } = this.#believed(this.#judged(last), last);
    const isFirst = !state.isJudged;
    state.judged();
    this.#before = previous;
    switch (continuity.kind) {
      case 'unbroken':
        if (isFirst) this.#askUnbroken(previous, last);
        return continuity;
      case 'too_early':
        return continuity;
      case 'cannot_tell':
        if (isFirst && previous !== null) this.#askUnwitnessed(previous, last);
        terminals.beginBatch(deviceId);
        return continuity;
      case 'contradicted': {
        invariant(previous, 'only an attempt of ours can be contradicted');
        const { of, row, report } = continuity;
        const evidence = { kind: 'terminal_journal', row, report } as const;
        const reported =
          report && of === 'charged' ? { report: { ...report, verdict: 'approved' as const } } : {};
        writer.apply(
          previous.id,
          { type: 'evidence', of },
          { evidence, ...reported, reason: null, details: { row, rule: RECOVERY_TABLE[row], last } },
        );
        if (of === 'charged') expireWaiting();
        return continuity;
      }
      case 'not_believed':
        this.#setAside(continuity.why);
        return continuity;
      case 'closed':
        this.#deps.closedWithoutUs();
        return continuity;
      case 'used_by_hand':
        log.warn({ number: continuity.report.number }, 'the terminal was used without us');
        if (isFirst && previous !== null) this.#askAboutDowntime(previous, last);
        this.#voidedByHand(continuity.report);
        terminals.noteSharedUse(deviceId);
        terminals.beginBatch(deviceId);
        return continuity;
    }
  }

  /** Why an approval in its dialogue is not believed to be of this terminal, in words; null: it is. Only another machine of a network is doubted. */
  disbelief(attempt: Attempt, report: TransactionReport): string | null {
    if (!this.#deps.device.onNetwork) return null;
    const { capabilities } = this.#deps.terminal;
    const before = this.#before?.id === attempt.id ? null : this.#before;
    return disbelief(attempt, report, { capabilities, sameTime: this.#atTimeOf(report), before });
  }

  /**
   * The same for an approval that comes after its dialogue: true where it is not believed. Then the attempt is with a person, and what answers is
   * set aside.
   */
  refuses(attempt: Attempt, report: TransactionReport): boolean {
    const { writer, store, clock } = this.#deps;
    const why = this.disbelief(attempt, report);
    if (why === null) return false;
    const reason = notBelieved(why);
    store.transaction(() => {
      const change = { reason, releasedAt: clock.now(), needsPerson: true, details: { report } };
      writer.note(attempt.id, 'not_believed', change);
      this.#setAside(reason.message);
    });
    return true;
  }

  /** Before a reading counts as a close, a use by hand or our own charge: it may be old. */
  #believed(judged: Judged, last: LastTransaction): Judged {
    const { previous } = judged;
    if (!this.#deps.device.onNetwork || !previous || last.kind !== 'found') return judged;
    const why = this.#staleness(judged.continuity, previous, last.report);
    return why === null ? judged : { previous, continuity: { kind: 'not_believed', why: staleWords(why) } };
  }

  #staleness(continuity: Continuity, previous: Attempt, report: TransactionReport): string | null {
    switch (continuity.kind) {
      case 'closed':
      case 'used_by_hand':
        return staleReading(report, this.#atTimeOf(report), previous);
      case 'contradicted':
        return continuity.of === 'charged' ? this.disbelief(previous, report) : null;
      default:
        return null;
    }
  }

  #atTimeOf({ terminalClock }: TransactionReport): readonly Attempt[] {
    const { store, deviceId } = this.#deps;
    return terminalClock === undefined ? [] : store.approvedAt(deviceId, terminalClock);
  }

  #setAside(why: string): void {
    const { writer, store, terminals, deviceId, terminal } = this.#deps;
    store.transaction(() => {
      terminals.setAside(deviceId, why);
      writer.ask('terminal_not_believed', { deviceId }, setAsideWords(deviceId, why));
    });
    void terminal.disconnect('what answers there is set aside');
  }

  /**
   * An attempt that the terminal refused to start says nothing of the one before it: a terminal that reverses an approval in the middle of a
   * dialogue refuses others meanwhile. So the last attempt that it may have started is compared as well.
   */
  #judged(last: LastTransaction): Judged {
    const previous = this.#deps.state.lastHere('lastSent');
    const continuity = continuityOf(previous && this.#since(previous), last);
    if (previous?.reason?.code !== 'not_started' || continuity.kind === 'contradicted')
      return { previous, continuity };
    const started = this.#deps.state.lastHere('lastStarted');
    const ofStarted = continuityOf(started && this.#since(started), last);
    const isOfStarted = ofStarted.kind === 'contradicted' || ofStarted.kind === 'too_early';
    return isOfStarted ? { previous: started, continuity: ofStarted } : { previous, continuity };
  }

  #since(previous: Attempt): SinceLastDialogue {
    const { writer, store, terminals, deviceId, clock, recovery, terminal } = this.#deps;
    const quietMs = quietTimeOf(settleTimeOf(terminal.capabilities, recovery.settleMs));
    const settled = clock.monotonic() - this.#quietSince >= quietMs;
    if (settled) this.#noteSettled(previous);
    return {
      previous,
      lastWord: store.correctionOf(previous.id) ?? previous,
      charged: writer.view(previous).charged,
      newBatch: previous.baseline?.batch !== terminals.factsOf(deviceId).batch,
      maybeFollowed: this.#isForgotten(previous.id),
      settled,
      needsSums: terminal.capabilities.recover === 'last_only',
      isNamed: terminal.capabilities.recover === 'by_reference' && previous.ticket !== null,
    };
  }

  /** What is known of the terminal's counting besides its last transaction. */
  counting(last: LastTransaction, day: number): Pick<Baseline, 'lastNumber' | 'afterClose'> {
    const { store } = this.#deps;
    const previous = this.#deps.state.lastHere('lastSent');
    const { baseline } = previous ?? {};
    const known = (previous && store.correctionOf(previous.id)) ?? previous;
    const before = baseline?.last.kind === 'found' ? baseline.last.report.number : baseline?.lastNumber;
    const number = known === null ? before : (numberOf(known) ?? before);
    return {
      ...(last.kind === 'empty' && number !== undefined ? { lastNumber: number } : {}),
      ...(baseline !== undefined && baseline !== null && baseline.day !== day ? { afterClose: true } : {}),
    };
  }

  /** The terminal of a doubt that was released too early was quiet for its settle time and was read: a person may say "not charged" now. */
  #noteSettled({ id, state, settledAt }: Attempt): void {
    const { writer, clock } = this.#deps;
    if (state.name !== 'in_doubt' || settledAt !== null) return;
    writer.note(id, 'settled', { settledAt: clock.now() });
  }

  /** It is older than this database: what the terminal shows since may be of a forgotten process run. */
  #isForgotten(id: string): boolean {
    const { store, databaseAge } = this.#deps;
    return databaseAge.lost && store.isFromBefore(id);
  }

  /** A dialogue of ours has just ended. */
  dialogueEnded(): void {
    this.#quietSince = this.#deps.clock.monotonic();
  }

  /**
   * Checks the number after a dialogue. Where it does not follow the one before, earlier transactions are no longer proved to be in the open batch.
   */
  noteNumbering(id: string): void {
    const { writer, terminals, deviceId, log } = this.#deps;
    if (continues(writer.require(id))) return;
    log.warn({ attempt: id }, 'the terminal does not count on from its last transaction');
    terminals.beginBatch(deviceId);
  }

  /**
   * tilld cannot distinguish use by hand from an older state of its database. For a terminal that is used by hand it does not ask every time, as
   * long as the machine was not rebooted and the service proves that the database is the newest: the service knows nothing of unreported
   * payments. What a restore has asked already is not asked again.
   */
  #askAboutDowntime({ id }: Attempt, last: LastTransaction): void {
    const { writer, store, terminals, deviceId, device, witness } = this.#deps;
    const isNewest = witness.isGiven && !store.isFromEarlierBoot(id);
    if (this.#wasAsked(id) || (terminals.factsOf(deviceId).sharedUse && isNewest)) return;
    writer.ask('memory_lost', { deviceId }, terminalAheadWords(device, last));
  }

  /**
   * The machine was rebooted, and its terminal reports nothing of its past: no witness shows that the disk is not an older image. The service is
   * none, because it knows nothing of unreported payments.
   */
  #askUnwitnessed({ id }: Attempt, last: LastTransaction): void {
    const { writer, store, deviceId, device } = this.#deps;
    if (!store.isFromEarlierBoot(id) || this.#wasAsked(id)) return;
    writer.ask('memory_lost', { deviceId }, unwitnessedWords(device, last));
  }

  /** Where the database has no payment on this terminal nothing is compared, also where it replaced another one; after a close neither. */
  #askUnbroken(previous: Attempt | null, last: LastTransaction): void {
    if (previous !== null) {
      this.#askBehindClose(previous, last);
      return;
    }
    const { writer, store, deviceId, device } = this.#deps;
    const before = store.lastSent(deviceId);
    if (before !== null) this.#askUnwitnessed(before, last);
    else if (last.kind !== 'empty' && store.isUncomparedSinceBoot(deviceId))
      writer.ask('memory_lost', { deviceId }, unwitnessedWords(device, last));
  }

  /**
   * After a close nothing is compared with our last transaction. After a reboot, a transaction other than that one may be of tilld, and the disk
   * an older image.
   */
  #askBehindClose(previous: Attempt, last: LastTransaction): void {
    const { store, terminals, deviceId } = this.#deps;
    const isBehindClose = previous.baseline?.batch !== terminals.factsOf(deviceId).batch;
    if (!isBehindClose || !store.isFromEarlierBoot(previous.id)) return;
    if (last.kind === 'unreadable') this.#askUnwitnessed(previous, last);
    if (last.kind !== 'found') return;
    const known = (store.correctionOf(previous.id) ?? previous).report;
    const before = previous.baseline?.last;
    const isKnown = known
      ? isThatOne(known, last.report)
      : before !== undefined && isSame(before, last.report);
    if (!isKnown) this.#askAboutDowntime(previous, last);
  }

  /** The restore has asked about the time since this attempt: in this process run, or since the last reboot. */
  #wasAsked(id: string): boolean {
    const { store, state } = this.#deps;
    return this.#isForgotten(id) && (state.isShownNow || !store.isFromEarlierBoot(id));
  }

  /**
   * A payment of ours was voided at the terminal itself: the void's record names it. A restored database does not know which batch that is, and
   * the numbers of a terminal start again.
   */
  #voidedByHand(report: TransactionReport): void {
    const { writer, store, terminals, deviceId } = this.#deps;
    if (report.kind !== 'void' || report.verdict !== 'approved' || report.originalTrace === undefined) return;
    const { batch } = terminals.factsOf(deviceId);
    const ours = store
      .succeededIn(deviceId, { batch })
      .find((one) => one.type !== 'void' && isUndoneBy(report, one));
    if (!ours || this.#isForgotten(ours.id)) return;
    if (writer.view(ours).charged !== 'yes') return;
    const evidence = { kind: 'terminal_journal', row: 'approved_reversed', report } as const;
    writer.apply(
      ours.id,
      { type: 'evidence', of: 'reversed' },
      { evidence, details: { by: 'hand', report } },
    );
  }
}

/** The void names the trace of this payment, with the same amount and card as far as the terminal reports them: its numbers start again. */
function isUndoneBy(
  { originalTrace, amountMinor, maskedPan }: TransactionReport,
  { amount, report }: Attempt,
): boolean {
  const card = report?.maskedPan;
  return (
    report?.trace === originalTrace &&
    (amountMinor === undefined || amountMinor === (report?.amountMinor ?? amount.minor)) &&
    (maskedPan === undefined || card === undefined || maskedPan.toString() === card.toString())
  );
}

/** The number that the terminal gave it, also where the terminal reversed the payment and only its journal reported it. */
function numberOf({ report, evidence }: Attempt): string | undefined {
  if (report?.number !== undefined) return report.number;
  return evidence?.kind === 'terminal_journal' ? evidence.report?.number : undefined;
}
