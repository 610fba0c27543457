import { AppError } from '../../../src/base/errors.ts';
import type { LedgerEntry, TypedTransaction } from '../../../src/sandbox/controllable-terminal.ts';
import { cardById } from '../../../src/sandbox/terminal/cards.ts';
import type { Firmware, VirtualDevice, VirtualDialect } from '../../../src/sandbox/terminal/dialect.ts';
import type { TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import { VirtualSales } from '../sample/virtual-sales.ts';
import { answerOn, requestOn } from './virtual-http.ts';

const CODE = { approved: '00', aborted: '17', declined: '51' } as const;

type Fields = Readonly<Record<string, unknown>>;

/** A virtual terminal of this made-up family. */
export function sampleDialect(): VirtualDialect {
  return { protocol: 'sample', storesDeclined: true, powerUp: (device) => new SampleFirmware(device) };
}

/**
 * The terminal's firmware, from power-up to power loss.
 *
 * INVARIANTS:
 * - one sale at a time, whatever the number of connections; a sale continues when its connection ends;
 * - every sale is kept under its reference, and a reference is taken once.
 */
class SampleFirmware implements Firmware {
  readonly #device: VirtualDevice;
  readonly #sales: VirtualSales;
  /** The reference of the sale that runs. */
  #running: string | undefined;

  constructor(device: VirtualDevice) {
    this.#device = device;
    this.#sales = new VirtualSales(device);
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  async serve(wire: Wire): Promise<void> {
    await this.#serve(wire).catch((error) => this.#failed(error));
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

  async #serve(wire: Wire): Promise<void> {
    const body = await requestOn(wire);
    const request = body === null ? undefined : fieldsIn(body);
    if (!request) return answerOn(wire, 400, {});
    const content = await this.#contentOf(request, wire);
    if (content) answerOn(wire, 200, { id: request['id'], ...content });
  }

  /** Undefined: it does not answer. */
  async #contentOf(request: Fields, wire: Wire): Promise<Fields | undefined> {
    if (request['do'] === 'sale') return this.#sale(request, wire);
    if (!this.busy) await this.#device.reach('idle', wire);
    if (request['do'] === 'status') {
      const { serial, terminalId } = this.#device.settings;
      return { serial, terminal_id: terminalId, busy: this.busy };
    }
    const { reference } = request;
    if (this.busy && (reference === undefined || reference === this.#running)) return { running: true };
    const found = this.#device.ledger.lastStored(
      (one) => reference === undefined || one.reference === reference,
    );
    return { result: found ? resultOf(found) : null };
  }

  async #sale({ id, amount }: Fields, wire: Wire): Promise<Fields | undefined> {
    const { ledger, faults } = this.#device;
    if (typeof id !== 'string' || typeof amount !== 'string') return { refused: 'unreadable' };
    if (this.busy) return { refused: 'busy' };
    if (ledger.lastStored(({ reference }) => reference === id)) return { refused: 'known' };
    this.#running = id;
    try {
      await this.#device.reach('command', wire);
      await this.#device.reach('customer', wire);
      this.#device.show(`Present card: ${amount}`);
      const result = await this.#sales.customer();
      const asked = Math.round(Number(amount) * 100);
      const { amountMinor = asked } = (result === 'approved' && faults.takeAmount()) || {};
      const record = this.#sales.enter(amountMinor, result, { stored: true, reference: id });
      if (result === 'approved' && faults.takeUnreported() !== undefined) return undefined;
      await this.#device.reach('result', wire);
      return { result: resultOf(record) };
    } finally {
      this.#running = undefined;
      if (!this.#device.power.aborted) this.#device.show('ready');
    }
  }
}

function resultOf(record: TransactionRecord): Fields {
  const { result, amountMinor, receiptNumber, authCode, reference, reversed } = record;
  return {
    reference,
    code: CODE[result],
    number: receiptNumber,
    amount: (amountMinor / 100).toFixed(2),
    auth_code: authCode ?? '',
    card: cardById(record.cardId ?? '')?.maskedPan.replaceAll('E', '*') ?? '',
    reversed,
  };
}

function fieldsIn(body: string): Fields | undefined {
  try {
    const document: unknown = JSON.parse(body);
    return typeof document === 'object' && document !== null ? { ...document } : undefined;
  } catch {
    return undefined;
  }
}
