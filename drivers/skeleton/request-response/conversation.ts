import {
  AppError,
  type DriverContext,
  frameRecorder,
  hasCode,
  type JsonObject,
  jsonObject,
  type Link,
  maskedJson,
  RequestLine,
  type Sending,
  type TimeLimit,
} from '../../../src/driver-kit/terminal.ts';
import { meaningOf } from './decode.ts';
import { type Request, type Response, readResponse } from './messages.ts';

/** The longest response, bytes. */
const LONGEST_BODY = 16 * 1024;

/** Requests and responses of one session, each on a connection of its own. Nothing is ever repeated. */
export class Conversation {
  readonly #line: RequestLine;
  readonly #context: DriverContext;
  readonly #path: string;
  #asked = 0;

  constructor(link: Link, context: DriverContext, path: string) {
    this.#context = context;
    this.#path = path;
    this.#line = new RequestLine(link, {
      clock: context.clock,
      dial: context.dial,
      openBeside: context.openBeside,
      address: context.address,
      longestBody: LONGEST_BODY,
    });
  }

  /** The first bytes that ever came, to identify a foreign protocol. */
  get heard(): Uint8Array {
    return this.#line.heard;
  }

  /** The response to a question that moves no money. @throws as {@link send} */
  ask(question: Omit<Request, 'id'>, timeLimit: TimeLimit, signal: AbortSignal): Promise<Response> {
    this.#asked += 1;
    return this.send({ id: `${this.#context.clock.now()}-${this.#asked}`, ...question }, timeLimit, signal);
  }

  /** The response to this request. @throws TERMINAL_GARBLED where it is none; what the line throws */
  async send(
    request: Request,
    timeLimit: TimeLimit,
    signal: AbortSignal,
    sending?: Sending,
  ): Promise<Response> {
    const body = new TextEncoder().encode(JSON.stringify(request));
    this.#note('sent', body);
    const post = { method: 'POST', path: this.#path, type: 'application/json', body } as const;
    const answer = await this.#line.send(post, timeLimit, signal, sending);
    this.#note('received', answer.body);
    if (answer.status !== 200) throw garbled(`it answered with the HTTP status ${answer.status}`);
    const response = readResponse(documentIn(answer.body));
    if (!response) throw garbled('it is no response of the protocol');
    if (response.id !== request.id) throw garbled('it is the response to another request');
    return response;
  }

  close(): Promise<void> {
    return this.#line.close();
  }

  #note(direction: 'sent' | 'received', body: Uint8Array): void {
    const record = frameRecorder(this.#context.transcript);
    try {
      const { name, fields } = meaningOf(jsonObject(body));
      record(direction, name, maskedJson(fields) as JsonObject);
    } catch (error) {
      if (!hasCode(error, 'DECODE_MALFORMED')) throw error;
      record(direction, 'unreadable', { bytes: body.length });
    }
  }
}

function documentIn(body: Uint8Array): unknown {
  try {
    return jsonObject(body);
  } catch (error) {
    if (!hasCode(error, 'DECODE_MALFORMED')) throw error;
    return undefined;
  }
}

function garbled(why: string): AppError {
  return new AppError('TERMINAL_GARBLED', `the terminal's answer cannot be read: ${why}`, {
    retry: 'safe',
    moneyMoved: 'unknown',
  });
}
