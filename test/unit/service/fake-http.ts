import type { AppError } from '../../../src/base/errors.ts';
import type { HttpClient, HttpReply, HttpRequest } from '../../../src/net/http-client.ts';

export type Reply = {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly dateMs?: number | null;
};

/** The body of a refusal, where a test does not care which. */
const REFUSED = { error: { type: 'api_error', code: 'some_code', message: 'm' } };

/** HTTP as a function of the request; what it throws is what the line does. */
export class FakeHttp implements HttpClient {
  readonly requests: HttpRequest[] = [];
  readonly #answer: (request: HttpRequest) => Reply | AppError | Promise<Reply | AppError>;
  readonly #now: () => number;

  constructor(
    now: () => number,
    answer: (request: HttpRequest) => Reply | AppError | Promise<Reply | AppError>,
  ) {
    this.#now = now;
    this.#answer = answer;
  }

  async request(request: HttpRequest): Promise<HttpReply> {
    this.requests.push(request);
    const reply = await this.#answer(request);
    if (reply instanceof Error) throw reply;
    const { status, body = status < 400 ? {} : REFUSED, headers = {}, dateMs = this.#now() } = reply;
    return {
      status,
      text: JSON.stringify(body),
      headers: { 'service-version': '2026-05-01', ...headers },
      dateMs,
    };
  }

  async close(): Promise<void> {}

  /** `METHOD /path` of each request. */
  get lines(): readonly string[] {
    return this.requests.map((request) => `${request.method} ${request.path}`);
  }
}
