import { type Clock, sleep } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { LastTransaction, TerminalSession } from '../terminal/ports.ts';
import type { TerminalSupervisor } from '../terminal/supervisor.ts';
import type { Attempt } from './attempt.ts';
import { type EvidenceOf, isFinal } from './machine.ts';
import { type Judgement, judge, RECOVERY_TABLE } from './recovery-table.ts';
import type { PaymentService } from './service.ts';

/** The times of recovery, in ms. */
export interface RecoveryLimits {
  /** Idle in a row before "not charged" may be said; null: what the driver says. */
  readonly settleMs: number | null;
  readonly readIntervalMs: number;
  /** A person is asked after this long. */
  readonly askPersonAfterMs: number;
  /** A terminal that answers is released after this long at the latest. */
  readonly giveUpMs: number;
}

export interface RecoveryPorts {
  readonly terminal: TerminalSupervisor;
  readonly service: PaymentService;
  readonly clock: Clock;
  readonly log: Log;
  readonly recovery: RecoveryLimits;
}

/** Readings that must agree before "nothing happened" is believed. */
const AGREEING_READS = 3;
/** A terminal that is off is looked for this often. */
const LOOK_AGAIN_MS = 1000;

const NEVER_IDLE: Judgement = {
  kind: 'person',
  row: 'unreadable',
  words: 'The terminal never became idle. Look at it.',
  report: null,
};

interface Watch {
  readonly startedAt: number;
  idleSince: number | null;
  reads: number;
}

/**
 * Finds out how an attempt in doubt ended, by asking its terminal.
 * "Charged" may be said at once; "not charged" by nobody before the settle time.
 *
 * INVARIANTS:
 * - nothing here sends a money command;
 * - another terminal's last transaction is no evidence (the supervisor refuses it);
 * - an attempt leaves `in_doubt` only by evidence or a person.
 */
export class Recovery {
  readonly #ports: RecoveryPorts;

  constructor(ports: RecoveryPorts) {
    this.#ports = ports;
  }

  /** Returns when the attempt is settled, or released to a person, or the signal aborts. */
  async run(attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { clock, terminal, service, recovery, log } = this.#ports;
    const watch: Watch = { startedAt: clock.monotonic(), idleSince: null, reads: 0 };
    log.warn({ attempt: attempt.id, reason: attempt.reason?.code }, 'outcome unknown, asking the terminal');
    while (!signal.aborted) {
      const current = service.require(attempt.id);
      if (isFinal(current.state) || current.releasedAt !== null) return;
      try {
        const settled = await terminal.use((session) => this.#look(current, session, watch, signal));
        if (settled) return;
      } catch (error) {
        watch.idleSince = null;
        watch.reads = 0;
        log.debug({ attempt: attempt.id, error: messageOf(error) }, 'terminal cannot be asked yet');
        await sleep(clock, LOOK_AGAIN_MS, signal).catch(() => undefined);
      }
      this.#askPersonInTime(current, watch);
      await sleep(clock, recovery.readIntervalMs, signal).catch(() => undefined);
    }
  }

  /** One look at an idle terminal; true when the attempt is settled or released. */
  async #look(
    attempt: Attempt,
    session: TerminalSession,
    watch: Watch,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { clock, recovery, service } = this.#ports;
    const readiness = await session.readiness(signal);
    const now = clock.monotonic();
    if (readiness.kind !== 'ready') {
      watch.idleSince = null;
      watch.reads = 0;
      service.progress(attempt, readiness.message);
      return (
        now - watch.startedAt >= recovery.giveUpMs &&
        this.#release(attempt, NEVER_IDLE, { kind: 'unreadable', detail: readiness.message })
      );
    }
    watch.idleSince ??= now;
    const last = await session.lastTransaction(signal);
    watch.reads += 1;
    const judgement = judge(attempt, last);
    if (judgement.kind === 'proved') return this.#settle(attempt, judgement.of, judgement, last);
    const settleMs = recovery.settleMs ?? session.capabilities.settleMs;
    const settled = now - watch.idleSince >= settleMs && watch.reads >= AGREEING_READS;
    if (settled && judgement.kind === 'unchanged')
      return this.#settle(attempt, judgement.of, judgement, last);
    if (settled || now - watch.startedAt >= recovery.giveUpMs) return this.#release(attempt, judgement, last);
    return false;
  }

  #settle(
    attempt: Attempt,
    of: EvidenceOf,
    judgement: Exclude<Judgement, { kind: 'person' }>,
    last: LastTransaction,
  ): boolean {
    const { service, log } = this.#ports;
    const report = judgement.kind === 'proved' ? judgement.report : null;
    service.apply(
      attempt.id,
      { type: 'evidence', of },
      {
        reason: REASONS[of],
        evidence: { kind: 'terminal_journal', row: judgement.row, report },
        ...(report && of === 'charged'
          ? { report: { ...attempt.report, ...report, verdict: 'approved' } }
          : {}),
        details: { row: judgement.row, rule: RECOVERY_TABLE[judgement.row], last },
      },
    );
    log.info({ attempt: attempt.id, of, row: judgement.row }, 'outcome found');
    return true;
  }

  /** The terminal sells on, the attempt stays with a person. */
  #release(attempt: Attempt, judgement: Judgement, last: LastTransaction): boolean {
    const { service, clock, log } = this.#ports;
    const words =
      judgement.kind === 'person'
        ? judgement.words
        : 'Compare the receipts of the terminal with this payment.';
    service.note(attempt.id, 'released', {
      releasedAt: clock.now(),
      needsPerson: true,
      reason: { code: 'needs_person', message: words },
      details: { row: judgement.row, rule: RECOVERY_TABLE[judgement.row], last },
    });
    log.error({ attempt: attempt.id, row: judgement.row }, 'a person must decide');
    return true;
  }

  #askPersonInTime(attempt: Attempt, watch: Watch): void {
    const { clock, recovery, service, log } = this.#ports;
    if (attempt.needsPerson || clock.monotonic() - watch.startedAt < recovery.askPersonAfterMs) return;
    const reason = {
      code: 'needs_person',
      message: 'The terminal does not tell. Look at its last receipt and compare.',
    };
    service.note(attempt.id, 'person_asked', { needsPerson: true, reason });
    log.error({ attempt: attempt.id }, 'a person must look at the terminal');
  }
}

const REASONS: Readonly<Record<EvidenceOf, { readonly code: string; readonly message: string } | null>> = {
  charged: null,
  declined: { code: 'declined', message: 'The terminal had declined it.' },
  aborted: { code: 'aborted', message: 'It had been stopped at the terminal.' },
  not_charged: { code: 'not_charged', message: 'The terminal stored nothing. The customer was not charged.' },
  reversed: {
    code: 'reversed_by_terminal',
    message: 'The terminal took its approval back. The customer was not charged.',
  },
};
