import { AppError } from '../../../src/base/errors.ts';
import { isCurrency, numericCodeOf } from '../../../src/base/money.ts';
import type { LedgerEntry, TypedTransaction } from '../../../src/sandbox/controllable-terminal.ts';
import { cardById } from '../../../src/sandbox/terminal/cards.ts';
import type { Firmware, VirtualDevice } from '../../../src/sandbox/terminal/dialect.ts';
import type { TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import { VirtualSales } from './virtual-sales.ts';

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
export class SampleFirmware implements Firmware {
  readonly #device: VirtualDevice;
  readonly #lineOn: (wire: Wire) => TerminalLine;
  readonly #sales: VirtualSales;
  #busy = false;

  constructor(device: VirtualDevice, lineOn: (wire: Wire) => TerminalLine) {
    this.#device = device;
    this.#lineOn = lineOn;
    this.#sales = new VirtualSales(device);
  }

  get busy(): boolean {
    return this.#busy;
  }

  async serve(wire: Wire): Promise<void> {
    const line = this.#lineOn(wire);
    for await (const text of line.texts()) this.#obey(text, line).catch((error) => this.#failed(error));
  }

  typeByHand(typed: TypedTransaction): LedgerEntry {
    return this.#sales.typeByHand(typed);
  }

  closeByHand(): void {
    throw new AppError('SANDBOX_NOT_POSSIBLE', 'this terminal has no end of day');
  }

  /** The end of the power ends every wait; any other error is one of this file. */
  #failed(error: unknown): void {
    if (!this.#device.power.aborted) this.#device.log.error({ error }, 'the virtual terminal failed');
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
      if (this.#currencyCode() !== currency) await this.#refuse(CODE.otherCurrency, amountMinor, line);
      else {
        const result = await this.#sales.customer();
        if (result === 'approved') await this.#approve(amountMinor, line);
        else await this.#refuse(CODE[result], amountMinor, line);
      }
    } finally {
      this.#busy = false;
      if (!this.#device.power.aborted) this.#device.show('ready');
    }
  }

  async #approve(asked: number, line: TerminalLine): Promise<void> {
    const { ledger, settings, faults, power } = this.#device;
    const { amountMinor = asked } = faults.takeAmount() ?? {};
    const record = this.#sales.enter(amountMinor, 'approved', { unsettled: true });
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
    this.#sales.enter(amountMinor, code === CODE.aborted ? 'aborted' : 'declined');
    await this.#device.reach('result', line.wire);
    if (!(await line.send(`R|${code}||${digits(amountMinor, 8)}|||`, power))) return;
    await this.#device.reach('completion', line.wire);
    await line.send(`E|${CODE.approved}`, power);
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
