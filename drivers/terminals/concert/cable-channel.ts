import {
  AppError,
  hasCode,
  type Link,
  type MoneyCommand,
  type Observer,
  type Outcome,
} from '../../../src/driver-kit/terminal.ts';
import type { Channel, Question } from './channel.ts';
import type { Language } from './language.ts';
import { type LinePayment, lateEndOnLine, payOnLine } from './line-payment.ts';
import type { ChannelDeps } from './session-parts.ts';
import { type Enquiry, TalkLine } from './talk-line.ts';
import type { V3Message } from './v3-messages.ts';
import { NOT_READY, readAnswer } from './words.ts';

/** How long a terminal may take to end the dialogue (EOT) after its answer to a question. */
const END_MS = 3000;

/** Either format on a serial line or USB: one line stays open, and both sides send on it. */
export class CableChannel implements Channel {
  readonly #link: Link;
  readonly #deps: ChannelDeps;
  readonly #language: Language;
  readonly #line: TalkLine;

  constructor(link: Link, deps: ChannelDeps, language: Language) {
    const { context, settings, note } = deps;
    this.#link = link;
    this.#deps = deps;
    this.#language = language;
    this.#line = new TalkLine(link, context.clock, settings.sevenDataBits, note);
    this.#line.start();
  }

  get heard(): Uint8Array {
    return this.#line.heard;
  }

  listen(ms: number, signal: AbortSignal): Promise<boolean> {
    return this.#line.listen(ms, signal);
  }

  async enquire(signal: AbortSignal): Promise<Enquiry> {
    const enquiry = await this.#line.enquire(signal);
    if (enquiry === 'open') await this.#line.hangUp();
    return enquiry;
  }

  async ask(question: Question, signal: AbortSignal): Promise<V3Message> {
    const enquiry = await this.#line.enquire(signal);
    if (enquiry !== 'open') throw notReady(enquiry);
    await this.#hand(question, signal);
    try {
      return await this.#answerTo(question, signal);
    } catch (error) {
      throw hasCode(error, 'LINK_CLOSED') ? lost(error) : error;
    }
  }

  pay(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome> {
    return payOnLine(this.#payment(command, observer), signal);
  }

  lateEnd(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome | null> {
    return lateEndOnLine(this.#payment(command, observer), signal);
  }

  async close(): Promise<void> {
    this.#line.mute();
    await this.#link.close();
  }

  async #hand({ request, once }: Question, signal: AbortSignal): Promise<void> {
    if (once) await this.#line.sendMoney(request, once, signal);
    else await this.#line.send(request, signal);
  }

  async #answerTo({ action, ms }: Question, signal: AbortSignal): Promise<V3Message> {
    await this.#line.hangUp();
    const message = readAnswer(await this.#line.frame('answer', ms, signal));
    if (!answers(message, action)) throw notReady('calls');
    await this.#line.acknowledge();
    await this.#line.behind(END_MS, signal);
    return message;
  }

  #payment(command: MoneyCommand, observer: Observer): LinePayment {
    const { context, settings } = this.#deps;
    return {
      line: this.#line,
      clock: context.clock,
      language: this.#language,
      command,
      observer,
      customerMs: settings.customerMs,
    };
  }
}

/** Whether this answers that question. A message without its action is the end of an older payment, unless it refuses the message itself. */
function answers(message: V3Message, action: string): boolean {
  const named = message.get('CD');
  if (named !== undefined) return named === action;
  return ['09', '12'].includes(message.get('AF')?.slice(0, 2) ?? '');
}

/** `context.calls`: the terminal is there, and has a message to send first. */
function notReady(enquiry: Exclude<Enquiry, 'open'>): AppError {
  const [code, message] = NOT_READY[enquiry];
  return new AppError(enquiry === 'silent' ? 'TERMINAL_NO_ANSWER' : code, message, {
    retry: 'safe',
    context: { calls: enquiry === 'calls' },
  });
}

/** The line ended after a frame that the terminal may have received. */
function lost(cause: AppError): AppError {
  return new AppError('TERMINAL_LINK_LOST', 'the connection to the terminal was lost', {
    retry: 'after_recovery',
    moneyMoved: 'unknown',
    cause,
  });
}
