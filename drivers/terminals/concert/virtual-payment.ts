import { sleep, withDeadline } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { isCurrency, numericCodeOf } from '../../../src/base/money.ts';
import type { Key, LedgerEntry, TypedTransaction } from '../../../src/sandbox/controllable-terminal.ts';
import { cardById, cardOfCustomer, type VirtualCard } from '../../../src/sandbox/terminal/cards.ts';
import type { VirtualDevice } from '../../../src/sandbox/terminal/dialect.ts';
import { entryOf, type TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import type { ConcertVirtualOptions } from './virtual-options.ts';

const PIN_TRIES = 3;

/** The magnetic line (CMC7) of a cheque: number, bank zone, account zone. Made up. */
export const CHEQUE_LINE = '0000001000000000001000000000001';

/** A till's request, in either format. */
export interface RequestedPayment {
  readonly kind: 'sale' | 'refund';
  readonly by: 'card' | 'cheque';
  readonly amountMinor: number;
  readonly currencyCode: number;
  /** The content of the private field, or of CF. */
  readonly reference: string;
}

/** How a payment ended at the terminal. */
export interface Paid {
  readonly request: RequestedPayment;
  readonly result: 'approved' | 'declined' | 'stopped' | 'timeout' | 'currency';
  readonly amountMinor: number;
  readonly record: TransactionRecord | null;
  readonly card: VirtualCard | null;
}

/** The last payment in the terminal's memory; it survives a power loss. */
export class LastPayment {
  paid: Paid | undefined;
}

/** The card of a record; null for an unpaid one. */
export function cardOf(record: TransactionRecord): VirtualCard | null {
  return cardById(record.cardId ?? '');
}

/** The actions of customers at the terminal, and their ledger entries. One payment at a time. */
export class Payments {
  readonly #device: VirtualDevice;
  readonly #options: ConcertVirtualOptions;
  readonly #last: LastPayment;

  constructor(device: VirtualDevice, options: ConcertVirtualOptions, last: LastPayment) {
    this.#device = device;
    this.#options = options;
    this.#last = last;
  }

  /** `unsettled`: the till's acknowledgement will decide. @throws the reason of `power` when the power goes */
  async run(request: RequestedPayment, wire: Wire, unsettled: boolean): Promise<Paid> {
    const { clock, power } = this.#device;
    await this.#device.reach('customer', wire);
    this.#device.show(`Present ${request.by}: ${request.amountMinor}`);
    const refusal = this.#refusalOf(request) ?? (await this.#customer());
    await sleep(clock, this.#options.hostMs, power, 'sandbox host');
    const paid = refusal === null ? this.#approve(request, unsettled) : this.#refuse(request, refusal);
    this.#last.paid = paid;
    this.#device.show(paid.result === 'approved' ? 'Approved' : 'Not done');
    return paid;
  }

  /** @throws SANDBOX_NOT_POSSIBLE */
  typeByHand({ kind, amountMinor = 0, result = 'approved' }: TypedTransaction): LedgerEntry {
    if (kind === 'void' || amountMinor <= 0)
      throw new AppError('SANDBOX_NOT_POSSIBLE', 'only sales and refunds can be typed here');
    const entry = { kind, by: 'card', amountMinor, currencyCode: 0, reference: '' } as const;
    return entryOf(this.#enter(entry, { result, amountMinor, byHand: true, unsettled: false }));
  }

  #refusalOf({ currencyCode }: RequestedPayment): 'currency' | null {
    const { currency } = this.#device.settings;
    return isCurrency(currency) && numericCodeOf(currency) === currencyCode ? null : 'currency';
  }

  #approve(request: RequestedPayment, unsettled: boolean): Paid {
    const { amountMinor = request.amountMinor } =
      (request.kind === 'sale' ? this.#device.faults.takeAmount() : undefined) ?? {};
    const record = this.#enter(request, { result: 'approved', amountMinor, byHand: false, unsettled });
    return { request, result: 'approved', amountMinor, record, card: cardOf(record) };
  }

  #refuse(request: RequestedPayment, result: Exclude<Paid['result'], 'approved'>): Paid {
    const { amountMinor } = request;
    const entered = result === 'stopped' || result === 'timeout' ? 'aborted' : 'declined';
    this.#enter(request, { result: entered, amountMinor, byHand: false, unsettled: false });
    return { request, result, amountMinor, record: null, card: null };
  }

  #enter(
    { kind, by, amountMinor: asked }: RequestedPayment,
    entry: Pick<TransactionRecord, 'result' | 'amountMinor' | 'byHand' | 'unsettled'>,
  ): TransactionRecord {
    const { ledger, clock, settings, faults } = this.#device;
    const approved = entry.result === 'approved';
    const trace = ledger.nextTrace();
    const paidWith = kind === 'refund' ? cardById(ledger.cardThatPaid(asked) ?? '') : null;
    const isCard = approved && by === 'card';
    const card = isCard ? (faults.takeCard() ?? paidWith ?? cardOfCustomer(Number(trace) - 1)) : null;
    return ledger.enter({
      kind,
      currency: settings.currency,
      at: clock.now(),
      trace,
      cardId: card?.id ?? null,
      authCode: approved ? trace : null,
      stored: approved,
      ...entry,
    });
  }

  /** What the customer does; null: pays. */
  async #customer(): Promise<'declined' | 'stopped' | 'timeout' | null> {
    for (let tries = 1; ; tries += 1) {
      const key = await this.#key();
      if (key === 'approve') return null;
      if (key === 'walk_away') return 'timeout';
      if (key === 'decline' || (key === 'wrong_pin' && tries === PIN_TRIES)) return 'declined';
      if (key !== 'wrong_pin') return 'stopped';
      this.#device.show('Wrong PIN');
    }
  }

  /** `walk_away` once the customer's time is over. */
  async #key(): Promise<Key> {
    const { clock, power, keypad } = this.#device;
    const timeUp = () => new AppError('SANDBOX_CUSTOMER_TIMEOUT', 'no card in time');
    try {
      return await withDeadline(clock, this.#options.customerTimeoutMs, timeUp, power, async (signal) => {
        const key = await keypad.next(signal);
        return key === 'walk_away' ? await noCustomer(signal) : key;
      });
    } catch {
      power.throwIfAborted();
      return 'walk_away';
    }
  }
}

/** Never resolves; rejects when the signal aborts. */
function noCustomer(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
