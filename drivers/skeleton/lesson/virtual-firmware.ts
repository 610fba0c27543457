import { withDeadline } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { isCurrency, numericCodeOf } from '../../../src/base/money.ts';
import type { Key, LedgerEntry, TypedTransaction } from '../../../src/sandbox/controllable-terminal.ts';
import { cardById, cardOfCustomer } from '../../../src/sandbox/terminal/cards.ts';
import type { Firmware, VirtualDevice } from '../../../src/sandbox/terminal/dialect.ts';
import { entryOf, type TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';

/** Longest wait for the customer. */
const CUSTOMER_MS = 30_000;
const PIN_TRIES = 3;
const CODE = { approved: '00', otherCurrency: '09', aborted: '17', declined: '51' };

/** The terminal's side of a line. */
export interface TerminalLine {
  readonly wire: Wire;
  /** The texts that the till sends, each acknowledged. */
  texts(): AsyncIterable<string>;
  /** Sends a text; true once the till has acknowledged it. @throws the reason of `power` when the power goes. */
  send(text: string, power: AbortSignal): Promise<boolean>;
}

/**
 * The terminal's firmware, from power-up to power loss.
 *
 * INVARIANTS:
 * - one sale at a time, whatever the number of connections; a sale continues when its connection ends;
 * - an unacknowledged approval is treated as the settings say.
 */
export class LessonFirmware implements Firmware {
  readonly #device: VirtualDevice;
  readonly #lineOn: (wire: Wire) => TerminalLine;
  #busy = false;

  constructor(device: VirtualDevice, lineOn: (wire: Wire) => TerminalLine) {
    this.#device = device;
    this.#lineOn = lineOn;
  }

  get busy(): boolean {
    return this.#busy;
  }

  async serve(wire: Wire): Promise<void> {
    const line = this.#lineOn(wire);
    for await (const text of line.texts()) this.#obey(text, line).catch(() => undefined);
  }

  typeByHand(typed: TypedTransaction): LedgerEntry {
    const { kind, amountMinor = 0, result = 'approved' } = typed;
    if (kind !== 'sale' || amountMinor <= 0)
      throw new AppError('SANDBOX_NOT_POSSIBLE', 'this terminal sells, and nothing else');
    return entryOf(this.#enter(amountMinor, result, { byHand: true, unsettled: false }));
  }

  closeByHand(): void {
    throw new AppError('SANDBOX_NOT_POSSIBLE', 'this terminal has no end of day');
  }

  async #obey(text: string, line: TerminalLine): Promise<void> {
    const { power, settings } = this.#device;
    const [letter, amount = '', currency = ''] = text.split('|');
    await this.#device.reach(this.#busy ? 'idle' : 'command', line.wire);
    if (letter === 'Q')
      await line.send(`Q|${settings.serial}|${settings.terminalId}|${this.#busy ? 1 : 0}`, power);
    else if (letter === 'L') await line.send(this.#last(), power);
    else if (letter === 'S' && this.#busy) await line.send('B', power);
    else if (letter === 'S') await this.#sell(Number(amount), Number(currency), line);
  }

  async #sell(amountMinor: number, currency: number, line: TerminalLine): Promise<void> {
    this.#busy = true;
    try {
      await this.#device.reach('customer', line.wire);
      this.#device.show(`Present card: ${amountMinor}`);
      const refusal = this.#currencyCode() === currency ? await this.#customer() : CODE.otherCurrency;
      if (refusal === null) await this.#approve(amountMinor, line);
      else await this.#refuse(refusal, amountMinor, line);
    } finally {
      this.#busy = false;
      if (!this.#device.power.aborted) this.#device.show('ready');
    }
  }

  async #approve(asked: number, line: TerminalLine): Promise<void> {
    const { ledger, settings, faults, power } = this.#device;
    const { amountMinor = asked } = faults.takeAmount() ?? {};
    const record = this.#enter(amountMinor, 'approved', { byHand: false, unsettled: true });
    const unsent = faults.takeUnreported();
    if (unsent !== undefined) {
      ledger.confirm(record);
      await line.send(`E|${unsent}`, power);
      return;
    }
    this.#device.show('Approved');
    await this.#device.reach('result', line.wire);
    if (!(await line.send(`R|${messageOf(record)}`, power))) {
      ledger.settle(record, settings.missingAcknowledgement, false);
      return;
    }
    ledger.confirm(record);
    await this.#device.reach('result_acknowledged', line.wire);
    const bad = faults.takeBadEnd();
    if (bad && bad.how !== 'kept') ledger.settle(record, 'reverse', false);
    await this.#device.reach('completion', line.wire);
    await line.send(`E|${bad?.code ?? CODE.approved}`, power);
  }

  async #refuse(code: string, amountMinor: number, line: TerminalLine): Promise<void> {
    const { power } = this.#device;
    this.#enter(amountMinor, code === CODE.aborted ? 'aborted' : 'declined', {
      byHand: false,
      unsettled: false,
    });
    await this.#device.reach('result', line.wire);
    if (!(await line.send(`R|${code}||${digits(amountMinor, 8)}|||`, power))) return;
    await this.#device.reach('completion', line.wire);
    await line.send(`E|${CODE.approved}`, power);
  }

  /** What the customer does; null: pays. */
  async #customer(): Promise<string | null> {
    for (let tries = 1; ; tries += 1) {
      const key = await this.#key();
      if (key === 'approve') return null;
      if (key === 'decline' || (key === 'wrong_pin' && tries === PIN_TRIES)) return CODE.declined;
      if (key !== 'wrong_pin') return CODE.aborted;
      this.#device.show('Wrong PIN');
    }
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

  #enter(
    amountMinor: number,
    result: 'approved' | 'declined' | 'aborted',
    more: { readonly byHand: boolean; readonly unsettled: boolean },
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
      ...more,
    });
  }

  #last(): string {
    const record = this.#device.ledger.lastStored();
    return record ? `T|${messageOf(record)}` : 'N';
  }

  #currencyCode(): number | undefined {
    const { currency } = this.#device.settings;
    return isCurrency(currency) ? numericCodeOf(currency) : undefined;
  }
}

/** `code|number|amount|auth|card|back` of a stored transaction. */
function messageOf(record: TransactionRecord): string {
  const card = cardById(record.cardId ?? '')?.maskedPan.replaceAll('E', '*') ?? '';
  const amount = digits(record.amountMinor, 8);
  const back = record.reversed ? 'back' : '';
  return [CODE.approved, record.receiptNumber, amount, record.authCode ?? '', card, back].join('|');
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** Never resolves; rejects when the signal aborts. */
function noCustomer(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
