import { sleep } from '../../../src/base/clock.ts';
import type { LedgerEntry, TypedTransaction } from '../../../src/sandbox/controllable-terminal.ts';
import type { Firmware, VirtualDevice, VirtualDialect } from '../../../src/sandbox/terminal/dialect.ts';
import type { TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import { answerOn, requestOn } from './virtual-http.ts';
import {
  failure,
  minorIn,
  moneyContent,
  part,
  readRequest,
  responseTo,
  type SaleToPoi,
  success,
  totalsOf,
  transactionId,
  word,
} from './virtual-messages.ts';
import { type NexoVirtualOptions, usualNexo } from './virtual-options.ts';
import { type Asked, isStanding, Payments } from './virtual-payment.ts';
import { VirtualSecurity } from './virtual-security.ts';

const UPDATE_MS = 30_000;
type Json = Readonly<Record<string, unknown>>;

/** A virtual terminal with the Terminal API; `changes` are its differences from the usual one. */
export function nexoDialect(changes: Partial<NexoVirtualOptions> = {}): VirtualDialect {
  const options = { ...usualNexo, ...changes };
  return { protocol: 'nexo', storesDeclined: true, powerUp: (device) => new NexoFirmware(device, options) };
}

/**
 * The terminal's firmware, from power-up to power loss.
 *
 * INVARIANTS:
 * - one payment at a time, whatever the number of connections; a payment continues when its connection ends;
 * - the result of every request about money is in the ledger with its pair, and a status request repeats it; a pair is taken once.
 */
class NexoFirmware implements Firmware {
  readonly #device: VirtualDevice;
  readonly #options: NexoVirtualOptions;
  readonly #payments: Payments;
  readonly #security: VirtualSecurity | null;
  /** The pair of the payment that runs, or of another request that takes its time. */
  #running: string | undefined;
  #isLoggedIn = false;

  constructor(device: VirtualDevice, options: NexoVirtualOptions) {
    this.#device = device;
    this.#options = options;
    this.#payments = new Payments(device, options);
    this.#security = options.security && new VirtualSecurity(options.security);
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  async serve(wire: Wire): Promise<void> {
    await this.#serve(wire).catch(() => undefined);
  }

  typeByHand(typed: TypedTransaction): LedgerEntry {
    return this.#payments.typeByHand(typed);
  }

  closeByHand(): void {
    this.#device.ledger.closeBatch();
  }

  async #serve(wire: Wire): Promise<void> {
    const posted = await requestOn(wire);
    if (posted === null) return;
    const { chunked, path, checksPoiId } = this.#options;
    if (posted === 'bad') return answerOn(wire, 400, '', chunked);
    if (posted.path !== path && posted.path !== `${path}/`) return answerOn(wire, 404, 'not here', chunked);
    const body = this.#security ? this.#security.opened(posted.body) : posted.body;
    const request = body === undefined ? undefined : readRequest(body);
    if (!request) return answerOn(wire, 400, '', chunked);
    const { serial } = this.#device.settings;
    const isOther = checksPoiId && word(request.header, 'POIID') !== serial;
    if (request.category === 'Abort') {
      if (!isOther) this.#abort(request);
      return answerOn(wire, 200, '', chunked);
    }
    const content = isOther
      ? { Response: failure('NotAllowed', 'wrong POIID') }
      : await this.#contentOf(request, wire);
    if (!content) return;
    const response = responseTo(request, serial, content);
    answerOn(wire, 200, JSON.stringify(this.#security?.sealed(response) ?? response), chunked);
  }

  /** Undefined: it does not answer. */
  async #contentOf(request: SaleToPoi, wire: Wire): Promise<Json | undefined> {
    const { needsLogin, knowsTotals, voids } = this.#options;
    const { category } = request;
    if (category === 'Diagnosis') return this.#diagnosis(wire);
    if (category === 'TransactionStatus') return this.#status(request, wire);
    if (this.busy) return { Response: failure('Busy') };
    if (category === 'Login') {
      this.#isLoggedIn = true;
      return { Response: success() };
    }
    if (needsLogin && !this.#isLoggedIn) return { Response: failure('LoggedOut') };
    if (category === 'Payment' || (category === 'Reversal' && voids)) return this.#money(request, wire);
    if (category === 'GetTotals' && knowsTotals) return this.#totals(wire);
    if (category === 'Reconciliation' && knowsTotals) return this.#reconcile(wire);
    return { Response: failure('UnavailableService') };
  }

  /** Stops the payment that it names while that waits for its customer; has no response of its own. */
  #abort({ content }: SaleToPoi): void {
    const reference = part(content, 'MessageReference');
    const wanted = `${word(reference, 'SaleID')}/${word(reference, 'ServiceID')}/`;
    if (this.#running?.startsWith(wanted)) this.#payments.stop();
  }

  async #diagnosis(wire: Wire): Promise<Json> {
    const { busyIs, printer } = this.#options;
    if (!this.busy) await this.#device.reach('idle', wire);
    if (this.busy && busyIs === 'condition') return { Response: failure('Busy') };
    const GlobalStatus = this.busy ? 'Busy' : 'OK';
    return {
      Response: success(),
      POIStatus: {
        GlobalStatus,
        CommunicationOKFlag: true,
        PrinterStatus: this.#device.hasPaper() ? printer : 'PaperOut',
      },
    };
  }

  async #status({ content }: SaleToPoi, wire: Wire): Promise<Json> {
    const reference = part(content, 'MessageReference');
    if (!this.busy) await this.#device.reach('idle', wire);
    const wanted = reference && `${word(reference, 'SaleID')}/${word(reference, 'ServiceID')}/`;
    if (this.#running !== undefined && (wanted === undefined || this.#running.startsWith(wanted)))
      return { Response: failure('InProgress') };
    const record = this.#device.ledger.lastStored(
      (one) => wanted === undefined || one.reference.startsWith(wanted),
    );
    if (!record) return { Response: failure('NotFound') };
    const [SaleID = '', ServiceID = ''] = record.reference.split('/');
    const category = record.kind === 'void' ? 'Reversal' : 'Payment';
    const header = {
      ProtocolVersion: '3.0',
      MessageClass: 'Service',
      MessageCategory: category,
      SaleID,
      ServiceID,
    };
    const { SaleToPOIResponse: repeated } = responseTo(
      { header, category },
      this.#device.settings.serial,
      this.#contentOfRecord(record),
    ) as { SaleToPOIResponse: Json };
    const { MessageHeader, ...RepeatedResponseMessageBody } = repeated;
    return { Response: success(), RepeatedMessageResponse: { MessageHeader, RepeatedResponseMessageBody } };
  }

  async #money(request: SaleToPoi, wire: Wire): Promise<Json | undefined> {
    const { ledger, faults } = this.#device;
    const asked = this.#asked(request);
    if (typeof asked === 'string') return { Response: failure(asked) };
    const [saleId, serviceId] = asked.pair.split('/');
    if (ledger.lastStored(({ reference }) => reference.startsWith(`${saleId}/${serviceId}/`)))
      return { Response: failure('NotAllowed', 'the ServiceID was used before') };
    return this.#alone(asked.pair, async () => {
      await this.#device.reach('command', wire);
      const record = await this.#payments.run(asked, wire);
      if (record.result === 'approved' && faults.takeUnreported() !== undefined) return undefined;
      await this.#device.reach('result', wire);
      return this.#contentOfRecord(record, asked.amountMinor);
    });
  }

  /** What is asked for, or the condition of the refusal. */
  #asked({ header, category, content }: SaleToPoi): Asked | string {
    const { ledger, settings } = this.#device;
    const saleTransaction = part(part(content, 'SaleData'), 'SaleTransactionID');
    const pair = `${word(header, 'SaleID')}/${word(header, 'ServiceID')}/${word(saleTransaction, 'TransactionID')}`;
    if (category === 'Reversal') {
      const original = part(part(content, 'OriginalPOITransaction'), 'POITransactionID');
      const undoes = ledger.lastStored((one) => {
        const { TransactionID, TimeStamp } = transactionId(one);
        return TransactionID === word(original, 'TransactionID') && TimeStamp === word(original, 'TimeStamp');
      });
      if (!undoes) return 'NotFound';
      return isStanding(undoes) ? { kind: 'void', amountMinor: undoes.amountMinor, pair, undoes } : 'Refusal';
    }
    if (word(saleTransaction, 'TransactionID') === '') return 'MessageFormat';
    const amountMinor = minorIn(part(part(content, 'PaymentTransaction'), 'AmountsReq'), settings.currency);
    if (!(amountMinor > 0)) return 'MessageFormat';
    const isRefund = word(part(content, 'PaymentData'), 'PaymentType') === 'Refund';
    const asksTip = /\btenderOption=([A-Za-z]+,)*AskGratuity\b/.test(
      word(part(content, 'SaleData'), 'SaleToAcquirerData'),
    );
    return { kind: isRefund ? 'refund' : 'sale', amountMinor, pair, asksTip };
  }

  async #totals(wire: Wire): Promise<Json> {
    const { ledger, settings } = this.#device;
    await this.#device.reach('idle', wire);
    return { Response: success(), TransactionTotals: totalsOf(ledger.openBatch(), settings.currency) };
  }

  #reconcile(wire: Wire): Promise<Json> {
    const { ledger, clock, power, faults } = this.#device;
    return this.#alone('', async () => {
      await this.#device.reach('command', wire);
      const how = faults.takeClose();
      if (how === 'refused') return { Response: failure('NotAllowed', 'not now') };
      const { TransactionTotals } = await this.#totals(wire);
      ledger.closeBatch();
      if (how === 'updates') await sleep(clock, UPDATE_MS, power, 'sandbox update');
      return { Response: success(), TransactionTotals };
    });
  }

  #contentOfRecord(record: TransactionRecord, asked = record.amountMinor): Json {
    return moneyContent(record, asked, this.#device.settings.terminalId, this.#options.repeatsSaleData);
  }

  async #alone<T>(pair: string, task: () => Promise<T>): Promise<T> {
    this.#running = pair;
    try {
      return await task();
    } finally {
      this.#running = undefined;
      if (!this.#device.power.aborted) this.#device.show('ready');
    }
  }
}
