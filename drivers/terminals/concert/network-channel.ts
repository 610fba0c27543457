import {
  conclude,
  garbled,
  hasCode,
  type Link,
  type MoneyCommand,
  messageOf,
  type Observer,
  type Outcome,
  PerExchange,
  unknownOutcome,
} from '../../../src/driver-kit/terminal.ts';
import type { Channel, Question } from './channel.ts';
import type { ReadResult } from './language.ts';
import { NetworkExchange } from './network-exchange.ts';
import type { ChannelDeps } from './session-parts.ts';
import type { V3 } from './v3.ts';
import { type V3Message, withLineEnd } from './v3-messages.ts';
import { codeOf, notStarted, readAnswer, readable } from './words.ts';

/**
 * V3 over TCP: one connection per exchange, with one request and one answer.
 *
 * INVARIANT: a payment is written once, on a connection that carries nothing else.
 */
export class NetworkChannel implements Channel {
  readonly #deps: ChannelDeps;
  readonly #language: V3;
  readonly #connections: PerExchange;
  #heard = new Uint8Array();

  constructor(first: Link, deps: ChannelDeps, language: V3) {
    this.#connections = new PerExchange(first, deps.context.dial);
    this.#deps = deps;
    this.#language = language;
  }

  get heard(): Uint8Array {
    return this.#heard;
  }

  ask({ request, action, ms, once }: Question, signal: AbortSignal): Promise<V3Message> {
    return this.#over(signal, async (exchange) => {
      once?.();
      await this.#write(exchange, request);
      const lacksNothing = () => false;
      const message = readAnswer(await this.#answer(exchange, 'answer', ms, lacksNothing, signal));
      const named = message.get('CD');
      if (named !== undefined && named !== action) throw garbled(`it is that of action ${named}`);
      return message;
    });
  }

  async pay(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome> {
    const state = { handed: false };
    try {
      const request = this.#language.money(command);
      return await this.#over(signal, async (exchange) => {
        state.handed = true;
        await this.#write(exchange, request);
        return await this.#paid(exchange, command, observer, signal);
      });
    } catch (error) {
      const never = !state.handed || hasCode(error, 'LINK_CLOSED');
      const [code, message] = [codeOf(error), messageOf(error)];
      return never ? notStarted(code, message) : unknownOutcome(code, message);
    }
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  /** No message confirms that the terminal took the request: a connection that took all bytes counts as confirmation. */
  async #paid(
    exchange: NetworkExchange,
    command: MoneyCommand,
    observer: Observer,
    signal: AbortSignal,
  ): Promise<Outcome> {
    if (!observer.accepted())
      return unknownOutcome('NOT_STORED', 'it could not be stored that the payment was sent');
    const language = this.#language;
    const isLacking = (message: V3Message) => language.isLacking(message, command);
    const data = await this.#answer(exchange, 'customer', this.#deps.settings.customerMs, isLacking, signal);
    const read = readable(() => language.read(data, command));
    if (read === null)
      return unknownOutcome('TERMINAL_RESULT_UNCLEAR', 'the terminal answered something else');
    return concluded(read, command, observer);
  }

  async #write(exchange: NetworkExchange, request: Uint8Array): Promise<void> {
    this.#deps.note('sent', request);
    await exchange.write(this.#deps.settings.lineEnd ? withLineEnd(request) : request);
  }

  async #answer(
    exchange: NetworkExchange,
    name: string,
    ms: number,
    isLacking: (message: V3Message) => boolean,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    try {
      const data = await exchange.answer(name, ms, isLacking, signal);
      this.#deps.note('received', data);
      return data;
    } finally {
      if (this.#heard.length === 0) this.#heard = Uint8Array.from(exchange.heard);
    }
  }

  /** Runs one exchange on a connection of its own. @throws LINK_REFUSED, LINK_CLOSED (nothing was sent), what `task` throws */
  #over<T>(signal: AbortSignal, task: (exchange: NetworkExchange) => Promise<T>): Promise<T> {
    const { clock } = this.#deps.context;
    return this.#connections.over(signal, (link) => task(new NetworkExchange(link, clock)));
  }
}

/** The answer is also the end of the dialogue: there is no acknowledgement. */
function concluded(read: ReadResult, command: MoneyCommand, observer: Observer): Outcome {
  const { report, receipts, words } = read;
  const outcome =
    report.verdict === 'unclear'
      ? unknownOutcome('TERMINAL_RESULT_UNCLEAR', words, report)
      : conclude(report, { kind: 'completed', message: words }, receipts, command.kind);
  return observer.beforeAcknowledge(report, outcome) ? outcome : notStored(read);
}

function notStored({ report }: ReadResult): Outcome {
  return unknownOutcome('NOT_STORED', "the terminal's answer could not be stored", report);
}
