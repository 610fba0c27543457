import {
  BasicSession,
  BUSY,
  type Capabilities,
  type DriverContext,
  garbled,
  hasCode,
  type LastTransaction,
  type Link,
  type MessageRecorder,
  type MoneyCommand,
  messageRecorder,
  type Observer,
  type Outcome,
  READY,
  type Readiness,
  stillBusy,
  type TerminalIdentity,
} from '../../../src/driver-kit/terminal.ts';
import type { Line } from './line.ts';
import { meaningOf } from './meaning.ts';
import { type Answer, LAST, readAnswer, WHO } from './messages.ts';
import { pay } from './payment.ts';
import { reportOf } from './report.ts';

/** Longest wait for the answer to a question. */
const ANSWER = { name: 'answer', ms: 5000 };

interface SessionDeps {
  readonly link: Link;
  readonly line: Line;
  readonly context: DriverContext;
  readonly capabilities: Capabilities;
  readonly customerMs: number;
}

/** A session with one terminal. It stores nothing: the terminal is the source of truth. */
export class SampleSession extends BasicSession {
  readonly capabilities: Capabilities;
  readonly #deps: SessionDeps;
  readonly #note: MessageRecorder;

  constructor(deps: SessionDeps) {
    super();
    this.#deps = deps;
    this.#note = messageRecorder(deps.context.transcript, (data) => meaningOf(data, 0));
    this.capabilities = deps.capabilities;
  }

  async identify(signal: AbortSignal): Promise<TerminalIdentity> {
    const { serial, terminalId } = await this.#ask(WHO, 'who', signal);
    return { grade: 'serial', serial, terminalId, model: 'sample' };
  }

  async readiness(signal: AbortSignal): Promise<Readiness> {
    const { ready } = await this.#ask(WHO, 'who', signal);
    return ready ? READY : BUSY;
  }

  async lastTransaction(signal: AbortSignal): Promise<LastTransaction> {
    const answer = await this.#ask(LAST, ['last', 'nothing'], signal);
    if (answer.kind === 'nothing') return { kind: 'empty' };
    return { kind: 'found', report: reportOf(answer.fields, 'unknown') };
  }

  execute(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome> {
    const { line, context, customerMs } = this.#deps;
    const note = this.#note;
    const { clock, currency } = context;
    return pay({ line, clock, command, currency, observer, customerMs, note }, signal);
  }

  async close(): Promise<void> {
    this.#deps.line.mute();
    await this.#deps.link.close();
  }

  /**
   * Sends a question that moves no money.
   * @throws TERMINAL_BUSY when the result of an older sale comes instead; a question must not acknowledge it.
   * TERMINAL_NOT_HEARD, TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, TERMINAL_GARBLED
   */
  async #ask<Kind extends Answer['kind']>(
    question: Uint8Array,
    wanted: Kind | readonly Kind[],
    signal: AbortSignal,
  ): Promise<Extract<Answer, { kind: Kind }>> {
    const { line } = this.#deps;
    line.drain();
    this.#note('sent', question);
    await line.send(question, signal);
    while (true) {
      const event = await line.receive(ANSWER, signal);
      if (event.kind !== 'frame') continue;
      this.#note('received', event.data);
      const answer = readOrGarbled(event.data);
      if (answer.kind === 'result' || answer.kind === 'end') throw stillBusy();
      await line.acknowledge();
      if (isOneOf(answer, wanted)) return answer;
    }
  }
}

function isOneOf<Kind extends Answer['kind']>(
  answer: Answer,
  wanted: Kind | readonly Kind[],
): answer is Extract<Answer, { kind: Kind }> {
  return [wanted].flat().some((kind) => kind === answer.kind);
}

function readOrGarbled(data: Uint8Array): Answer {
  try {
    return readAnswer(data);
  } catch (cause) {
    throw hasCode(cause, 'DECODE_MALFORMED') ? garbled(cause.message, cause) : cause;
  }
}
