import { withDeadline } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { Key, LedgerEntry, TypedTransaction } from '../../../src/sandbox/controllable-terminal.ts';
import { cardOfCustomer } from '../../../src/sandbox/terminal/cards.ts';
import type { VirtualDevice } from '../../../src/sandbox/terminal/dialect.ts';
import { entryOf, type TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';

/** Longest wait for the customer. */
const CUSTOMER_MS = 30_000;
const PIN_TRIES = 3;

type Result = 'approved' | 'declined' | 'aborted';

/** What customers and staff do at the terminal, and its ledger entries. */
export class VirtualSales {
  readonly #device: VirtualDevice;

  constructor(device: VirtualDevice) {
    this.#device = device;
  }

  /** What the customer does. @throws the reason of `power` when the power goes */
  async customer(): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      const key = await this.#key();
      if (key === 'approve') return 'approved';
      if (key === 'decline' || (key === 'wrong_pin' && tries === PIN_TRIES)) return 'declined';
      if (key !== 'wrong_pin') return 'aborted';
      this.#device.show('Wrong PIN');
    }
  }

  /** `stored`: a question for the last transaction finds it; default: what was approved. */
  enter(
    amountMinor: number,
    result: Result,
    more: {
      readonly byHand?: boolean;
      readonly unsettled?: boolean;
      readonly stored?: boolean;
      readonly reference?: string;
    } = {},
  ): TransactionRecord {
    const { ledger, clock, settings } = this.#device;
    const trace = ledger.nextTrace();
    const approved = result === 'approved';
    return ledger.enter({
      kind: 'sale',
      amountMinor,
      currency: settings.currency,
      result,
      at: clock.now(),
      trace,
      cardId: approved ? cardOfCustomer(Number(trace) - 1).id : null,
      authCode: approved ? trace : null,
      stored: approved,
      unsettled: false,
      ...more,
    });
  }

  /** @throws SANDBOX_NOT_POSSIBLE */
  typeByHand({ kind, amountMinor = 0, result = 'approved' }: TypedTransaction): LedgerEntry {
    if (kind !== 'sale' || amountMinor <= 0)
      throw new AppError('SANDBOX_NOT_POSSIBLE', 'this terminal sells, and nothing else');
    return entryOf(this.enter(amountMinor, result, { byHand: true }));
  }

  async #key(): Promise<Key> {
    const { clock, power, keypad } = this.#device;
    const timeUp = () => new AppError('SANDBOX_CUSTOMER_TIMEOUT', 'no card in time');
    try {
      return await withDeadline(clock, CUSTOMER_MS, timeUp, power, async (signal) => {
        const key = await keypad.next(signal);
        return key === 'walk_away' ? await noCustomer(signal) : key;
      });
    } catch {
      power.throwIfAborted();
      return 'abort';
    }
  }
}

/** Never resolves; rejects when the signal aborts. */
function noCustomer(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
