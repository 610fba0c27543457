import { AppError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import { taskDoneCommand } from '../../base/next-step.ts';
import type { Devices, DeviceView } from '../../terminal/device.ts';
import { isSameTerminal } from '../../terminal/identity.ts';
import type { LastTransaction, TerminalIdentity } from '../../terminal/ports.ts';
import { approvedMinor } from '../attempt/amounts.ts';
import type { Attempt, Origin } from '../attempt/attempt.ts';
import { type NewAttempt, originalOf } from '../attempt/create-attempt.ts';
import type { ElapsedTime } from '../attempt/elapsed-time.ts';
import { paymentDetails } from '../attempt/error-details.ts';
import { newestEvidence } from '../attempt/newest-evidence.ts';
import { checkCapability, checkTerminal, type QueueLimits } from '../guards/preconditions.ts';
import type { ServiceRequest } from '../guards/service-work.ts';
import type { RefundRequest } from '../payments.ts';
import type { IdentityStore, PaymentStore } from '../ports.ts';
import type { Continuity } from '../recovery/continuity.ts';
import { type DatabaseAge, requireRefundOfKnownSale } from '../recovery/restored-database.ts';
import { isThatOne } from '../recovery/same-transaction.ts';
import { checkRefund, checkVoid, voidNotPossible } from './refundable.ts';
import { childrenOfCharge } from './standing-sale.ts';
import { withoutCorrected } from './written-off.ts';

export interface RefundsAndVoidsDeps {
  readonly store: PaymentStore;
  readonly devices: Devices;
  readonly identities: Pick<IdentityStore, 'factsOf'>;
  readonly ids: Ids;
  readonly databaseAge: DatabaseAge;
  /** The terminal of this device was read and shown since the database was restored. */
  readonly hasLooked: (deviceId: string) => boolean;
  readonly limits: QueueLimits;
  readonly elapsed: ElapsedTime;
}

/** The origin and the times of a new attempt. */
interface Occasion {
  readonly origin: Origin;
  readonly now: number;
  readonly expiresAt: number;
}

/** What the terminal shows just before a refund or a void would be sent to it. */
export interface AtTerminal {
  readonly terminal: TerminalIdentity;
  readonly last: LastTransaction;
  readonly continuity: Continuity;
  readonly void: 'any' | 'last' | 'none';
}

/**
 * Refunds and voids: what may be given back, checked at the request and again before the command is sent.
 *
 * INVARIANTS:
 * - never more than the approved amount less everything that went back or may still do so;
 * - a void is of a sale that is proved to be in the open batch of the very terminal.
 */
export class RefundsAndVoids {
  readonly #deps: RefundsAndVoidsDeps;

  constructor(deps: RefundsAndVoidsDeps) {
    this.#deps = deps;
  }

  /**
   * Prepares a refund or a void; it runs on the device of its sale.
   * @throws PAYMENT_UNKNOWN, DEVICE_UNKNOWN, CURRENCY_NOT_ACCEPTED, MEMORY_LOST, OPERATION_NOT_SUPPORTED, what `checkRefund`, `checkVoid` and
   * `checkTerminal` throw
   */
  prepare(
    asked: Pick<RefundRequest, 'parentId' | 'amountMinor' | 'after' | 'trace'> & {
      readonly type: 'refund' | 'void';
    },
    { origin, now, expiresAt }: Occasion,
  ): NewAttempt {
    const { store, devices, ids, limits, elapsed } = this.#deps;
    const parent = this.#parent(asked.parentId);
    const view = devices.get(parent.deviceId);
    if (!view) {
      const message = 'The device of this payment is not configured any more. Nothing was given back.';
      throw new AppError('DEVICE_UNKNOWN', message, { context: { param: 'id' } });
    }
    const children = withoutCorrected(childrenOfCharge(parent, store), store);
    const giveBack = { ...asked, parent, children, now: elapsed.now(), self: null };
    if (parent.amount.currency !== view.device.currency) {
      throw new AppError('CURRENCY_NOT_ACCEPTED', `${view.device.name} takes ${view.device.currency} only`, {
        context: { details: { payment_id: parent.id, accepted: view.device.currency } },
      });
    }
    this.#requireComparedDatabase(parent);
    this.#checkMismatch(parent);
    const minor = asked.type === 'refund' ? checkRefund(giveBack) : checkVoid(giveBack);
    checkCapability(view, asked.type);
    if (asked.type === 'void') {
      this.#proveInOpenBatch(parent, parent.deviceId);
      this.#proveNoDoubt(parent, view.capabilities.void);
    }
    checkTerminal(view, limits);
    return {
      id: ids.uuid(),
      type: asked.type,
      parentId: parent.id,
      corrects: null,
      cause: null,
      original: asked.type === 'void' ? originalOf(parent) : null,
      deviceId: parent.deviceId,
      amount: { ...parent.amount, minor },
      invoiceId: parent.invoiceId,
      reference: parent.reference,
      metadata: {},
      origin,
      trace: asked.trace ?? null,
      after: asked.after,
      createdAt: now,
      expiresAt,
    };
  }

  /**
   * The parent of claimed work of the service; a sale has none. A void is of what was approved: the service knows what was asked for, without a
   * tip, and a void of it says no amount.
   */
  familyOf({ type, parentId, amount }: ServiceRequest): Pick<NewAttempt, 'parentId' | 'original' | 'amount'> {
    const parent =
      type === 'sale' || parentId === null ? null : this.#deps.store.attemptOfServiceId(parentId);
    if (!parent) return { parentId: null, original: null, amount };
    if (type !== 'void') return { parentId: parent.id, original: null, amount };
    const isWhole = amount.minor === parent.amount.minor && amount.currency === parent.amount.currency;
    return {
      parentId: parent.id,
      original: originalOf(parent),
      amount: isWhole ? { ...amount, minor: approvedMinor(parent) } : amount,
    };
  }

  /** The same checks for work of the service. @throws as `prepare` does, PARENT_UNKNOWN when the sale is not known here. */
  check(created: NewAttempt, view: DeviceView): void {
    const { store, elapsed } = this.#deps;
    const parent = created.parentId === null ? null : store.findAttempt(created.parentId);
    if (!parent) throw new AppError('PARENT_UNKNOWN', 'The sale that it belongs to is not known here.');
    if (created.amount.currency !== parent.amount.currency)
      throw new AppError(
        'CURRENCY_NOT_ACCEPTED',
        `The sale was in ${parent.amount.currency}. Nothing was given back.`,
        {
          context: { details: { payment_id: parent.id, accepted: parent.amount.currency } },
        },
      );
    this.#requireComparedDatabase(parent);
    this.#checkMismatch(parent);
    const giveBack = {
      parent,
      children: withoutCorrected(childrenOfCharge(parent, store), store),
      amountMinor: created.amount.minor,
      after: null,
      now: elapsed.now(),
      self: null,
    };
    if (created.type === 'refund') {
      checkRefund(giveBack);
      checkCapability(view, 'refund');
      return;
    }
    checkVoid(giveBack);
    checkCapability(view, 'void');
    if (created.amount.minor !== approvedMinor(parent))
      throw voidNotPossible(parent, 'a void takes back the whole amount');
    this.#proveInOpenBatch(parent, view.device.id);
    this.#proveNoDoubt(parent, view.capabilities.void);
  }

  /**
   * The last check, with the terminal in hand and its last transaction just read. No other write can happen between this and the commit of
   * `dispatched`.
   * @throws as `prepare` does
   */
  admit(attempt: Attempt, at: AtTerminal): void {
    if (attempt.type === 'sale' || attempt.parentId === null) return;
    const { store, elapsed } = this.#deps;
    const parent = this.#parent(attempt.parentId);
    this.#requireComparedDatabase(parent);
    this.#checkMismatch(parent);
    const giveBack = {
      parent,
      children: withoutCorrected(childrenOfCharge(parent, store), store),
      amountMinor: attempt.amount.minor,
      after: attempt.after,
      now: elapsed.now(),
      self: attempt.id,
    };
    if (attempt.type === 'refund') {
      checkRefund(giveBack);
      return;
    }
    checkVoid(giveBack);
    this.#proveInOpenBatch(parent, attempt.deviceId);
    if (at.continuity.kind !== 'unbroken')
      throw voidNotPossible(parent, 'the terminal was used or closed without us since');
    if (!parent.baseline || !isSameTerminal(parent.baseline.terminal, at.terminal))
      throw voidNotPossible(parent, 'it was paid on another terminal');
    if (at.void === 'none') throw voidNotPossible(parent, 'this terminal cannot undo');
    this.#proveNoDoubt(parent, at.void);
    const isLast =
      at.last.kind === 'found' && parent.report !== null && isThatOne(parent.report, at.last.report);
    if (at.void === 'last' && !isLast)
      throw voidNotPossible(parent, 'this terminal can undo its last payment only, and this is an older one');
  }

  /** Only unbroken continuity proves that a sale is in the open batch. */
  #proveInOpenBatch(parent: Attempt, deviceId: string): void {
    const { batch } = this.#deps.identities.factsOf(deviceId);
    if (parent.deviceId !== deviceId) throw voidNotPossible(parent, 'it was paid on another terminal');
    if (parent.report?.number === undefined)
      throw voidNotPossible(parent, 'the terminal has not reported its receipt number');
    const twin = this.#deps.store
      .succeededIn(deviceId, { batch })
      .some((one) => one.id !== parent.id && one.report?.number === parent.report?.number);
    if (twin) throw voidNotPossible(parent, 'the terminal has given its receipt number twice');
    if (parent.baseline?.batch !== batch)
      throw voidNotPossible(parent, "it is not proved to be in the terminal's open day");
  }

  /** The sale may have been given back after the restored state, at the counter and for the service alike. @throws MEMORY_LOST */
  #requireComparedDatabase(sale: Attempt): void {
    const { databaseAge, hasLooked, store } = this.#deps;
    if (databaseAge.lost) requireRefundOfKnownSale(databaseAge, sale, hasLooked(sale.deviceId), store);
  }

  /** A void reversed something else: until a person has compared, it is unknown what is left of the two sales that it touched. */
  #checkMismatch(parent: Attempt): void {
    const { store } = this.#deps;
    const { correctsType, correctedBy } = newestEvidence(parent, store);
    // The charge that a refund's or a void's correction stands for has no refund below it.
    if (correctsType !== null && correctsType !== 'sale' && correctedBy !== null)
      throw new AppError(
        'PAYMENT_NOT_REFUNDABLE',
        'Nothing can be given back of this payment: newer evidence was recorded since.',
        {
          context: { details: paymentDetails(parent) },
        },
      );
    const misled = store
      .openTasksOfKind('void_mismatch')
      .flatMap(({ id, attemptId }) => {
        const undo = attemptId === null ? undefined : store.findAttempt(attemptId);
        return undo ? [{ taskId: id, undo }] : [];
      })
      .find(({ undo }) => undo.parentId === parent.id || isTraceOf(parent, undo));
    if (!misled) return;
    throw new AppError(
      'REFUND_BLOCKED',
      'A void on this terminal undid something else than it was to undo. Compare the receipts and finish that task first; nothing was given back now.',
      {
        context: {
          details: {
            payment_id: misled.undo.id,
            what_to_do: `compare the receipts, then: ${taskDoneCommand(misled.taskId)}`,
          },
        },
      },
    );
  }

  /** While a payment is in doubt, it is unknown which one a terminal would void that voids its last one only. */
  #proveNoDoubt(parent: Attempt, undoes: AtTerminal['void']): void {
    if (undoes !== 'last') return;
    const open = this.#deps.store.openAttempts(parent.deviceId);
    if (open.some(({ state }) => state.name === 'in_doubt'))
      throw voidNotPossible(parent, 'the outcome of another payment on this terminal is not known');
  }

  #parent(id: string): Attempt {
    const { store } = this.#deps;
    const parent = store.findAttempt(id) ?? store.attemptOfServiceId(id);
    if (!parent)
      throw new AppError('PAYMENT_UNKNOWN', 'no payment has this id', { context: { param: 'id' } });
    return parent;
  }
}

/** The void names this sale's trace, although another one was meant. */
function isTraceOf(sale: Attempt, undo: Attempt): boolean {
  const trace = undo.report?.originalTrace;
  return trace !== undefined && sale.deviceId === undo.deviceId && sale.report?.trace === trace;
}
