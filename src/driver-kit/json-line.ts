import type { z } from 'zod';
import { hasCode } from '../base/errors.ts';
import type { Link } from '../terminal/link.ts';
import type { DriverContext } from '../terminal/ports.ts';
import { garbled } from './garbled.ts';
import type { TimeLimit } from './inbox.ts';
import { type JsonMeaning, type JsonObject, jsonObject, maskedJson } from './json-message.ts';
import type { Sending } from './once.ts';
import { type HttpRequest, RequestLine } from './request-line.ts';
import { type MessageRecorder, messageRecorder } from './transcript.ts';

export interface JsonProtocol<Response> {
  /** Path of the requests. */
  readonly path: string;
  /** The longest response, bytes. */
  readonly longestBody: number;
  /** Name and fields of a message for the transcript, which masks card numbers and leaves secrets out. */
  readonly meaning: JsonMeaning;
  /** What a response is: strict where money depends on it. */
  readonly response: z.ZodType<Response>;
  /** Encrypted messages. `open` returns undefined for what was not made with our key. */
  readonly security?:
    | {
        readonly seal: (message: Uint8Array) => Uint8Array;
        readonly open: (body: Uint8Array) => Uint8Array | undefined;
      }
    | undefined;
}

/** JSON over HTTP, each request posted on a connection of its own (`RequestLine`), and recorded in the transcript. Nothing is ever repeated. */
export class JsonLine<Response> {
  readonly #line: RequestLine;
  readonly #protocol: JsonProtocol<Response>;
  readonly #record: MessageRecorder;

  constructor(first: Link, context: DriverContext, protocol: JsonProtocol<Response>) {
    const { clock, dial, openBeside, address } = context;
    const { longestBody } = protocol;
    this.#line = new RequestLine(first, { clock, dial, openBeside, address, longestBody });
    this.#protocol = protocol;
    this.#record = messageRecorder(context.transcript, (message) => {
      const { name, fields } = protocol.meaning(jsonObject(message));
      return { name, fields: maskedJson(fields) as JsonObject };
    });
  }

  /** The first bytes that ever came, for the recognition of other protocols. */
  get heard(): Uint8Array {
    return this.#line.heard;
  }

  /** Whose response it is, the caller compares. @throws TERMINAL_GARBLED for another HTTP status than 200 and for what is none; as `RequestLine.send` */
  async send(
    document: object,
    timeLimit: TimeLimit,
    signal: AbortSignal,
    sending?: Sending,
  ): Promise<Response> {
    const { status, body } = await this.#line.send(this.#post(document), timeLimit, signal, sending);
    const message = this.#opened(body);
    this.#record('received', message ?? body);
    if (status !== 200) throw garbled(`it answered with the HTTP status ${status}`);
    if (!message) throw garbled('it is not encrypted with the key of this device');
    const { data } = this.#protocol.response.safeParse(jsonIn(message));
    if (data === undefined) throw garbled('it is no response of the protocol');
    return data;
  }

  /** For a request whose answer has no content. @throws TERMINAL_GARBLED for another HTTP status than 2xx; as `RequestLine.sendBeside` */
  async sendBeside(document: object, timeLimit: TimeLimit, signal: AbortSignal): Promise<void> {
    const { status } = await this.#line.sendBeside(this.#post(document), timeLimit, signal);
    if (status < 200 || status > 299) throw garbled(`it answered with the HTTP status ${status}`);
  }

  close(): Promise<void> {
    return this.#line.close();
  }

  #post(document: object): HttpRequest {
    const { path, security } = this.#protocol;
    const message = new TextEncoder().encode(JSON.stringify(document));
    this.#record('sent', message);
    return { method: 'POST', path, type: 'application/json', body: security?.seal(message) ?? message };
  }

  #opened(body: Uint8Array): Uint8Array | undefined {
    const { security } = this.#protocol;
    if (!security) return body;
    return unlessMalformed(() => security.open(body));
  }
}

function jsonIn(message: Uint8Array): JsonObject | undefined {
  return unlessMalformed(() => jsonObject(message));
}

function unlessMalformed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (hasCode(error, 'DECODE_MALFORMED')) return undefined;
    throw error;
  }
}
