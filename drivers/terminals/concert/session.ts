import {
  AppError,
  type Capabilities,
  type Clock,
  type CloseOutcome,
  hasCode,
  type LastTransaction,
  type MoneyCommand,
  messageOf,
  type Observer,
  type Outcome,
  type OwnReference,
  type OwnTransaction,
  type Readiness,
  reasonOf,
  type TerminalIdentity,
  type TerminalJournal,
  type TerminalSession,
  type Totals,
} from '../../../src/driver-kit/terminal.ts';
import type { Channel } from './channel.ts';
import { closeOutcomeOf, identityOf, isUnknownAction, ownOf, readinessOf } from './questions.ts';
import type { Settings } from './settings.ts';
import type { Enquiry } from './talk-line.ts';
import { type V3Message, v3Identification, v3Status, v3Telecollection } from './v3-messages.ts';
import { codeOf, NOT_READY } from './words.ts';

/** Longest wait for the answer to a question. */
const ANSWER_MS = 10_000;
/**
 * How long a terminal on a cable that does not answer our ENQ counts as busy and not as unreachable: after a payment whose end never
 * came, and after a call of its own.
 */
const [BUSY_PAYING_MS, BUSY_CALLING_MS] = [180_000, 30_000];
const REPORTS_NOTHING = 'this terminal reports nothing of its past';
/** Errors that prove that the terminal took no frame of ours. */
const NEVER_TAKEN = ['LINK_CLOSED', 'TERMINAL_NOT_HEARD'];
/** Errors of a terminal that takes no question now. */
const BUSY = ['TERMINAL_BUSY', 'TERMINAL_HUNG_UP'];

interface SessionDeps {
  readonly channel: Channel;
  readonly settings: Settings;
  readonly capabilities: Capabilities;
  readonly clock: Clock;
}

/** A session with one terminal. It stores nothing of a payment: the terminal is the source of truth. */
export class ConcertSession implements TerminalSession {
  readonly ownTransaction?: (reference: OwnReference, signal: AbortSignal) => Promise<OwnTransaction>;
  readonly lateEnd?: (
    command: MoneyCommand,
    observer: Observer,
    signal: AbortSignal,
  ) => Promise<Outcome | null>;
  readonly #deps: SessionDeps;
  #capabilities: Capabilities;
  /** Monotonic; until then a silent terminal counts as busy. */
  #busyUntil = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(deps: SessionDeps) {
    const { channel, capabilities } = deps;
    this.#deps = deps;
    this.#capabilities = capabilities;
    if (channel.lateEnd) this.lateEnd = channel.lateEnd.bind(channel);
    if (capabilities.recover === 'by_reference')
      this.ownTransaction = (reference, signal) => this.#own(reference, signal);
  }

  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  async identify(signal: AbortSignal): Promise<TerminalIdentity> {
    const identity = await this.#whoIsThere(signal);
    this.#capabilities = { ...this.#capabilities, identity: identity.grade };
    return identity;
  }

  async readiness(signal: AbortSignal): Promise<Readiness> {
    try {
      if (this.#isEplus) return this.#readinessOf(await this.#enquire(signal));
      return readinessOf(await this.#ask('I', signal));
    } catch (error) {
      if (hasCode(error, 'TERMINAL_NO_ANSWER') && this.#deps.channel.enquire)
        return this.#readinessOf('silent');
      if (!BUSY.some((code) => hasCode(error, code))) throw error;
      return { kind: 'wait', code: 'TERMINAL_BUSY', message: `${messageOf(error)}. One moment please.` };
    }
  }

  async lastTransaction(signal: AbortSignal): Promise<LastTransaction> {
    if (signal.aborted) throw reasonOf(signal);
    this.#mustBeOpen();
    return { kind: 'unreadable', detail: REPORTS_NOTHING };
  }

  async execute(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome> {
    const outcome = await this.#deps.channel.pay(command, observer, signal);
    if (outcome.kind === 'unknown') this.#busyUntil = this.#deps.clock.monotonic() + BUSY_PAYING_MS;
    return outcome;
  }

  /** Neither format has an abort: staff press the stop key. */
  abort(): void {}

  async endOfDay(_progress: (text: string) => void, signal: AbortSignal): Promise<CloseOutcome> {
    const { settings, channel } = this.#deps;
    if (!this.#capabilities.endOfDay)
      return refused('TERMINAL_CANNOT', 'This terminal takes no end of day from a till');
    let handed = false;
    const once = () => {
      handed = true;
    };
    const question = { request: v3Telecollection(settings), action: 'B', ms: settings.customerMs, once };
    try {
      return closeOutcomeOf(await channel.ask(question, signal));
    } catch (error) {
      if (!handed || NEVER_TAKEN.some((code) => hasCode(error, code)))
        return refused(codeOf(error), messageOf(error));
      const message = `It is not known whether the terminal closed its day (${messageOf(error)}). Look at the terminal.`;
      return { kind: 'unknown', code: codeOf(error), message };
    }
  }

  async totals(): Promise<Totals | null> {
    return null;
  }

  async journal(signal: AbortSignal): Promise<TerminalJournal> {
    if (signal.aborted) throw reasonOf(signal);
    this.#mustBeOpen();
    return { complete: false, lines: [], totals: null };
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#deps.channel.close();
  }

  get #isEplus(): boolean {
    return this.#deps.settings.dialect === 'eplus';
  }

  /** A terminal that has a message to send takes no question; its call (ENQ) shows that it is there. */
  async #whoIsThere(signal: AbortSignal): Promise<TerminalIdentity> {
    if (this.#isEplus) {
      const enquiry = await this.#enquire(signal);
      if (enquiry === 'open' || enquiry === 'calls') return { grade: 'port', model: 'Concert E+' };
      const [code, message] = NOT_READY[enquiry];
      throw new AppError(enquiry === 'silent' ? 'TERMINAL_NO_ANSWER' : code, message, { retry: 'safe' });
    }
    try {
      return identityOf(await this.#ask('I', signal));
    } catch (error) {
      const calls = hasCode(error, 'TERMINAL_BUSY') && error.context['calls'] === true;
      if (!calls) throw error;
      return { grade: 'port', model: 'Concert V3' };
    }
  }

  /** E+ has no question but ENQ. */
  async #enquire(signal: AbortSignal): Promise<Enquiry> {
    const { channel } = this.#deps;
    return (await channel.enquire?.(signal)) ?? 'silent';
  }

  /** Neither a busy nor a disconnected terminal answers ENQ: what happened before decides which it is. @throws TERMINAL_NO_ANSWER */
  #readinessOf(enquiry: Enquiry): Readiness {
    if (enquiry === 'open') return { kind: 'ready' };
    const now = this.#deps.clock.monotonic();
    if (enquiry === 'calls') this.#busyUntil = Math.max(this.#busyUntil, now + BUSY_CALLING_MS);
    const [code, message] = NOT_READY[enquiry];
    if (enquiry === 'silent' && now >= this.#busyUntil)
      throw new AppError('TERMINAL_NO_ANSWER', message, { retry: 'safe' });
    return { kind: 'wait', code, message: `${message}. One moment please.` };
  }

  #ask(action: 'I', signal: AbortSignal): Promise<V3Message> {
    const { channel, settings } = this.#deps;
    return channel.ask({ request: v3Identification(settings), action, ms: ANSWER_MS }, signal);
  }

  /** Asks by our reference only. A terminal that does not know the action is not asked again. */
  async #own(reference: OwnReference, signal: AbortSignal): Promise<OwnTransaction> {
    const { channel, settings } = this.#deps;
    const { statusQuery } = settings;
    if (statusQuery === 'none' || this.#capabilities.recover === 'none')
      return { kind: 'unreadable', detail: REPORTS_NOTHING };
    const request = v3Status(settings, statusQuery, reference.attemptId);
    const message = await channel.ask({ request, action: statusQuery, ms: ANSWER_MS }, signal);
    if (!isUnknownAction(message)) return ownOf(message, reference);
    this.#capabilities = { ...this.#capabilities, recover: 'none' };
    return { kind: 'unreadable', detail: `this terminal does not know action ${statusQuery}` };
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new AppError('LINK_CLOSED', 'this conversation is over', { retry: 'safe' });
  }
}

function refused(code: string, message: string): CloseOutcome {
  return { kind: 'refused', code, message: `${message}. Its day is still open; close it at the terminal.` };
}
