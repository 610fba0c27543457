import {
  AppError,
  type AskedReference,
  type Capabilities,
  type CloseOutcome,
  closeOnce,
  type DriverContext,
  isoTime,
  type LastTransaction,
  type MoneyCommand,
  messageOf,
  minorOf,
  type Observer,
  type Outcome,
  type OwnTransaction,
  type Readiness,
  sleep,
  type TerminalIdentity,
  type TerminalJournal,
  type TerminalSession,
  type Totals,
} from '../../../src/driver-kit/terminal.ts';
import type { Conversation, MessageReference } from './conversation.ts';
import type { Response, TransactionTotals } from './messages.ts';
import { pay } from './payment.ts';
import { reportOf } from './report.ts';
import { BUSY, isRefused, wordsOf } from './result-codes.ts';
import { capabilitiesOf, KEPT_MS, type Settings } from './settings.ts';

const QUESTION = { name: 'answer', ms: 10_000 };
const CLOSE = { name: 'reconciliation', ms: 120_000 };
/** An Abort may overtake its payment or be lost, and has no response: it is repeated while the payment goes on. */
const ABORT_AGAIN_MS = 3000;
const NOT_STOPPED = 'The terminal was not asked to stop yet. Press the stop key on the terminal.';
/** The command that runs. */
interface Running {
  readonly command: MoneyCommand;
  readonly observer: Observer;
  /** Aborts when it is over. */
  readonly over: AbortSignal;
  /** Its request was handed over. */
  isSent: boolean;
  /** The till wants it stopped. */
  isUnwanted: boolean;
}

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

const READY: Readiness = { kind: 'ready' };

/** A session with one terminal. It keeps nothing of a payment: a status request repeats the response to any of ours. */
export class NexoSession implements TerminalSession {
  readonly capabilities: Capabilities;
  readonly #conversation: Conversation;
  readonly #context: DriverContext;
  readonly #settings: Settings;
  #running: Running | null = null;

  constructor(conversation: Conversation, context: DriverContext, settings: Settings) {
    this.#conversation = conversation;
    this.#context = context;
    this.#settings = settings;
    this.capabilities = capabilitiesOf(settings);
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
    if (Response?.ErrorCondition === BUSY || POIStatus?.GlobalStatus === BUSY) return busy();
    if (Response?.Result !== 'Success')
      return person(`The terminal is not ready: ${wordsOf(Response?.ErrorCondition)}`);
    if (POIStatus?.PrinterStatus === 'PaperOut')
      return {
        kind: 'person',
        code: 'TERMINAL_PRINTER',
        message: 'The terminal is out of paper: put in a new roll.',
      };
    if (POIStatus?.GlobalStatus === 'Maintenance') return person('The terminal is in maintenance');
    if (POIStatus?.CommunicationOKFlag === false || POIStatus?.GlobalStatus === 'Unreachable')
      return person('The terminal does not reach its host: check its network');
    return READY;
  }

  async lastTransaction(signal: AbortSignal): Promise<LastTransaction> {
    const last = await this.#status(null, signal);
    return last === null ? { kind: 'empty' } : last;
  }

  /** A reversal is asked for by its own pair, never by that of its sale. */
  async ownTransaction({ ticket, sale }: AskedReference, signal: AbortSignal): Promise<OwnTransaction> {
    const wanted: MessageReference = {
      MessageCategory: sale ? 'Reversal' : 'Payment',
      SaleID: this.#conversation.saleId,
      ServiceID: ticket,
    };
    const own = await this.#status(wanted, signal);
    if (own === null)
      return { kind: 'never_seen', keptMs: KEPT_MS, last: await this.lastTransaction(signal) };
    return own;
  }

  async execute(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome> {
    const over = new AbortController();
    const running: Running = { command, observer, over: over.signal, isSent: false, isUnwanted: false };
    const sent = () => {
      running.isSent = true;
      if (running.isUnwanted) void this.#stop(running);
    };
    this.#running = running;
    try {
      const now = this.#context.clock.now();
      return await pay(this.#conversation, this.#settings, { command, now, sent }, observer, signal);
    } finally {
      this.#running = null;
      over.abort(new AppError('TERMINAL_STOPPED', 'the payment is over', { retry: 'never' }));
    }
  }

  abort(): void {
    const running = this.#running;
    if (!running || running.isUnwanted) return;
    running.isUnwanted = true;
    if (running.isSent) void this.#stop(running);
  }

  /** Names the payment, so that it stops no other one. Never throws. */
  async #stop({ command, observer, over }: Running): Promise<void> {
    const reference = {
      MessageCategory: command.kind === 'void' ? 'Reversal' : 'Payment',
      SaleID: this.#conversation.saleId,
      ServiceID: command.ticket,
    } as const;
    while (!over.aborted) {
      await this.#conversation.stop(reference, over).catch((error) => {
        if (over.aborted) return;
        this.#context.log.debug({ error: messageOf(error) }, 'the terminal was not asked to stop');
        observer.progress(NOT_STOPPED);
      });
      await sleep(this.#context.clock, ABORT_AGAIN_MS, over, 'abort-again').catch(() => undefined);
    }
  }

  endOfDay(_progress: (text: string) => void, signal: AbortSignal): Promise<CloseOutcome> {
    const content = { ReconciliationType: 'SaleReconciliation' };
    return closeOnce(async (sending) =>
      this.#closed(await this.#conversation.ask('Reconciliation', content, CLOSE, signal, sending)),
    );
  }

  async totals(signal: AbortSignal): Promise<Totals | null> {
    if (!this.#settings.totals) return null;
    const { GetTotalsResponse } = await this.#conversation.ask('GetTotals', {}, QUESTION, signal);
    return GetTotalsResponse?.Response.Result === 'Success'
      ? this.#sums(GetTotalsResponse.TransactionTotals)
      : null;
  }

  async journal(signal: AbortSignal): Promise<TerminalJournal> {
    return { complete: false, lines: [], totals: await this.totals(signal) };
  }

  close(): Promise<void> {
    return this.#conversation.close();
  }

  #diagnosis(signal: AbortSignal): Promise<Response> {
    return this.#conversation.ask('Diagnosis', { HostDiagnosisFlag: false }, QUESTION, signal);
  }

  async #login(signal: AbortSignal): Promise<void> {
    const content = {
      DateTime: isoTime(this.#context.clock.now()),
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
    if (ErrorCondition === 'InProgress' || ErrorCondition === BUSY)
      throw new AppError('TERMINAL_BUSY', 'the terminal is still in a payment', { retry: 'safe' });
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
    const { currency } = this.#context;
    return { kind: 'found', report: reportOf({ of, response: money, serviceId: ServiceID, currency }) };
  }

  #closed({ ReconciliationResponse }: Response): CloseOutcome {
    const { Response, TransactionTotals } = ReconciliationResponse ?? {};
    if (Response?.Result === 'Success')
      return { kind: 'closed', totals: this.#sums(TransactionTotals), receipts: {} };
    if (Response && isRefused(Response.Result, Response.ErrorCondition))
      return refused(
        'TERMINAL_REFUSED',
        `The terminal did not close its day: ${wordsOf(Response.ErrorCondition)}`,
      );
    return {
      kind: 'unknown',
      code: 'TERMINAL_RESULT_UNCLEAR',
      message: 'The terminal did not say whether it closed its day.',
    };
  }

  /** What was taken, less what was given back; null where an amount or a type is unknown, or the currency is another. */
  #sums(totals: readonly TransactionTotals[] | undefined): Totals | null {
    const { currency } = this.#context;
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

function busy(): Readiness {
  return { kind: 'wait', code: 'TERMINAL_BUSY', message: 'The terminal is busy, one moment please.' };
}

function person(message: string): Readiness {
  return { kind: 'person', code: 'TERMINAL_NOT_READY', message };
}

function refused(code: string, message: string): CloseOutcome {
  return { kind: 'refused', code, message: `${message}. Its day is still open.` };
}
