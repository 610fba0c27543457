import { sleep, withDeadline } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { underAll } from '../../../src/base/signals.ts';
import type { Key, LedgerEntry, TypedTransaction } from '../../../src/sandbox/controllable-terminal.ts';
import { cardById, cardOfCustomer } from '../../../src/sandbox/terminal/cards.ts';
import { approvedAmount } from '../../../src/sandbox/terminal/customer-tip.ts';
import type { VirtualDevice } from '../../../src/sandbox/terminal/dialect.ts';
import { entryOf, type TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import type { NexoVirtualOptions } from './virtual-options.ts';

const PIN_TRIES = 3;

/** What a till asks for. `pair`: SaleID, ServiceID and SaleTransactionID, which the terminal keeps with the result. */
export interface Asked {
  readonly kind: 'sale' | 'refund' | 'void';
  readonly amountMinor: number;
  readonly pair: string;
  /** The customer may add a tip. */
  readonly asksTip?: boolean;
  readonly undoes?: TransactionRecord;
}

/** The actions of customers at the terminal, and their ledger entries. One payment at a time. */
export class Payments {
  readonly #device: VirtualDevice;
  readonly #options: NexoVirtualOptions;
  #stopCustomer: AbortController | undefined;

  constructor(device: VirtualDevice, options: NexoVirtualOptions) {
    this.#device = device;
    this.#options = options;
  }

  /** @throws the reason of `power` when the power goes */
  async run(asked: Asked, wire: Wire): Promise<TransactionRecord> {
    const { clock, power } = this.#device;
    await this.#device.reach('customer', wire);
    this.#device.show(`${asked.kind === 'void' ? 'Reversal' : 'Present card'}: ${asked.amountMinor}`);
    const result = asked.kind === 'void' ? 'approved' : await this.#customer();
    await sleep(clock, this.#options.hostMs, power, 'sandbox host');
    const isSold = asked.kind === 'sale' && result === 'approved';
    const added = isSold
      ? approvedAmount(this.#device, asked.amountMinor, asked.asksTip === true)
      : undefined;
    const record = this.#enter(
      { ...asked, amountMinor: added?.amountMinor ?? asked.amountMinor },
      result,
      added,
    );
    this.#device.show(result === 'approved' ? 'Approved' : 'Not done');
    return record;
  }

  /** The till's Abort: it has an effect while the customer is waited for. */
  stop(): void {
    this.#stopCustomer?.abort();
  }

  /** @throws SANDBOX_NOT_POSSIBLE */
  typeByHand({ kind, amountMinor = 0, receiptNumber, result = 'approved' }: TypedTransaction): LedgerEntry {
    const { ledger } = this.#device;
    const undoes =
      kind === 'void'
        ? ledger.lastStored(
            (one) => isStanding(one) && one.receiptNumber === (receiptNumber ?? one.receiptNumber),
          )
        : undefined;
    if (kind === 'void' ? !undoes : amountMinor <= 0)
      throw new AppError('SANDBOX_NOT_POSSIBLE', 'there is nothing to take back, or no amount');
    const asked = {
      kind,
      amountMinor: undoes?.amountMinor ?? amountMinor,
      pair: '',
      ...(undoes ? { undoes } : {}),
    };
    return entryOf(this.#enter(asked, result, undefined, true));
  }

  #enter(
    { kind, amountMinor, pair, undoes }: Asked,
    result: TransactionRecord['result'],
    added?: { readonly tipMinor?: number; readonly cashbackMinor?: number },
    byHand = false,
  ): TransactionRecord {
    const { ledger, clock, settings, faults } = this.#device;
    const isApproved = result === 'approved';
    const trace = ledger.nextTrace();
    const paidWith = kind === 'refund' ? cardById(ledger.cardThatPaid(amountMinor) ?? '') : null;
    const card = isApproved ? (faults.takeCard() ?? paidWith ?? cardOfCustomer(Number(trace) - 1)) : null;
    return ledger.enter({
      kind,
      amountMinor,
      currency: settings.currency,
      result,
      at: clock.now(),
      trace,
      cardId: undoes?.cardId ?? card?.id ?? null,
      authCode: isApproved ? trace : null,
      stored: true,
      unsettled: false,
      byHand,
      reference: pair,
      ...(added?.tipMinor === undefined ? {} : { tipMinor: added.tipMinor }),
      ...(added?.cashbackMinor === undefined ? {} : { cashbackMinor: added.cashbackMinor }),
      ...(undoes && isApproved ? { undoes } : {}),
    });
  }

  async #customer(): Promise<TransactionRecord['result']> {
    for (let tries = 1; ; tries += 1) {
      const key = await this.#key();
      if (key === 'approve') return 'approved';
      if (key === 'decline' || (key === 'wrong_pin' && tries === PIN_TRIES)) return 'declined';
      if (key !== 'wrong_pin') return 'aborted';
      this.#device.show('Wrong PIN');
    }
  }

  /** `abort` once the customer's time is over, or the till has stopped the payment. */
  async #key(): Promise<Key> {
    const { clock, power, keypad } = this.#device;
    const timeUp = () => new AppError('SANDBOX_CUSTOMER_TIMEOUT', 'no card in time');
    const stop = new AbortController();
    this.#stopCustomer = stop;
    try {
      return await underAll([power, stop.signal], (either) =>
        withDeadline(clock, this.#options.customerTimeoutMs, timeUp, either, async (signal) => {
          const key = await keypad.next(signal);
          return key === 'walk_away' ? await noCustomer(signal) : key;
        }),
      );
    } catch {
      power.throwIfAborted();
      return 'abort';
    } finally {
      this.#stopCustomer = undefined;
    }
  }
}

/** A payment that a void can take back. */
export function isStanding({ kind, result, reversed }: TransactionRecord): boolean {
  return kind === 'sale' && result === 'approved' && !reversed;
}

/** Never resolves; rejects when the signal aborts. */
function noCustomer(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
