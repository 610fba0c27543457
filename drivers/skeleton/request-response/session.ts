import {
  AppError,
  type AskedReference,
  type Capabilities,
  type CloseOutcome,
  type DriverContext,
  type LastTransaction,
  type MoneyCommand,
  type Observer,
  type Outcome,
  type OwnTransaction,
  type Readiness,
  type TerminalIdentity,
  type TerminalJournal,
  type TerminalSession,
  type Totals,
} from '../../../src/driver-kit/terminal.ts';
import type { Conversation } from './conversation.ts';
import type { Request, Response } from './messages.ts';
import { pay } from './payment.ts';
import { reportOf } from './report.ts';
import { capabilities, KEPT_MS, type Settings } from './settings.ts';

/** Longest wait for the answer to a question. */
const ANSWER = { name: 'answer', ms: 5000 };

/** A session with one terminal. It stores nothing: the terminal finds each of our sales again by its reference. */
export class SampleSession implements TerminalSession {
  readonly capabilities: Capabilities = capabilities;
  readonly #conversation: Conversation;
  readonly #context: DriverContext;
  readonly #customerMs: number;

  constructor(conversation: Conversation, context: DriverContext, { customer_ms: customerMs }: Settings) {
    this.#conversation = conversation;
    this.#context = context;
    this.#customerMs = customerMs;
  }

  async identify(signal: AbortSignal): Promise<TerminalIdentity> {
    const { serial, terminalId } = await this.#status(signal);
    return { grade: 'serial', serial, terminalId, model: 'sample' };
  }

  async readiness(signal: AbortSignal): Promise<Readiness> {
    const { isBusy } = await this.#status(signal);
    if (!isBusy) return { kind: 'ready' };
    return { kind: 'wait', code: 'TERMINAL_BUSY', message: 'The terminal is busy, one moment please.' };
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

  execute(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome> {
    const { currency } = this.#context;
    const customerMs = this.#customerMs;
    return pay({ conversation: this.#conversation, command, currency, customerMs, observer }, signal);
  }

  /** The protocol has no abort: staff press the stop key. */
  abort(): void {}

  async endOfDay(): Promise<CloseOutcome> {
    return {
      kind: 'refused',
      code: 'TERMINAL_CANNOT',
      message: 'This terminal has no end of day: nothing was sent to it.',
    };
  }

  async totals(): Promise<Totals | null> {
    return null;
  }

  async journal(signal: AbortSignal): Promise<TerminalJournal> {
    const last = await this.lastTransaction(signal);
    return { complete: false, lines: last.kind === 'found' ? [last.report] : [], totals: null };
  }

  close(): Promise<void> {
    return this.#conversation.close();
  }

  async #status(signal: AbortSignal): Promise<{ serial: string; terminalId: string; isBusy: boolean }> {
    const response = await this.#conversation.ask({ do: 'status' }, ANSWER, signal);
    const { serial, terminal_id: terminalId, busy: isBusy } = response;
    if (serial === undefined || terminalId === undefined || isBusy === undefined)
      throw new AppError('TERMINAL_GARBLED', "the terminal's answer has no status", { retry: 'safe' });
    return { serial, terminalId, isBusy };
  }

  /** @throws TERMINAL_BUSY while that sale is not over */
  async #find(question: Omit<Request, 'id'>, signal: AbortSignal): Promise<LastTransaction> {
    const response: Response = await this.#conversation.ask(question, ANSWER, signal);
    if (response.running === true)
      throw new AppError('TERMINAL_BUSY', 'the terminal is still in a sale', { retry: 'safe' });
    if (response.result === null) return { kind: 'empty' };
    const report = response.result && reportOf(response.result, this.#context.currency);
    return report ? { kind: 'found', report } : { kind: 'unreadable', detail: 'its answer has no result' };
  }
}
