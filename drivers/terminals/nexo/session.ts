import {
  type AskedReference,
  BUSY,
  type CloseOutcome,
  closeOnce,
  type DriverContext,
  isoTime,
  type LastTransaction,
  type MoneyCommand,
  type MoneyResponse,
  minorOf,
  needsPerson,
  notClosed,
  type OwnTransaction,
  READY,
  type Readiness,
  RequestSession,
  type Sending,
  stillBusy,
  type TerminalIdentity,
  type Totals,
  unclearClose,
} from '../../../src/driver-kit/terminal.ts';
import type { Conversation, MessageReference } from './conversation.ts';
import type { Response, TransactionTotals } from './messages.ts';
import { contentOf, moneyResponseOf } from './payment.ts';
import { reportOf } from './report.ts';
import { BUSY_CONDITION, isRefused, wordsOf } from './result-codes.ts';
import { capabilitiesOf, KEPT_MS, MOST_MINOR, type Settings } from './settings.ts';

const QUESTION = { name: 'answer', ms: 10_000 };
const CLOSE = { name: 'reconciliation', ms: 120_000 };

type Repeated = Exclude<LastTransaction, { kind: 'empty' }>;

/** What a line of the totals does to the sum. */
const SIGNS: Readonly<Record<string, -1 | 0 | 1>> = {
  Debit: 1,
  ReverseDebit: -1,
  Credit: -1,
  ReverseCredit: 1,
  Declined: 0,
  Failed: 0,
};

/** A session with one terminal. It keeps nothing of a payment: a status request repeats the response to any of ours. */
export class NexoSession extends RequestSession {
  readonly #conversation: Conversation;
  readonly #settings: Settings;

  constructor(conversation: Conversation, context: DriverContext, settings: Settings) {
    super(context, { capabilities: capabilitiesOf(settings), maxAmountMinor: MOST_MINOR });
    this.#conversation = conversation;
    this.#settings = settings;
  }

  /** By the POIID in its answers, also in one that refuses ours: the core decides whether it serves this device. */
  async identify(signal: AbortSignal): Promise<TerminalIdentity> {
    const { MessageHeader } = await this.#diagnosis(signal);
    this.#conversation.address(MessageHeader.POIID);
    return { grade: 'serial', serial: MessageHeader.POIID, model: 'nexo' };
  }

  async readiness(signal: AbortSignal): Promise<Readiness> {
    if (this.#settings.login) await this.#login(signal);
    const { DiagnosisResponse } = await this.#diagnosis(signal);
    const { Response, POIStatus } = DiagnosisResponse ?? {};
    if ([Response?.ErrorCondition, POIStatus?.GlobalStatus].includes(BUSY_CONDITION)) return BUSY;
    if (Response?.Result !== 'Success')
      return needsPerson(`The terminal is not ready: ${wordsOf(Response?.ErrorCondition)}`);
    if (POIStatus?.PrinterStatus === 'PaperOut')
      return needsPerson('The terminal is out of paper: put in a new roll.', 'TERMINAL_PRINTER');
    if (POIStatus?.GlobalStatus === 'Maintenance') return needsPerson('The terminal is in maintenance');
    if (POIStatus?.CommunicationOKFlag === false || POIStatus?.GlobalStatus === 'Unreachable')
      return needsPerson('The terminal does not reach its host: check its network');
    return READY;
  }

  async lastTransaction(signal: AbortSignal): Promise<LastTransaction> {
    const last = await this.#status(null, signal);
    return last === null ? { kind: 'empty' } : last;
  }

  /** A reversal is asked for by its own pair, never by that of its sale. */
  async ownTransaction(asked: AskedReference, signal: AbortSignal): Promise<OwnTransaction> {
    const wanted = this.#conversation.referenceOf(asked.sale ? 'void' : 'sale', asked);
    const own = await this.#status(wanted, signal);
    if (own === null)
      return { kind: 'never_seen', keptMs: KEPT_MS, last: await this.lastTransaction(signal) };
    return own;
  }

  /** The ServiceID is our ticket, so a status request finds the response again. */
  protected override async pay(
    command: MoneyCommand,
    sending: Sending,
    signal: AbortSignal,
  ): Promise<MoneyResponse> {
    const { clock, currency } = this.context;
    const [category, content] = contentOf(command, clock.now());
    const limit = { name: 'customer', ms: this.#settings.customer_ms };
    const { ticket, kind } = command;
    const response = await this.#conversation.ask(category, content, limit, signal, sending, ticket);
    return moneyResponseOf(response, kind, currency);
  }

  /** Names the payment, so that it stops no other one. */
  protected override stop(command: MoneyCommand, signal: AbortSignal): Promise<void> {
    return this.#conversation.stop(this.#conversation.referenceOf(command.kind, command), signal);
  }

  override endOfDay(_progress: (text: string) => void, signal: AbortSignal): Promise<CloseOutcome> {
    const content = { ReconciliationType: 'SaleReconciliation' };
    return closeOnce(async (sending) =>
      this.#closed(await this.#conversation.ask('Reconciliation', content, CLOSE, signal, sending)),
    );
  }

  override async totals(signal: AbortSignal): Promise<Totals | null> {
    if (!this.#settings.totals) return null;
    const { GetTotalsResponse } = await this.#conversation.ask('GetTotals', {}, QUESTION, signal);
    return GetTotalsResponse?.Response.Result === 'Success'
      ? this.#sums(GetTotalsResponse.TransactionTotals)
      : null;
  }

  close(): Promise<void> {
    return this.#conversation.close();
  }

  #diagnosis(signal: AbortSignal): Promise<Response> {
    return this.#conversation.ask('Diagnosis', { HostDiagnosisFlag: false }, QUESTION, signal);
  }

  async #login(signal: AbortSignal): Promise<void> {
    const content = {
      DateTime: isoTime(this.context.clock.now()),
      SaleSoftware: {
        ProviderIdentification: 'tilld',
        ApplicationName: 'tilld',
        SoftwareVersion: '1',
        CertificationCode: '0',
      },
      OperatorLanguage: 'en',
    };
    await this.#conversation.ask('Login', content, QUESTION, signal);
  }

  /** The repeated response; null: the terminal has none. @throws TERMINAL_BUSY while it is not over */
  async #status(wanted: MessageReference | null, signal: AbortSignal): Promise<Repeated | null> {
    const content = wanted ? { MessageReference: wanted } : {};
    const response = await this.#conversation.ask('TransactionStatus', content, QUESTION, signal);
    const { TransactionStatusResponse: status } = response;
    const { Result, ErrorCondition } = status?.Response ?? {};
    const repeated = status?.RepeatedMessageResponse;
    if (ErrorCondition === 'InProgress' || ErrorCondition === BUSY_CONDITION) throw stillBusy();
    if (Result === 'Failure' && ErrorCondition === 'NotFound' && !repeated) return null;
    const { PaymentResponse, ReversalResponse } = repeated?.RepeatedResponseMessageBody ?? {};
    const money = PaymentResponse ?? ReversalResponse;
    const of = PaymentResponse ? 'Payment' : 'Reversal';
    if (Result !== 'Success' || !repeated || !money || (PaymentResponse && ReversalResponse))
      return { kind: 'unreadable', detail: `the terminal does not repeat it: ${wordsOf(ErrorCondition)}` };
    const { ServiceID, SaleID, MessageCategory } = repeated.MessageHeader;
    const isAsked = !wanted || (wanted.ServiceID === ServiceID && wanted.SaleID === SaleID);
    if (!isAsked || MessageCategory !== of || (wanted?.MessageCategory ?? of) !== of)
      return { kind: 'unreadable', detail: 'the terminal repeats another response' };
    const { currency } = this.context;
    return { kind: 'found', report: reportOf({ of, response: money, serviceId: ServiceID, currency }) };
  }

  #closed({ ReconciliationResponse }: Response): CloseOutcome {
    const { Response, TransactionTotals } = ReconciliationResponse ?? {};
    if (Response?.Result === 'Success')
      return { kind: 'closed', totals: this.#sums(TransactionTotals), receipts: {} };
    const words = wordsOf(Response?.ErrorCondition);
    return Response && isRefused(Response.Result, Response.ErrorCondition)
      ? notClosed(`The terminal did not close its day: ${words}`)
      : unclearClose(words);
  }

  /** What was taken, less what was given back; null where an amount or a type is unknown, or the currency is another. */
  #sums(totals: readonly TransactionTotals[] | undefined): Totals | null {
    const { currency } = this.context;
    if (totals?.some(({ PaymentCurrency = currency }) => PaymentCurrency !== currency) ?? true) return null;
    let [count, amountMinor] = [0, 0];
    for (const line of totals?.flatMap((one) => one.PaymentTotals) ?? []) {
      const sign = SIGNS[line.TransactionType];
      const minor = minorOf(line.TransactionAmount, currency);
      if (sign === undefined || minor === undefined) return null;
      count += sign === 0 ? 0 : line.TransactionCount;
      amountMinor += sign * minor;
    }
    return { count, amountMinor, currency };
  }
}
