import type { Clock } from '../base/clock.ts';
import { AppError, hasCode, messageOf } from '../base/errors.ts';
import type { Link, NetworkAddress, OpenLink } from '../terminal/link.ts';
import { Exchange } from './exchange.ts';
import { concatBytes } from './hex.ts';
import { type HttpAnswer, HttpAnswerReader } from './http-answer.ts';
import { reasonOf, type TimeLimit } from './inbox.ts';
import type { Sending } from './once.ts';
import { PerExchange } from './per-exchange.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** `/nexo`; visible ASCII without spaces. */
  readonly path: string;
  /** The media type of `body`. */
  readonly type?: string;
  readonly body?: Uint8Array;
}

export interface RequestLineParts {
  readonly clock: Clock;
  readonly dial: OpenLink;
  readonly openBeside: OpenLink;
  /** Of the terminal, for the Host header. */
  readonly address: NetworkAddress | undefined;
  /** The longest body of an answer, bytes. */
  readonly longestBody: number;
}

const HEARD_KEPT = 64;

/**
 * HTTP to a terminal: one request on one connection, and its answer. Nothing is ever repeated, and no redirect is followed: an answer
 * of any status is an answer.
 */
export class RequestLine {
  readonly #parts: RequestLineParts;
  readonly #connections: PerExchange;
  #heard: Uint8Array = new Uint8Array();

  constructor(first: Link, parts: RequestLineParts) {
    this.#parts = parts;
    this.#connections = new PerExchange(first, parts.dial);
  }

  /** The first bytes that ever came, for the recognition of other protocols. */
  get heard(): Uint8Array {
    return this.#heard;
  }

  /**
   * Sends a request and returns the answer. `handed` is called once all bytes were handed over; when it returns false, the line falls silent.
   * `begun` is called just before the write: after it, an error proves nothing, except LINK_CLOSED.
   * @throws LINK_REFUSED, LINK_CLOSED (nothing was sent); LINK_LOST; TERMINAL_NO_ANSWER after `timeLimit`; TERMINAL_LINK_LOST where the
   * connection ends before the answer does; TERMINAL_GARBLED where the answer is none; NOT_STORED; the signal's reason
   */
  async send(
    request: HttpRequest,
    timeLimit: TimeLimit,
    signal: AbortSignal,
    sending?: Sending,
  ): Promise<HttpAnswer> {
    return this.#connections.over(signal, (link) =>
      this.#exchange(link, request, timeLimit, signal, sending),
    );
  }

  /** Sends a request on a connection beside the one that waits for its answer. @throws as {@link send} */
  async sendBeside(request: HttpRequest, timeLimit: TimeLimit, signal: AbortSignal): Promise<HttpAnswer> {
    const link = await this.#parts.openBeside(signal);
    try {
      if (signal.aborted) throw reasonOf(signal);
      return await this.#exchange(link, request, timeLimit, signal);
    } finally {
      await link.abandon();
    }
  }

  async #exchange(
    link: Link,
    request: HttpRequest,
    timeLimit: TimeLimit,
    signal: AbortSignal,
    sending?: Sending,
  ): Promise<HttpAnswer> {
    const { clock, longestBody, address } = this.#parts;
    const bytes = encodeHttpRequest(request, hostOf(address));
    const reader = new HttpAnswerReader(longestBody);
    const exchange = new Exchange<HttpAnswer>(link, clock, reader);
    exchange.start();
    sending?.begun();
    try {
      await link.write(bytes);
      if (sending?.handed() === false)
        throw new AppError('NOT_STORED', 'it could not be stored that the request was sent');
      return await exchange.next(timeLimit, signal);
    } catch (error) {
      throw readable(error);
    } finally {
      if (this.#heard.length === 0) this.#heard = reader.heard.slice(0, HEARD_KEPT);
    }
  }

  close(): Promise<void> {
    return this.#connections.close();
  }
}

/** `terminal` where it has no address in the network. */
function hostOf(address: NetworkAddress | undefined): string {
  if (!address) return 'terminal';
  const { host, port } = address;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The bytes of a request that asks for no further one on its connection. */
export function encodeHttpRequest({ method, path, type, body }: HttpRequest, host: string): Uint8Array {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Accept: application/json',
    'Connection: close',
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ];
  const head = new TextEncoder().encode(`${lines.join('\r\n')}\r\n\r\n`);
  return body === undefined ? head : concatBytes(head, body);
}

function readable(error: unknown): unknown {
  if (!hasCode(error, 'DECODE_MALFORMED')) return error;
  return new AppError('TERMINAL_GARBLED', `the terminal's answer cannot be read: ${messageOf(error)}`, {
    retry: 'safe',
    moneyMoved: 'unknown',
    cause: error,
  });
}
