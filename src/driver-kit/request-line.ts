import type { Clock } from '../base/clock.ts';
import type { Link, NetworkAddress, OpenLink } from '../terminal/link.ts';
import { ExchangeLine } from './exchange-line.ts';
import { concatBytes } from './hex.ts';
import { type HttpAnswer, HttpAnswerReader } from './http-answer.ts';
import type { TimeLimit } from './inbox.ts';
import type { Sending } from './once.ts';

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

/**
 * HTTP to a terminal: one request on one connection, and its answer. Nothing is ever repeated, and no redirect is followed: an answer
 * of any status is an answer.
 */
export class RequestLine {
  readonly #line: ExchangeLine<HttpAnswer>;
  readonly #host: string;

  constructor(first: Link, parts: RequestLineParts) {
    this.#line = new ExchangeLine(first, parts, {
      reader: () => new HttpAnswerReader(parts.longestBody),
      frame: (request) => request,
    });
    this.#host = hostOf(parts.address);
  }

  /** The first bytes that ever came, for the recognition of other protocols. */
  get heard(): Uint8Array {
    return this.#line.heard;
  }

  /** Sends a request and returns the answer. @throws as `ExchangeLine.send` */
  async send(
    request: HttpRequest,
    timeLimit: TimeLimit,
    signal: AbortSignal,
    sending?: Sending,
  ): Promise<HttpAnswer> {
    const bytes = encodeHttpRequest(request, this.#host);
    return this.#line.send(bytes, (answer) => answer, timeLimit, signal, sending);
  }

  /** Sends a request on a connection beside the one that waits for its answer. @throws as {@link send} */
  async sendBeside(request: HttpRequest, timeLimit: TimeLimit, signal: AbortSignal): Promise<HttpAnswer> {
    const bytes = encodeHttpRequest(request, this.#host);
    return this.#line.sendBeside(bytes, (answer) => answer, timeLimit, signal);
  }

  close(): Promise<void> {
    return this.#line.close();
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
