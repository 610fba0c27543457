import {
  type AskedReference,
  BUSY,
  type DriverContext,
  decimalOf,
  garbled,
  JsonLine,
  type LastTransaction,
  type Link,
  type MoneyCommand,
  type MoneyResponse,
  type OwnTransaction,
  READY,
  type Readiness,
  RequestSession,
  type Sending,
  stillBusy,
  type TerminalIdentity,
  type TimeLimit,
} from '../../../src/driver-kit/terminal.ts';
import { codes } from '../sample/result-codes.ts';
import { meaningOf, type Request, type Response, response } from './messages.ts';
import { reportOf } from './report.ts';
import { capabilities, KEPT_MS, MOST_MINOR, type Settings } from './settings.ts';

/** Longest wait for the answer to a question. */
const ANSWER = { name: 'answer', ms: 5000 };
/** The longest response, bytes. */
const LONGEST_BODY = 16 * 1024;

/** A session with one terminal. It stores nothing: the terminal finds each of our sales again by its reference. */
export class SampleSession extends RequestSession {
  readonly #line: JsonLine<Response>;
  readonly #customer: TimeLimit;

  constructor(link: Link, context: DriverContext, { path, customer_ms: ms }: Settings) {
    super(context, { capabilities, maxAmountMinor: MOST_MINOR });
    const protocol = { path, longestBody: LONGEST_BODY, meaning: meaningOf, response };
    this.#line = new JsonLine(link, context, protocol);
    this.#customer = { name: 'customer', ms };
  }

  async identify(signal: AbortSignal): Promise<TerminalIdentity> {
    const { serial, terminalId } = await this.#status(signal);
    return { grade: 'serial', serial, terminalId, model: 'sample' };
  }

  async readiness(signal: AbortSignal): Promise<Readiness> {
    const { isBusy } = await this.#status(signal);
    return isBusy ? BUSY : READY;
  }

  lastTransaction(signal: AbortSignal): Promise<LastTransaction> {
    return this.#find({ do: 'last' }, signal);
  }

  async ownTransaction({ ticket }: AskedReference, signal: AbortSignal): Promise<OwnTransaction> {
    const own = await this.#find({ do: 'find', reference: ticket }, signal);
    if (own.kind === 'empty')
      return { kind: 'never_seen', keptMs: KEPT_MS, last: await this.lastTransaction(signal) };
    if (own.kind === 'found' && own.report.reference !== ticket)
      return { kind: 'unreadable', detail: 'the terminal reports another sale' };
    return own;
  }

  close(): Promise<void> {
    return this.#line.close();
  }

  /** What `capabilities` excludes never comes here. The id is our ticket, so the terminal finds the sale again by it. */
  protected override async pay(
    { amount, ticket: id }: MoneyCommand,
    sending: Sending,
    signal: AbortSignal,
  ): Promise<MoneyResponse> {
    const { currency } = amount;
    const request: Request = { id, do: 'sale', amount: decimalOf(amount), currency };
    const { refused, result } = await this.#send(request, this.#customer, signal, sending);
    const report = result ? reportOf(result, currency) : undefined;
    const words = report ? codes.wordsOf(report.responseCode ?? '') : (refused ?? 'nothing else');
    if (refused !== 'busy') return { report, words };
    const message = 'the terminal is busy: nothing began. The customer was not charged.';
    return { report, notBegun: { code: 'TERMINAL_BUSY', message }, words };
  }

  async #status(signal: AbortSignal): Promise<{ serial: string; terminalId: string; isBusy: boolean }> {
    const { serial, terminal_id: terminalId, busy: isBusy } = await this.#ask({ do: 'status' }, signal);
    if (serial === undefined || terminalId === undefined || isBusy === undefined)
      throw garbled('it has no status');
    return { serial, terminalId, isBusy };
  }

  /** @throws TERMINAL_BUSY while that sale is not over */
  async #find(question: Omit<Request, 'id'>, signal: AbortSignal): Promise<LastTransaction> {
    const { running, result } = await this.#ask(question, signal);
    if (running === true) throw stillBusy();
    if (result === null) return { kind: 'empty' };
    const report = result && reportOf(result, this.context.currency);
    return report ? { kind: 'found', report } : { kind: 'unreadable', detail: 'its answer has no result' };
  }

  #ask(question: Omit<Request, 'id'>, signal: AbortSignal): Promise<Response> {
    return this.#send({ id: this.questionId(), ...question }, ANSWER, signal);
  }

  /** @throws TERMINAL_GARBLED where it is the response to another request; what the line throws */
  async #send(request: Request, limit: TimeLimit, signal: AbortSignal, sending?: Sending): Promise<Response> {
    const answer = await this.#line.send(request, limit, signal, sending);
    if (answer.id !== request.id) throw garbled('it is the response to another request');
    return answer;
  }
}
