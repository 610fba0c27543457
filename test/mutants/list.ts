import type { Plant } from './plant.ts';

/** A bug that somebody could plausibly write, and the rule that it breaks. */
export type Mutant = Plant & {
  /** The broken rule, in the words of the rules of money. */
  readonly rule: string;
  /** A named day in which it shows, or `sync`; the ordinary bad one when missing. */
  readonly scenario?: string;
};

/** The condition of a report that may go, as it is in `outbox-statements.ts`. */
const MAY_GO = `\`state = 'pending'
  AND NOT EXISTS (SELECT 1 FROM outbox AS older WHERE older.attempt_id = row.attempt_id AND older.seq < row.seq AND older.state <> 'done' AND older.dropped_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM outbox AS older JOIN attempts ON older.attempt_id = attempts.parent_id
    WHERE attempts.id = row.attempt_id AND older.state <> 'done' AND older.dropped_at IS NULL)\``;

/** In the order of a payment's life: entry, dispatch, dialogue, recovery, giving back, work from the service, reports. */
export const MUTANTS: readonly Mutant[] = [
  // One sale, one charge
  {
    name: 'guard-blind-to-walk-ins',
    rule: 'neither invoice nor reference: same amount and caller open or waiting on that terminal, or succeeded within 30 s',
    file: 'src/payment/guards/duplicate-sale.ts',
    in: 'concerns',
    find: 'return invoiceId === null && reference === null && isDoubleClick(other, candidate, now);',
    replace: 'return false;',
  },
  {
    name: 'guard-blind-to-references',
    rule: 'same reference: refused while open or in doubt, else the same amount within 12 h',
    file: 'src/payment/guards/duplicate-sale.ts',
    in: 'concerns',
    find: 'if (reference !== null && other.reference === reference) return isSameSale(other, candidate, now);',
    replace: '',
  },
  {
    name: 'guard-forgets-after-30-s',
    rule: 'same reference: the same amount within 12 h',
    file: 'src/payment/guards/duplicate-sale.ts',
    in: 'isSameSale',
    find: 'REFERENCE_MS',
    replace: 'DOUBLE_CLICK_MS',
  },
  {
    name: 'guard-blind-to-what-is-open',
    rule: 'what stands = open, in doubt, succeeded or under discrepancy',
    file: 'src/payment/guards/duplicate-sale.ts',
    in: 'stands',
    body: 'return mayHaveMoved(other.state) && netOf(other) > 0;',
  },
  {
    name: 'key-not-stored',
    rule: 'Idempotency-Key: same request, the original answer, across restarts',
    file: 'src/payment/payment-writer.ts',
    in: 'PaymentWriter.#create',
    find: 'if (key) this.#storeAnswer(attempt, key, this.view(attempt));',
    replace: '',
  },
  {
    name: 'refusal-frozen-under-its-key',
    rule: 'a refusal that wrote nothing frees its key',
    file: 'src/api/plugins/idempotency.ts',
    in: 'Idempotency.alone',
    body: `
      const own = runningKeyOf(request);
      const running: unknown = this.#running.get(own);
      if (running instanceof Error) throw running;
      this.#running.set(own, request.requestId);
      try {
        const reply = await work();
        this.#running.delete(own);
        return reply;
      } catch (error) {
        this.#running.set(own, error);
        throw error;
      }`,
  },

  // Dispatch
  {
    name: 'sent-before-dispatched-is-on-disk',
    rule: 'no byte of a money command before its dispatched row is on disk',
    file: 'src/payment/dispatch/dispatcher.ts',
    in: 'Dispatcher.attend',
    find: "const dispatched = writer.apply(attempt.id, { type: 'dispatch' }, { baseline, ticket });",
    replace:
      "const dispatched = { ...attempt, ticket }; void Promise.resolve().then(() => writer.apply(attempt.id, { type: 'dispatch' }, { baseline, ticket })).catch(() => undefined);",
  },
  {
    name: 'baseline-not-stored',
    rule: 'dispatched: mark in the same transaction',
    file: 'src/payment/dispatch/dispatcher.ts',
    in: 'Dispatcher.attend',
    find: '{ baseline, ticket }',
    replace: '{ ticket }',
  },
  {
    name: 'doubt-does-not-block',
    rule: 'an in-doubt attempt blocks money on its terminal until the terminal is proved idle and read',
    file: 'src/payment/dispatch/queue-worker.ts',
    in: 'isBlocking',
    body: 'return false;',
  },
  {
    name: 'waiting-request-runs-after-a-doubt',
    rule: 'requested, an attempt before it fell in doubt: cancelled, terminal_recovering',
    file: 'src/payment/dispatch/queue-worker.ts',
    in: 'QueueWorker.#next',
    find: 'this.#queue.expireAll(RECOVERING);',
    replace: '',
  },
  {
    name: 'restart-keeps-requested',
    rule: 'at start every local requested is cancelled (expired)',
    file: 'src/payment/dispatch/terminal-queues.ts',
    in: 'TerminalQueues.#takeOver',
    find: "const message = 'tilld was restarted before it reached the terminal.';",
    replace: 'return; $&',
  },
  {
    name: 'restart-says-not-started',
    rule: 'dispatched, accepted, cancelling, restart: in doubt, never anything else',
    file: 'src/payment/dispatch/terminal-queues.ts',
    in: 'TerminalQueues.#takeOver',
    find: "{ type: 'lost' }",
    replace: "{ type: 'not_started' }",
  },
  {
    name: 'two-dialogues-on-one-link',
    rule: 'one money command at a time, ever; one task talks to the terminal at a time',
    file: 'src/terminal/supervisor.ts',
    in: 'TerminalSupervisor.use',
    find: 'this.#queue.run',
    replace: '(task: () => Promise<T>) => task()',
  },
  {
    name: 'wrong-terminal-is-taken',
    rule: 'requested → dispatched: the right terminal',
    file: 'src/terminal/connect-terminal.ts',
    in: 'check',
    find: 'if (known !== null && !isSameTerminal(known, identity)) throw stranger(device, known, identity);',
    replace: '',
  },
  {
    name: 'two-queues-one-terminal',
    rule: 'the one queue in front of one terminal',
    file: 'src/terminal/terminal-registry.ts',
    in: 'TerminalRegistry.take',
    find: 'other !== undefined',
    replace: 'false',
  },
  {
    name: 'silence-repeats-the-money-frame',
    rule: 'silence after a money frame is never answered with the frame',
    file: 'drivers/terminals/zvt/serial-channel.ts',
    in: 'SerialChannel.sendMoney',
    find: "(await this.#sign(signal)) !== 'nak'",
    replace: "!['nak', 'silence'].includes(await this.#sign(signal))",
  },

  // The dialogue
  {
    name: 'acknowledged-before-the-commit',
    rule: "the terminal's approval is committed before it is acknowledged",
    file: 'src/payment/dispatch/dialogue.ts',
    in: 'Dialogue.beforeAcknowledge',
    find: 'return this.#commit(end === undefined ? [reported] : [reported, this.#endedBy(end)]);',
    replace:
      'void Promise.resolve().then(() => this.#commit(end === undefined ? [reported] : [reported, this.#endedBy(end)])).catch(() => undefined); return true;',
  },
  {
    name: 'failed-commit-is-acknowledged',
    rule: 'if that commit fails we do not acknowledge, do not answer, and exit',
    file: 'src/payment/dispatch/dialogue.ts',
    in: 'Dialogue.#commit',
    find: 'fatal(error); return false;',
    replace: 'fatal(error); return true;',
  },
  {
    name: 'answered-before-the-core-hears',
    rule: "the terminal's approval is committed before it is acknowledged",
    file: 'drivers/terminals/zvt/dialogue.ts',
    in: 'Dialogue.#follow',
    find: 'const { answering, newStepMs } = this.#timed(() => this.#notify(control, data, listener));',
    replace: `
      await this.#answer(this.#answerTo(control), signal);
      $&
      if (answering !== 'never') {
        stepMs = newStepMs ?? stepMs;
        continue;
      }`,
  },
  {
    name: 'approval-is-answered-too-late',
    rule: "approved, acknowledgement later than the protocol's limit: in doubt",
    file: 'drivers/terminals/zvt/dialogue.ts',
    in: 'Dialogue.#follow',
    find: "answering === 'in_time' && this.#clock.monotonic() - came > this.#limits.answerMs",
    replace: 'false',
  },
  {
    name: 'late-result-is-acknowledged',
    rule: 'what is not on disk is not acknowledged, whatever dialogue it comes into',
    file: 'drivers/terminals/zvt/dialogue.ts',
    in: 'Dialogue.#acceptance',
    find: "if (control !== '040F') await this.#answer(this.#answerTo(control), signal);",
    replace: 'await this.#answer(this.#answerTo(control), signal);',
  },
  {
    name: 'paid-at-the-first-result',
    rule: 'approved: nobody is told "paid" before the terminal shows that it took our acknowledgement',
    file: 'src/payment/attempt/state-machine.ts',
    in: 'fromRunning',
    find: "case 'cancel': return cancelRunning(state);",
    replace: "$& case 'reported': if (event.verdict === 'approved') return finish({ name: 'succeeded' });",
  },
  {
    name: 'approval-and-lost-link-is-paid',
    rule: 'approved, link loss or restart: in doubt; the terminal may reverse by itself, or keep it',
    file: 'src/payment/attempt/state-machine.ts',
    in: 'fromApproved',
    find: "case 'not_started': return doubt(true);",
    replace: "case 'not_started': return finish({ name: 'succeeded' });",
  },
  {
    name: 'first-refusal-is-final',
    rule: 'a later result of the same dialogue replaces it (PIN retry, chip after contactless)',
    file: 'src/payment/attempt/state-machine.ts',
    in: 'fromRunning',
    find: 'note(state, event.verdict)',
    replace: "event.verdict === 'refused' ? finish({ name: 'declined' }) : note(state, event.verdict)",
  },
  {
    name: 'silence-is-a-decline',
    rule: 'silence, time-out, link loss, driver error, restart: in doubt, never anything else',
    file: 'src/payment/attempt/state-machine.ts',
    in: 'fromRunning',
    find: "case 'lost': return doubt(false);",
    replace: "case 'lost': return finish({ name: 'declined' });",
  },
  {
    name: 'lost-link-is-not-started',
    rule: 'error, not_started: no byte of the money frame was handed to the system, or an explicit refusal',
    file: 'drivers/terminals/zvt/one-shot.ts',
    in: 'OneShot.neverTaken',
    find: 'error instanceof AppError && NEVER_TAKEN.has(error.code)',
    replace: 'true',
  },
  {
    name: 'cancel-is-believed-at-once',
    rule: 'cancel is a request with its own outcome: in_progress, the terminal decides',
    file: 'src/payment/attempt/state-machine.ts',
    in: 'cancelRunning',
    find: "if (state.name === 'cancelling') return NOTHING;",
    replace: "if (state.name !== 'dispatched') return finish({ name: 'cancelled' });",
  },
  {
    name: 'cancel-after-approval-is-believed',
    rule: 'late approval: the cancel came too late, the customer has paid',
    file: 'src/payment/attempt/state-machine.ts',
    in: 'fromApproved',
    find: "case 'cancel': return { kind: 'unchanged', effects: [{ kind: 'note_cancel' }] };",
    replace: "case 'cancel': return finish({ name: 'cancelled' }); $&",
  },
  {
    name: 'soft-code-is-a-decline',
    rule: "a code that is not on the driver's list of explicit refusals is in doubt",
    file: 'drivers/terminals/zvt/result-codes.ts',
    in: 'verdictOf',
    find: "EXPLICIT_REFUSALS.has(code) || ALSO_REFUSED[asked].has(code) ? 'refused' : 'unclear'",
    replace: "'refused'",
  },
  {
    name: 'less-than-asked-is-paid',
    rule: 'less than asked is never shown as paid',
    file: 'src/payment/attempt/amounts.ts',
    in: 'amountCheck',
    find: 'report.amountMinor === explained',
    replace: 'report.amountMinor <= explained',
  },

  // Recovery
  {
    name: 'verdict-before-the-settle-time',
    rule: '"not charged" by nobody, machine or person, before the settle time',
    file: 'src/payment/recovery/recovery.ts',
    in: 'Recovery.#look',
    find: "judgement.kind !== 'person' && (settled || isFinalAtOnce(attempt, judgement))",
    replace: "judgement.kind !== 'person'",
  },
  {
    name: 'settle-time-of-a-busy-terminal',
    rule: 'wait for idle; earliest "not charged": 20 s of idle in a row',
    file: 'src/payment/recovery/recovery.ts',
    in: 'Watch.heard',
    find: 'this.#idleSince = ready ? (this.#idleSince ?? now) : null',
    replace: 'this.#idleSince ??= now - 60_000',
  },
  {
    name: 'person-says-no-too-early',
    rule: '"not charged" by nobody, machine or person, before the settle time',
    file: 'src/payment/recovery/person-decision.ts',
    in: 'checkNotTooEarly',
    find: 'attempt.settledAt === null || isCorrection',
    replace: 'false',
  },
  {
    name: 'doubt-released-at-once',
    rule: 'the terminal sells on once it is proved idle after the settle time and read',
    file: 'src/payment/recovery/recovery.ts',
    in: 'Recovery.#look',
    find: '(settled || givesUp) && this.#release(attempt, judgement, seen.last, settled)',
    replace: 'this.#release(attempt, judgement, seen.last, true)',
  },
  {
    name: 'greater-number-is-ours',
    rule: "exactly the next number by this device's own counting",
    file: 'src/payment/recovery/same-transaction.ts',
    in: 'isNext',
    find: 'number === following(earlier)',
    replace: 'number > Number(earlier ?? Number.NaN)',
  },
  {
    name: 'recovery-without-a-window',
    rule: 'terminal clock inside the window',
    file: 'src/payment/recovery/decision-table.ts',
    in: 'judgeLast',
    find: 'isNext(baseline, report) && isInWindow(attempt, baseline, report)',
    replace: 'isNext(baseline, report)',
    scenario: 'hands',
  },
  {
    name: 'recovery-takes-any-amount',
    rule: 'same kind, amount equal',
    file: 'src/payment/recovery/same-transaction.ts',
    in: 'isAmount',
    body: 'return true;',
  },
  {
    name: 'anything-stored-is-ours',
    rule: 'anything else: somebody else used the terminal, adopted by nobody',
    file: 'src/payment/recovery/decision-table.ts',
    in: 'judgeLast',
    find: 'if (isNext(baseline, report) && isInWindow(attempt, baseline, report)) return judgeNext(attempt, report);',
    replace: 'return judgeNext(attempt, report);',
  },
  {
    name: 'baseline-compared-by-amount',
    rule: 'equal to the mark in every field: nothing stored since',
    file: 'src/payment/recovery/same-transaction.ts',
    in: 'isSame',
    find: 'BASELINE_FIELDS.every((field) => baseline.report[field] === report[field])',
    replace: 'baseline.report.amountMinor === report.amountMinor',
  },
  {
    name: 'reversed-approval-is-kept',
    rule: 'an attempt that was approved: reversed or absent after the settle time → error, reversed_by_terminal',
    file: 'src/payment/recovery/decision-table.ts',
    in: 'judgeApproved',
    find: "{ kind: 'proved', of: 'reversed', row: 'approved_reversed', report }",
    replace: "{ kind: 'proved', of: 'charged', row: 'approved_kept', report }",
  },

  // Giving back
  {
    name: 'void-not-counted-in-refunds',
    rule: 'what can be given back = approved amount − everything given back by refunds *and voids*',
    file: 'src/payment/refunds/refundable.ts',
    in: 'checkRefund',
    find: 'child.id !== asked.self && stands(child)',
    replace: "child.type === 'refund' && child.id !== asked.self && stands(child)",
  },
  {
    name: 'open-refund-not-counted',
    rule: 'what can be given back: refunds and voids that succeeded, are open, in doubt or under discrepancy',
    file: 'src/payment/refunds/refundable.ts',
    in: 'stands',
    body: 'return mayHaveMoved(child.state);',
  },
  {
    name: 'same-refund-twice',
    rule: 'refund: same parent and amount open, in doubt or within 60 s',
    file: 'src/payment/refunds/refundable.ts',
    in: 'checkRefund',
    find: 'if (isFresh && asked.after !== twin.id && asked.self === null) throw blocked(twin, AGAIN);',
    replace: '',
  },
  {
    name: 'void-of-a-touched-sale',
    rule: 'a void needs it untouched',
    file: 'src/payment/refunds/refundable.ts',
    in: 'checkVoid',
    find: "if (touched) throw voidNotPossible(parent, 'some or all of it was given back already');",
    replace: '',
  },
  {
    name: 'void-by-number-after-a-reset',
    rule: 'a void is refused unless the original is proved to be in the open batch',
    file: 'src/payment/refunds/refunds-and-voids.ts',
    in: 'RefundsAndVoids.#proveInOpenBatch',
    find: 'parent.baseline?.batch !== batch',
    replace: 'false',
    also: [
      {
        in: 'RefundsAndVoids.#proveInOpenBatch',
        find: "if (twin) throw voidNotPossible(parent, 'the terminal has given its receipt number twice');",
        replace: '',
      },
    ],
  },
  {
    name: 'not-listed-is-not-charged',
    rule: '"not found" needs an older sale of this batch as witness',
    file: 'src/payment/recovery/by-reference.ts',
    in: 'judgeAbsent',
    find: "last?.kind === 'found' && others.some((report) => isSame(last, report))",
    replace: 'true',
    scenario: 'transbank',
  },
  {
    name: 'last-result-without-its-sums',
    rule: 'ECR17: G byte-identical to the mark and T unchanged',
    file: 'src/payment/recovery/recovery.ts',
    in: 'Recovery.#read',
    find: "session.capabilities.recover === 'last_only'",
    replace: 'false',
    scenario: 'ecr17',
  },
  {
    name: 'idle-although-its-customer-pays',
    rule: 'ECR17, Transbank, Concert: nobody says "not charged" before dispatch + 180 s',
    file: 'src/payment/recovery/recovery.ts',
    in: 'Recovery.#look',
    find: 'watch.isSettled(now, idleMs) && now - watch.startedAt >= sinceMs',
    replace: 'watch.isSettled(now, idleMs)',
    scenario: 'ecr17',
  },
  {
    name: 'void-after-use-by-hand',
    rule: 'a void is refused unless the original is proved to be in the open batch',
    file: 'src/payment/refunds/refunds-and-voids.ts',
    in: 'RefundsAndVoids.admit',
    find: "at.continuity.kind !== 'unbroken'",
    replace: 'false',
    scenario: 'hands',
  },
  {
    name: 'end-of-day-while-in-doubt',
    rule: 'end of day is refused while anything is in doubt on that terminal',
    file: 'src/payment/dispatch/terminal-state.ts',
    in: 'TerminalState.doubt',
    body: 'return null;',
  },
  {
    name: 'auto-void-when-learned-late',
    rule: 'late approval: void only if the cancel was known before the approval and the approval is under 60 s old',
    file: 'src/payment/follow-up.ts',
    in: 'ofSale',
    find: "heard && knownBefore && undoable && policy.lateApproval === 'void'",
    replace: "undoable && policy.lateApproval === 'void'",
  },
  {
    name: 'discrepancy-is-dropped',
    rule: 'correction: what was charged is in the books exactly once',
    file: 'src/payment/follow-up.ts',
    in: 'followUps',
    find: "effect.kind === 'discrepancy' ? contradictionOf(after, effect.what) : []",
    replace: '[]',
    scenario: 'hands',
  },

  // Work from the service
  {
    name: 'run-without-a-claim',
    rule: 'no claim, no dispatch',
    file: 'src/service/claims.ts',
    in: 'Claims.#claim',
    find: "await client.claim(id, this.#options.claimant, ids.nameBased(id, 'claim'), signal)",
    replace:
      "{ answer: { kind: 'applied', value: { ...work.payment, status: 'in_progress' } } as const, dateMs: null, used: [client, ids, signal] }",
    scenario: 'service',
  },
  {
    name: 'claim-of-another-is-taken',
    rule: "409, or 422 mismatch: another agent's, never touched",
    file: 'src/service/claims.ts',
    in: 'Claims.#claim',
    find: "case 'key_mismatch': return this.#others(id, answer.refusal.code);",
    replace:
      "case 'key_mismatch': this.#handOver(work, { ...work.payment, status: 'in_progress' }, claimed.dateMs); return true;",
    scenario: 'service',
    also: [
      {
        in: 'Claims.#claim',
        find: 'if (answer.refusal.status === 409) return this.#others(id, answer.refusal.code);',
        replace:
          "if (answer.refusal.status === 409) { this.#handOver(work, { ...work.payment, status: 'in_progress' }, claimed.dateMs); return true; }",
      },
    ],
  },
  {
    name: 'echo-is-run-as-work',
    rule: 'work whose metadata, id or alias names one of our attempts in any state is never run',
    file: 'src/payment/guards/own-payment.ts',
    in: 'attemptNamedIn',
    find: "typeof tilld.attempt === 'string' ? canonicalId(tilld.attempt) : null",
    replace: 'null',
    scenario: 'service',
  },
  {
    name: 'stale-work-is-run',
    rule: 'a stale request never reaches a terminal',
    file: 'src/service/claims.ts',
    in: 'Claims.#requestOf',
    find: 'Math.max(0, now - shown.createdAt)',
    replace: '0',
    scenario: 'service',
  },

  // Reports
  {
    name: 'report-after-the-state',
    rule: 'state, journal entry, event and outbox entry are one transaction',
    file: 'src/payment/payment-writer.ts',
    in: 'PaymentWriter.#step',
    find: "enqueueReport('result', next, this.#deps)",
    replace: 'void Promise.resolve().then(() => $&).catch(() => undefined)',
    scenario: 'service',
  },
  {
    name: 'new-key-for-every-try',
    rule: 'the key is fixed with the row',
    file: 'src/outbox/deliverer.ts',
    in: 'Deliverer.#request',
    find: 'port.create(body, key, signal, trace)',
    replace: 'port.create(body, key.slice(0, -2) + (10 + (row.tries % 90)), signal, trace)',
    scenario: 'service',
  },
  {
    name: 'alias-not-kept',
    rule: "the service's id, if different, is stored as alias in the transaction that takes the answer",
    file: 'src/store/outbox/sqlite-outbox-store.ts',
    in: 'SqliteOutboxStore.#doneAs',
    find: 'if (serviceId !== attemptId) this.#database.run(BIND_ALIAS, serviceId, attemptId);',
    replace: '',
    scenario: 'service',
  },
  {
    name: 'result-before-its-create',
    rule: 'a row waits for earlier rows of its attempt',
    file: 'src/store/outbox/outbox-statements.ts',
    in: 'MAY_GO',
    find: MAY_GO,
    replace: MAY_GO.replace(
      "older.attempt_id = row.attempt_id AND older.seq < row.seq AND older.state <> 'done' AND older.dropped_at IS NULL",
      'false',
    ),
    scenario: 'service',
  },
  {
    name: 'child-reported-before-its-parent',
    rule: 'a row waits for earlier rows of its parent',
    file: 'src/store/outbox/outbox-statements.ts',
    in: 'MAY_GO',
    find: MAY_GO,
    replace: MAY_GO.replace(
      "attempts.id = row.attempt_id AND older.state <> 'done' AND older.dropped_at IS NULL",
      'false',
    ),
    scenario: 'service',
  },
  {
    name: 'old-key-sent-again-without-a-look',
    rule: 'a row whose key was first used over 23 h ago is looked up first',
    file: 'src/outbox/delivery-rules.ts',
    in: 'firstStep',
    find: "if (ageMs > KEY_TRUST_MS || ageMs < -CLOCK_SLACK_MS) return { do: 'look_up' };",
    replace: '',
    scenario: 'month-offline',
  },
  {
    name: 'not-found-is-created-again',
    rule: '404 and no resource known to exist is visible: stop, alarm, keep everything',
    file: 'src/outbox/delivery-rules.ts',
    in: 'stepAfterLookUp',
    find: "{ do: 'halt', error: 'not_visible: the key shows neither this payment nor a device of ours' }",
    replace: "{ do: 'send' }",
    scenario: 'service',
  },
];
