import {
  AppError,
  type Capabilities,
  type CloseOutcome,
  type DriverContext,
  type LastTransaction,
  type MoneyCommand,
  messageOf,
  type Observer,
  type Outcome,
  type Readiness,
  type Reprint,
  type TerminalIdentity,
  type TerminalJournal,
  type TerminalSession,
  type Totals,
  type TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import type { Answer } from './answers.ts';
import type { Calls } from './calls.ts';
import type { Paper } from './carry-out.ts';
import { closeSession } from './close-session.ts';
import { Conversation } from './conversation.ts';
import type { OlderResults } from './money-dialogue.ts';
import { notStarted, pay, refusalOf } from './payment.ts';
import { isOfNothing, isResult, reportOf } from './report.ts';
import { reprint } from './reprint.ts';
import { lastResultRequest, statusRequest, totalsRequest } from './requests.ts';
import { capabilitiesOf, type Settings } from './settings.ts';
import { BUSY, identityOf, readinessOf } from './status.ts';
import { sumOf } from './totals.ts';

/** The terminal may ask the host for a sum; no time is published. */
const TOTALS_MS = 30_000;

interface SessionDeps {
  readonly calls: Calls;
  readonly context: DriverContext;
  readonly settings: Settings;
}

/**
 * A session with one terminal: a call for each question.
 * It keeps the terminal's last results, as they came: the same bytes in the next payment are not its result.
 */
export class Ecr17Session implements TerminalSession {
  readonly #deps: SessionDeps;
  readonly #conversation: Conversation;
  readonly #paper: Paper;
  #capabilities: Capabilities;
  readonly #older: OlderResults = {};

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#conversation = new Conversation(deps);
    this.#paper = { wanted: deps.settings.receipts };
    this.#capabilities = capabilitiesOf(deps.settings);
  }

  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  /**
   * Asks for the status; from then on the session is bound to this terminal.
   * @throws TERMINAL_REFUSED, and what a question throws
   */
  async meet(signal: AbortSignal): Promise<void> {
    const answer = await this.#status(signal);
    if (!answer) throw statusRefused(this.#deps.settings.terminalId);
    this.#conversation.learn(answer);
  }

  async identify(signal: AbortSignal): Promise<TerminalIdentity> {
    const answer = await this.#status(signal);
    if (!answer) throw new AppError('TERMINAL_BUSY', 'the terminal takes no question now', { retry: 'safe' });
    const identity = identityOf(answer);
    this.#narrow({ identity: identity.grade });
    return identity;
  }

  async readiness(signal: AbortSignal): Promise<Readiness> {
    const answer = await this.#status(signal);
    return answer ? readinessOf(answer, this.#deps.settings.readyStatuses) : BUSY;
  }

  /** A terminal that refuses the question reports no last transaction while it does. */
  async lastTransaction(signal: AbortSignal): Promise<LastTransaction> {
    const answer = await this.#lastResult(signal);
    const { recover } = capabilitiesOf(this.#deps.settings);
    this.#narrow({ recover: answer ? recover : 'none' });
    if (!answer)
      return { kind: 'unreadable', detail: 'the terminal refuses the question for its last result' };
    return isOfNothing(answer) ? { kind: 'empty' } : { kind: 'found', report: reportOf(answer) };
  }

  async execute(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome> {
    const { calls, context, settings } = this.#deps;
    const { clock, currency } = context;
    const refusal =
      refusalOf(command, currency, this.#capabilities.void !== 'none') ??
      (await this.#notLast(command, signal));
    if (refusal) return refusal;
    const outcome = await pay(
      {
        calls,
        conversation: this.#conversation,
        clock,
        command,
        currency,
        settings,
        observer,
        older: this.#older,
        paper: this.#paper,
      },
      signal,
    );
    if (command.kind === 'void' && outcome.kind === 'not_started' && outcome.code === 'TERMINAL_REFUSED')
      this.#narrow({ void: 'none' });
    return outcome;
  }

  /** The protocol has no abort: staff or customer press the red key; closing the connection stops nothing. */
  abort(): void {}

  endOfDay(progress: (text: string) => void, signal: AbortSignal): Promise<CloseOutcome> {
    const { calls, context, settings } = this.#deps;
    const { clock, currency } = context;
    const paper = this.#paper;
    return closeSession(
      { calls, conversation: this.#conversation, clock, currency, settings, progress, paper },
      signal,
    );
  }

  async totals(signal: AbortSignal): Promise<Totals | null> {
    const timeLimit = { name: 'totals', ms: TOTALS_MS };
    const request = totalsRequest(this.#conversation.address);
    const answer = await this.#conversation.ask(request, ({ code }) => code === 'T', timeLimit, signal);
    if (!answer) this.#narrow({ totalsWithoutPaper: false });
    return answer && sumOf(answer, this.#deps.context.currency);
  }

  /** The last payment, while the sum shows that the open session has one: after a close the terminal still reports it. */
  async journal(signal: AbortSignal): Promise<TerminalJournal> {
    const totals = await this.totals(signal);
    const hasSold = (totals?.amountMinor ?? 0) > 0;
    const last = hasSold ? await this.lastTransaction(signal) : undefined;
    const lines = last?.kind === 'found' && last.report.verdict === 'approved' ? [last.report] : [];
    return { complete: false, lines, totals };
  }

  reprint(signal: AbortSignal): Promise<Reprint> {
    const { calls, context, settings } = this.#deps;
    const { clock } = context;
    const [conversation, paper] = [this.#conversation, this.#paper];
    return reprint({ calls, conversation, clock, paper, silenceMs: settings.answerMs }, signal);
  }

  close(): Promise<void> {
    return this.#deps.calls.hangUp();
  }

  /**
   * Why a void is not sent: the terminal voids only its very last payment, so its last result must be the sale to void.
   * Null: it is, or the command is not a void.
   */
  async #notLast(command: MoneyCommand, signal: AbortSignal): Promise<Outcome | null> {
    if (command.kind !== 'void') return null;
    try {
      const answer = await this.#lastResult(signal);
      if (answer && isThis(reportOf(answer), command.original)) return null;
      return notStarted(
        'TERMINAL_CANNOT',
        'The terminal can take back its very last payment only, and this is not it: refund at the terminal itself',
      );
    } catch (error) {
      return notStarted(error instanceof AppError ? error.code : 'DRIVER_FAILED', messageOf(error));
    }
  }

  async #lastResult(signal: AbortSignal): Promise<Answer | null> {
    const request = lastResultRequest(this.#conversation.address);
    const answer = await this.#conversation.ask(request, isResult, this.#timeLimit, signal);
    if (answer) this.#older.reported = answer.text;
    else delete this.#older.reported;
    return answer;
  }

  #status(signal: AbortSignal): Promise<Answer | null> {
    const request = statusRequest(this.#conversation.address);
    return this.#conversation.ask(request, ({ code }) => code === 's', this.#timeLimit, signal);
  }

  get #timeLimit() {
    return { name: 'answer', ms: this.#deps.settings.answerMs };
  }

  #narrow(measured: Partial<Capabilities>): void {
    this.#capabilities = { ...this.#capabilities, ...measured };
  }
}

function isThis(
  report: TransactionReport,
  { trace, amountMinor }: Extract<MoneyCommand, { kind: 'void' }>['original'],
): boolean {
  const isSale = report.kind === 'sale' && report.verdict === 'approved';
  return isSale && trace !== undefined && report.trace === trace && report.amountMinor === amountMinor;
}

function statusRefused(terminalId: string): AppError {
  return new AppError(
    'TERMINAL_REFUSED',
    `the terminal refuses the status question (NAK): it is busy, or its terminal id is not ${terminalId} (option terminal_id)`,
    { retry: 'safe' },
  );
}
