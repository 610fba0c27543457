import type { Change } from '../../mutants/plant.ts';

type ChangeOfFile = Change & { readonly file: string };

/** A rule of money that is taken out of the product, and the reproduction that must turn red. */
export type Bug = ChangeOfFile & {
  /** The promise that it breaks. */
  readonly promise: string;
  /** The number of the test in test/reproductions. */
  readonly reproduction: string;
  /** Where other rules hold the same promise: it is broken only where all of them are. */
  readonly also?: readonly ChangeOfFile[];
};

export const BUGS: readonly Bug[] = [
  {
    promise: 'Evidence belongs to the terminal that got the command',
    reproduction: '01',
    file: 'src/payment/recovery/same-terminal.ts',
    in: 'wentTo',
    body: 'return attempt.deviceId === deviceId;',
    also: [
      {
        file: 'src/payment/dispatch/queue-worker.ts',
        in: 'QueueWorker.#leaveToPerson',
        body: 'return;',
      },
      { file: 'src/payment/recovery/decision-table.ts', in: 'isSameBatch', body: 'return true;' },
    ],
  },
  {
    promise: '"Not charged" has one floor, whoever asks the terminal',
    reproduction: '02',
    file: 'src/payment/recovery/settle-time.ts',
    in: 'quietTimeOf',
    body: 'return idleMs;',
  },
  {
    promise: 'A terminal that closes its day by itself makes the batch empty, not the sale reversed',
    reproduction: '03',
    file: 'src/payment/recovery/decision-table.ts',
    in: 'isSameBatch',
    body: 'return true;',
  },
  {
    promise: 'Time for guards is elapsed time, not the wall clock',
    reproduction: '04',
    file: 'src/payment/attempt/elapsed-time.ts',
    in: 'ElapsedTime.now',
    body: 'return this.#clock.now();',
  },
  {
    promise: "An answer counts only when it is the service's",
    reproduction: '05',
    file: 'src/service/answer.ts',
    in: 'answerOf',
    body: "const body = bodyOf(reply); if (reply.status < 300) return { kind: 'applied', value: (Reflect.get(Object(body), 'data') ?? body) as T }; return notAppliedOf(reply);",
  },
  {
    promise: 'One invoice, one charge: known as paid is refused',
    reproduction: '06',
    file: 'src/payment/invoice/one-invoice-one-charge.ts',
    in: 'guardInvoice',
    body: 'return;',
  },
  {
    promise: 'A state folder knows when it is an older one',
    reproduction: '07',
    file: 'src/agent/state-identity.ts',
    in: 'kindBy',
    body: "return 'same';",
    also: [
      {
        file: 'src/payment/recovery/continuity-tracker.ts',
        in: 'ContinuityTracker.#askAboutDowntime',
        body: 'return;',
      },
      {
        file: 'src/payment/guards/payment-request-guard.ts',
        in: 'PaymentRequestGuard.unknownAttempt',
        body: 'return;',
      },
    ],
  },
  {
    promise: 'Two machines with one identity cannot both claim one work item',
    reproduction: '08',
    file: 'src/payment/recovery/database-identity.ts',
    in: 'compareIdentity',
    body: "return { kind: 'same' };",
  },
  {
    promise: 'After a restore refunds of the service are work like any other',
    reproduction: '09',
    file: 'src/payment/refunds/refunds-and-voids.ts',
    in: 'RefundsAndVoids.#requireComparedDatabase',
    body: 'return;',
  },
  {
    promise: 'The settle time is never less than the time that the customer has',
    reproduction: '10',
    file: 'src/driver-kit/goes-on.ts',
    in: 'goesOnFor',
    body: 'return declared.goesOnMs;',
  },
  {
    promise: 'A doubt that was released can be answered, at any later time',
    reproduction: '11',
    file: 'src/payment/recovery/continuity-tracker.ts',
    in: 'ContinuityTracker.#noteSettled',
    body: 'return;',
  },
  {
    promise: 'An invoice is compared in canonical form',
    reproduction: '12',
    file: 'src/base/ids.ts',
    in: 'canonicalId',
    body: 'return id;',
  },
  {
    promise: 'Counters that end have a way on',
    reproduction: '13',
    file: 'src/payment/attempt/ticket.ts',
    in: 'nextTicket',
    body: "const next = numberOf(last ?? 'A00000') + 1; const ticket = textOf(next); const past = isTaken('ZZZZZY') ? textOf(MOST - 1) : ticket; invariant(!isTaken(past) && now > 0, 'there is a ticket left', { next }); return past;",
  },
  {
    promise: 'An empty day proves nothing of a charge that was not heard',
    reproduction: '14',
    file: 'src/payment/recovery/decision-table.ts',
    in: 'isSameBatch',
    body: 'return before?.count === now?.count;',
  },
];
