import { sleep } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { LedgerEntry, TypedTransaction } from '../../../src/sandbox/controllable-terminal.ts';
import type { Firmware, VirtualDevice, VirtualDialect } from '../../../src/sandbox/terminal/dialect.ts';
import { entryOf, type TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import { type Taking, VirtualLine } from './virtual-line.ts';
import { type TransbankVirtualOptions, USUAL } from './virtual-options.ts';
import { VirtualPayment } from './virtual-payment.ts';
import { VirtualTexts } from './virtual-texts.ts';

/** Function codes that this terminal knows. */
const KNOWN = ['0100', '0200', '0250', '0260', '0300', '0500', '0700', '0800', '1200'];
/** Commands that it answers while it looks idle. */
const LOOKS = ['0100', '0260'];

/** A virtual terminal of this family; `changes` are its differences from the usual one. */
export function transbankDialect(changes: Partial<TransbankVirtualOptions> = {}): VirtualDialect {
  const options = { ...USUAL, ...changes };
  return {
    protocol: 'transbank',
    storesDeclined: false,
    powerUp: (device) => new TransbankFirmware(device, options),
  };
}

/**
 * The terminal's firmware, from power-up to power loss.
 *
 * INVARIANTS:
 * - one dialogue at a time; a sale continues whether or not a till is still connected;
 * - what the host approved is kept, acknowledged or not.
 */
class TransbankFirmware implements Firmware {
  readonly #device: VirtualDevice;
  readonly #options: TransbankVirtualOptions;
  readonly #texts: VirtualTexts;
  readonly #payment: VirtualPayment;
  #busy = false;
  #integrated: boolean;
  #needsKeys: boolean;
  /** On the monotonic clock: until then it looks idle although it is not. */
  #looksIdleUntil = 0;

  constructor(device: VirtualDevice, options: TransbankVirtualOptions) {
    this.#device = device;
    this.#options = options;
    this.#texts = new VirtualTexts(device.settings.terminalId, options);
    this.#payment = new VirtualPayment(device, options, this.#texts);
    this.#integrated = options.mode === 'integrated';
    this.#needsKeys = options.keys !== 'loaded';
  }

  get busy(): boolean {
    return this.#busy;
  }

  async serve(wire: Wire): Promise<void> {
    const line = new VirtualLine(wire, this.#device.clock, this.#options);
    for await (const text of line.texts((one) => this.#take(one)))
      this.#attend(text.split('|'), line).catch(() => undefined);
  }

  typeByHand(typed: TypedTransaction): LedgerEntry {
    const { kind, amountMinor = 0, result = 'approved' } = typed;
    if (kind === 'void') return entryOf(this.#voidByHand(typed.receiptNumber));
    if (kind !== 'sale' || amountMinor <= 0)
      throw new AppError('SANDBOX_NOT_POSSIBLE', 'this terminal sells and voids, and a sale has an amount');
    return entryOf(this.#payment.byHand(amountMinor, result));
  }

  closeByHand(): void {
    const { forgetsAtClose, numbersRestart } = this.#options;
    this.#device.ledger.closeBatch({ forgetsAtClose, numbersRestart });
  }

  #voidByHand(receiptNumber: string | undefined): TransactionRecord {
    const standing = this.#device.ledger
      .openBatch()
      .filter(({ kind, reversed, cardId }) => kind === 'sale' && !reversed && !this.#texts.isDebit(cardId));
    const sale = receiptNumber
      ? standing.find((one) => one.receiptNumber === receiptNumber)
      : standing.at(-1);
    if (!sale) throw new AppError('SANDBOX_NOT_POSSIBLE', 'there is no sale by credit card to void');
    return this.#payment.byHand(sale.amountMinor, 'approved', sale);
  }

  #take(text: string): Taking {
    const code = text.slice(0, 4);
    if (!this.#integrated || !KNOWN.includes(code)) return 'nak';
    if (!this.#busy || this.#looksIdle(code)) return 'ack';
    return this.#options.busy === 'nak' ? 'nak' : 'ignore';
  }

  #looksIdle(code: string): boolean {
    return LOOKS.includes(code) && this.#device.clock.monotonic() < this.#looksIdleUntil;
  }

  async #attend(fields: readonly string[], line: VirtualLine): Promise<void> {
    const [code = ''] = fields;
    if (code === '0100') return;
    if (this.#busy) {
      if (code === '0260') await this.#sendList(line);
      return;
    }
    this.#busy = true;
    try {
      await this.#obey(code, fields, line);
    } finally {
      this.#busy = false;
      if (!this.#device.power.aborted) this.#device.show('ready');
    }
    await this.#device.reach('idle', line.wire);
  }

  async #obey(code: string, fields: readonly string[], line: VirtualLine): Promise<void> {
    const { power, clock } = this.#device;
    const { wire } = line;
    await sleep(clock, this.#options.answerMs, power, 'sandbox answer');
    switch (code) {
      case '0200':
        await this.#device.reach('command', wire);
        return this.#sell(fields, line);
      case '1200':
        await this.#device.reach('command', wire);
        return this.#payment.undo(fields[1] ?? '', line);
      case '0500':
        await this.#device.reach('command', wire);
        return this.#close(line);
      case '0250':
        await line.send(this.#lastSale(), power);
        return;
      case '0260':
        return fields[1] === '1' ? this.#sendList(line) : undefined;
      case '0700':
        await line.send(this.#totals(), power);
        return;
      case '0800':
        await line.send(this.#texts.keysLoaded(this.#loadKeys()), power);
        return;
      case '0300':
        this.#integrated = false;
        return;
      default:
    }
  }

  async #sell(fields: readonly string[], line: VirtualLine): Promise<void> {
    const { clock, power } = this.#device;
    this.#looksIdleUntil = clock.monotonic() + this.#options.looksIdleMs;
    if (this.#needsKeys) await line.send(this.#texts.refusal('26', fields[2] ?? ''), power);
    else await this.#payment.sell(fields, line);
  }

  async #close(line: VirtualLine): Promise<void> {
    const { faults, power } = this.#device;
    await this.#device.reach('customer', line.wire);
    const isRefused = faults.takeClose() === 'refused';
    if (!isRefused) this.closeByHand();
    await this.#device.reach('result', line.wire);
    if (!(await line.send(this.#texts.closed(isRefused ? '01' : '00'), power))) return;
    await this.#device.reach('result_acknowledged', line.wire);
    await this.#device.reach('completion', line.wire);
  }

  /** Stops at the first line without an acknowledgement. */
  async #sendList(line: VirtualLine): Promise<void> {
    const { power } = this.#device;
    for (const text of this.#listTexts()) if (!(await line.send(text, power))) return;
  }

  #listTexts(): readonly string[] {
    const { list, emptyList, endLines } = this.#options;
    if (list === 'refused') return [this.#texts.endLine('12')];
    const lines = this.#listed().flatMap((record) => this.#linesOf(record));
    if (lines.length === 0 && emptyList === 'code_11') return [`0260|11${'|'.repeat(19)}`];
    return [...lines, ...Array<string>(endLines).fill(this.#texts.endLine())];
  }

  #linesOf(record: TransactionRecord): readonly string[] {
    const isReplaced = this.#options.voidedShows === 'replaced';
    if (record.kind === 'sale') return record.reversed && isReplaced ? [] : [this.#texts.line(record, null)];
    const sale = this.#listed().find(({ sequence }) => sequence === record.undoes);
    return sale ? [this.#texts.line(sale, record)] : [];
  }

  /** The open batch, without transactions that the terminal reversed by itself. */
  #listed(): readonly TransactionRecord[] {
    const batch = this.#device.ledger.openBatch();
    const isUndone = ({ sequence }: TransactionRecord) =>
      batch.some((other) => other.undoes === sequence && !other.reversed);
    return batch.filter((record) => !record.reversed || isUndone(record));
  }

  #lastSale(): string {
    const sale = this.#listed().findLast(({ kind }) => kind === 'sale');
    return sale ? this.#texts.sale('0260', sale) : `0260|11${'|'.repeat(19)}`;
  }

  #totals(): string {
    const standing = this.#listed().filter(({ kind, reversed }) => kind === 'sale' && !reversed);
    const sum = standing.reduce((total, { amountMinor }) => total + amountMinor, 0);
    return `0710|00|${standing.length}|${sum}|`;
  }

  #loadKeys(): string {
    if (this.#options.keys === 'refused') return '03';
    this.#needsKeys = false;
    return '00';
  }
}
