import { sleep, withDeadline } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { Key } from '../../../src/sandbox/controllable-terminal.ts';
import { cardOfCustomer } from '../../../src/sandbox/terminal/cards.ts';
import type { VirtualDevice } from '../../../src/sandbox/terminal/dialect.ts';
import type { TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import type { VirtualLine } from './virtual-line.ts';
import type { TransbankVirtualOptions } from './virtual-options.ts';
import { operationOf, type VirtualTexts } from './virtual-texts.ts';

const PIN_TRIES = 3;
/** The acquirer's minimum amount. */
const LEAST = 50;
const MOST = 999_999_999;
/** Sent instead of an approval when no code of two digits was set. */
const PROCESSING_ERROR = 94;
const CODE = { approved: '00', declined: '01', cancelled: '07', timeOut: '22' } as const;

/** The sales and voids of a virtual terminal. */
export class VirtualPayment {
  readonly #device: VirtualDevice;
  readonly #options: TransbankVirtualOptions;
  readonly #texts: VirtualTexts;

  constructor(device: VirtualDevice, options: TransbankVirtualOptions, texts: VirtualTexts) {
    this.#device = device;
    this.#options = options;
    this.#texts = texts;
  }

  /** `0200|amount|ticket|||flag|`. An approval stands, also when the till does not acknowledge the result. */
  async sell(fields: readonly string[], line: VirtualLine): Promise<void> {
    const [, amount = '', ticket = '', , , flag] = fields;
    const wantsProgress = flag === '1' && this.#options.progress;
    const progress = (code: number) => (wantsProgress ? this.#sendProgress(code, line) : Promise.resolve());
    const wrong = wrongRequest(amount, ticket);
    const refusal = wrong ?? (await this.#customer(Number(amount), progress, line));
    const text =
      refusal === null
        ? await this.#approve(Number(amount), ticket, progress)
        : this.#refuse(refusal, wrong === null ? Number(amount) : 0, ticket);
    await this.#sendResult(text, line);
  }

  /** `1200|operation|`. The customer presents no card. */
  async undo(operation: string, line: VirtualLine): Promise<void> {
    const { ledger } = this.#device;
    await this.#device.reach('customer', line.wire);
    const named = (one: TransactionRecord) => Number(operationOf(one)) === Number(operation);
    const sale = ledger.openBatch().findLast((one) => one.kind === 'sale' && named(one));
    const refusal = !sale ? '05' : sale.reversed ? '04' : this.#texts.isDebit(sale.cardId) ? '21' : null;
    if (!sale || refusal !== null)
      return this.#sendResult(this.#texts.undo(refusal ?? '05', '', operation), line);
    await this.#host();
    const record = this.#enter('void', sale.amountMinor, 'approved', {
      reference: sale.reference,
      undoes: sale,
    });
    const bad = this.#takeBadCode(record);
    await this.#sendResult(
      this.#texts.undo(bad ?? CODE.approved, bad ? '' : (record.authCode ?? ''), operation),
      line,
    );
  }

  /** Staff type a sale, or the void of one, at the terminal. */
  byHand(
    amountMinor: number,
    result: 'approved' | 'declined',
    undoes?: TransactionRecord,
  ): TransactionRecord {
    const kind = undoes ? 'void' : 'sale';
    return this.#enter(kind, amountMinor, result, { byHand: true, ...(undoes ? { undoes } : {}) });
  }

  async #sendResult(text: string, line: VirtualLine): Promise<void> {
    await this.#device.reach('result', line.wire);
    if (!(await line.send(text, this.#device.power))) return;
    await this.#device.reach('result_acknowledged', line.wire);
    await this.#device.reach('completion', line.wire);
  }

  async #approve(asked: number, ticket: string, progress: (code: number) => Promise<void>): Promise<string> {
    const { faults } = this.#device;
    await progress(82);
    await this.#host();
    const { amountMinor = asked, tipMinor = 0 } = faults.takeAmount() ?? {};
    const record = this.#enter('sale', amountMinor, 'approved', { reference: ticket, tipMinor });
    this.#device.show('Approved');
    const bad = this.#takeBadCode(record);
    return bad === null ? this.#texts.sale('0210', record) : this.#texts.refusal(bad, ticket);
  }

  #refuse(code: string, amountMinor: number, ticket: string): string {
    const result = code === CODE.cancelled || code === CODE.timeOut ? 'aborted' : 'declined';
    this.#enter('sale', amountMinor, result, { reference: ticket });
    return this.#texts.refusal(code, ticket);
  }

  /** A code that is sent although the host had approved (02, 94, 95); the money stays, unless it is to be reversed. */
  #takeBadCode(record: TransactionRecord): string | null {
    const bad = this.#device.faults.takeBadEnd();
    if (!bad) return null;
    const isTakenBack = bad.how === 'reversed' || bad.how === 'reversed_silently';
    if (isTakenBack) this.#device.ledger.settle(record, 'reverse', false);
    return String(bad.code > 0 && bad.code < 100 ? bad.code : PROCESSING_ERROR).padStart(2, '0');
  }

  /** What the customer does; null: pays. */
  async #customer(
    amount: number,
    progress: (code: number) => Promise<void>,
    line: VirtualLine,
  ): Promise<string | null> {
    await this.#device.reach('customer', line.wire);
    this.#device.show(`Present card: ${amount}`);
    await progress(78);
    for (let tries = 1; ; tries += 1) {
      const key = await this.#key();
      if (key === 'approve') return null;
      if (key === 'decline' || (key === 'wrong_pin' && tries === PIN_TRIES)) return CODE.declined;
      if (key === 'walk_away') return CODE.timeOut;
      if (key === 'abort') return CODE.cancelled;
      this.#device.show('Wrong PIN');
      await progress(81);
    }
  }

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

  /** Sent once; the wait for its acknowledgement is as long as for any frame. */
  async #sendProgress(code: number, line: VirtualLine): Promise<void> {
    await line.send(`0900|${code}|`, this.#device.power, 0);
  }

  #host(): Promise<void> {
    const { clock, power } = this.#device;
    return sleep(clock, this.#options.hostMs, power, 'sandbox host');
  }

  #enter(
    kind: 'sale' | 'void',
    amountMinor: number,
    result: 'approved' | 'declined' | 'aborted',
    more: {
      readonly byHand?: boolean;
      readonly reference?: string;
      readonly tipMinor?: number;
      readonly undoes?: TransactionRecord;
    },
  ): TransactionRecord {
    const { ledger, clock, settings, faults } = this.#device;
    const trace = ledger.nextTrace();
    const isApproved = result === 'approved';
    const card = faults.takeCard() ?? cardOfCustomer(Number(trace) - 1);
    return ledger.enter({
      kind,
      amountMinor,
      currency: settings.currency,
      result,
      at: clock.now(),
      trace,
      cardId: more.undoes ? more.undoes.cardId : isApproved ? card.id : null,
      authCode: isApproved ? trace : null,
      stored: isApproved,
      unsettled: false,
      ...more,
    });
  }
}

/** Why the terminal does not even ask for a card. */
function wrongRequest(amount: string, ticket: string): string | null {
  if (ticket.length > 6) return '70';
  if (!/^\d{1,9}$/.test(amount) || Number(amount) === 0 || Number(amount) > MOST) return '72';
  return Number(amount) < LEAST ? '10' : null;
}

/** Never resolves; rejects when the signal aborts. */
function noCustomer(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
