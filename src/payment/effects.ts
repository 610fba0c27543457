import { factsOf } from '../base/trace.ts';
import type { TransactionReport } from '../terminal/ports.ts';
import type { Attempt } from './attempt/attempt.ts';
import { correctionOf, type NewAttempt, policyVoidOf } from './attempt/create-attempt.ts';
import type { AttemptEvent } from './attempt/state-machine.ts';
import type { Change, Opening, PaymentServiceDeps } from './change.ts';
import type { FollowUp } from './follow-up.ts';
import type { OutboundEvents } from './outbound-events.ts';
import { setAsideWords } from './recovery/spoofed-terminal.ts';
import type { TaskKind, TaskSubject } from './tasks/task.ts';

/** The functions of {@link PaymentWriter} that effects use; all of them run inside the present transaction. */
interface TransactionWriter {
  create(created: NewAttempt, opening: Opening, outbound: OutboundEvents): Attempt;
  step(attempt: Attempt, event: AttemptEvent, change: Change, outbound: OutboundEvents): Attempt;
  ask(kind: TaskKind, of: TaskSubject, message?: string): void;
  isCharged(attempt: Attempt): boolean;
}

/** Writes the effects of a change of an attempt, in the transaction of that change. `follow-up.ts` decides them. */
export class EffectWriter {
  readonly #deps: PaymentServiceDeps;
  readonly #writer: TransactionWriter;

  constructor(deps: PaymentServiceDeps, writer: TransactionWriter) {
    this.#deps = deps;
    this.#writer = writer;
  }

  /** `found`: what the evidence says of a final attempt, which it does not change. */
  write(followUp: FollowUp, attempt: Attempt, found: Change, outbound: OutboundEvents): void {
    const { store, terminals, ids, clock, log } = this.#deps;
    switch (followUp.kind) {
      case 'void': {
        const created = policyVoidOf(attempt, followUp.cause, ids.uuid(), clock.now());
        this.#writer.create(created, { facts: { cause: followUp.cause } }, outbound);
        return;
      }
      case 'task':
        this.#writer.ask(followUp.task, { attemptId: followUp.of.id });
        return;
      case 'correction':
        this.#correct(attempt, followUp.charged, found, outbound);
        return;
      case 'undone_other':
        this.#undoOther(attempt, followUp, outbound);
        return;
      case 'other_card':
        this.#noteOtherCard(attempt, followUp);
        return;
      case 'withdraw_void':
        terminals.withdrawVoid(attempt.deviceId);
        log.error(factsOf(attempt), 'void withdrawn from this device: it undid something else');
        return;
      case 'set_aside':
        terminals.setAside(attempt.deviceId, followUp.why);
        this.#writer.ask(
          'terminal_not_believed',
          { deviceId: attempt.deviceId },
          setAsideWords(attempt.deviceId, followUp.why),
        );
        return;
      case 'release_reports':
        store.releaseReports(followUp.of.id);
        return;
      case 'answered':
        this.#finish(attempt, followUp.task);
    }
  }

  /** The journal entry of the refund and the words of its task name both cards. */
  #noteOtherCard(refund: Attempt, { paidWith, givenTo }: { paidWith: string; givenTo: string }): void {
    const { store, clock, log } = this.#deps;
    const { id, state } = refund;
    const details = { discrepancy: 'other_card', paid_with: paidWith, given_to: givenTo };
    const event = 'refund_to_other_card';
    store.appendJournal({ attemptId: id, at: clock.now(), event, from: state.name, to: state.name, details });
    log.error(
      { ...factsOf(refund), code: 'DISCREPANCY' },
      'a refund went to another card than its sale paid with',
    );
    this.#writer.ask(
      event,
      { attemptId: id },
      `The sale was paid with ${paidWith}; this went to ${givenTo}.`,
    );
  }

  #finish({ id, evidence }: Attempt, kind: TaskKind): void {
    const { store, clock } = this.#deps;
    const by = evidence?.kind === 'person' ? evidence.by : 'tilld';
    for (const task of store.openTasksOf(id).filter((one) => one.kind === kind))
      store.finishTask(task.id, { by, note: 'The outcome is known.', at: clock.now() });
  }

  /** Records what the newest evidence says of an attempt that had ended or was corrected otherwise: reported, never sent to a terminal. */
  #correct(attempt: Attempt, charged: boolean, found: Change, outbound: OutboundEvents): void {
    const { store, ids, clock, log } = this.#deps;
    log.error({ ...factsOf(attempt), charged, code: 'DISCREPANCY' }, 'evidence contradicts the books');
    const correction = correctionOf(
      attempt,
      charged,
      store.correctionOf(attempt.id),
      ids.uuid(),
      clock.now(),
    );
    const created = this.#writer.create(correction, { facts: { corrects: attempt.id, charged } }, outbound);
    const { report = null, receipts = {}, evidence = null } = found;
    const { baseline } = attempt;
    this.#writer.step(created, { type: 'recorded' }, { report, receipts, evidence, baseline }, outbound);
    this.#writer.ask('correction', { attemptId: created.id });
  }

  /** The sale that a void reversed by mistake was given back: a refund of it would give it back twice. */
  #undoOther(
    undo: Attempt,
    { trace, report }: { trace: string; report: TransactionReport },
    outbound: OutboundEvents,
  ): void {
    const batch = undo.baseline?.batch;
    if (batch === undefined) return;
    const sale = this.#deps.store
      .succeededIn(undo.deviceId, { batch })
      .find((one) => one.type !== 'void' && one.report?.trace === trace);
    if (!sale || !this.#writer.isCharged(sale)) return;
    const evidence = { kind: 'terminal_journal', row: 'approved_reversed', report } as const;
    const details = { by: undo.id, report };
    this.#writer.step(sale, { type: 'evidence', of: 'reversed' }, { evidence, details }, outbound);
  }
}
