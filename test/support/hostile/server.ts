import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { hasCode } from '../../../src/base/errors.ts';
import type { JsonObject, SourcePage } from '../../../src/integration/connector.ts';
import type { Random } from '../../simulation/random.ts';
import type { HostileProvider } from './provider.ts';

/** How often it does what, per request, where only HTTP can. */
export interface HttpMischief {
  /** The answer breaks off in the middle. */
  readonly cut: number;
  /** The JSON ends too early, with a length that fits. */
  readonly truncated: number;
  readonly redirect: number;
  /** A small answer that unpacks to 200 MB. */
  readonly bomb: number;
  readonly serverError: number;
}

export const HTTP_PEACE: HttpMischief = { cut: 0, truncated: 0, redirect: 0, bomb: 0, serverError: 0 };

const BOMB_BYTES = 200 * 1024 * 1024;
const MOST_PATH = 8_192;

/**
 * The hostile source over HTTP: `GET /invoices?from=MS&to=MS&page=TOKEN` gives
 * `{"data": [{"id", "updated_at", "deleted", …}], "has_more", "next_page"}`; `GET /invoices/ID` one record.
 * A bad record of the provider is one whose `total` is no number.
 */
export class HostileServer {
  mischief: HttpMischief = HTTP_PEACE;
  /** How long it thinks, ms. */
  pause: () => number = () => 0;
  /** Told of each answer that was sent whole: the path that was asked for, whether it is a list with nothing in it, and whether it is its end. */
  onAnswered: (answer: {
    readonly path: string;
    readonly isEmpty: boolean;
    readonly isLast: boolean;
  }) => void = () => undefined;
  readonly #provider: HostileProvider;
  readonly #random: Random;
  readonly #server: Server;
  #bomb: Buffer | null = null;

  constructor(provider: HostileProvider, random: Random) {
    this.#provider = provider;
    this.#random = random;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Listens on loopback alone; 0 for any free port. @returns its port */
  start(port = 0): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => {
        const address = this.#server.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#misbehaves(response)) return;
    const pause = this.pause();
    if (pause > 0) await sleep(pause);
    const path = request.url?.slice(0, MOST_PATH) ?? '/';
    try {
      const body = await this.#bodyOf(path);
      const isEmpty = Array.isArray(body['data']) && body['data'].length === 0;
      const isLast = body['has_more'] === false;
      if (this.#answer(response, 200, body)) this.onAnswered({ path, isEmpty, isLast });
    } catch (error) {
      this.#refuse(response, error);
    }
  }

  async #bodyOf(path: string): Promise<JsonObject> {
    const url = new URL(path, 'http://127.0.0.1');
    const [, resource = '', id] = url.pathname.split('/');
    if (id !== undefined) {
      const record = await this.#provider.get?.(resource, decodeURIComponent(id));
      return record ? { data: lineOf(record) } : { error: 'not found' };
    }
    const from = url.searchParams.get('from');
    const to = Number(url.searchParams.get('to') ?? Number.MAX_SAFE_INTEGER);
    const window = { from: from === null ? null : Number(from), to };
    return bodyOf(await this.#provider.list(resource, window, url.searchParams.get('page')));
  }

  #misbehaves(response: ServerResponse): boolean {
    const { redirect, bomb, serverError } = this.mischief;
    if (this.#random.chance(redirect)) {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end();
      return true;
    }
    if (this.#random.chance(serverError)) {
      response.writeHead(503).end();
      return true;
    }
    if (!this.#random.chance(bomb)) return false;
    this.#bomb ??= gzipSync(Buffer.alloc(BOMB_BYTES, 32));
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(this.#bomb);
    return true;
  }

  /** @returns whether it was sent whole */
  #answer(response: ServerResponse, status: number, body: JsonObject): boolean {
    const text = JSON.stringify(body);
    const { headerSkewMs } = this.#provider.shape;
    response.sendDate = false;
    const date = headerSkewMs === null ? {} : { date: new Date(Date.now() + headerSkewMs).toUTCString() };
    const headers = { 'content-type': 'application/json', ...date };
    if (this.#random.chance(this.mischief.cut)) {
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
      return false;
    }
    const isShort = this.#random.chance(this.mischief.truncated);
    response.writeHead(status, headers).end(isShort ? text.slice(0, text.length - 2) : text);
    return !isShort;
  }

  #refuse(response: ServerResponse, error: unknown): void {
    if (hasCode(error, 'SOURCE_RATE_LIMITED')) {
      const details = error.context['details'];
      const ms = Number(Reflect.get(Object(details), 'retryAfterMs'));
      response
        .writeHead(429, { 'retry-after': String(Math.ceil(ms / 1000)) })
        .end('{"error":"too many requests"}');
      return;
    }
    if (hasCode(error, 'SOURCE_FORBIDDEN')) {
      response.writeHead(403).end(JSON.stringify({ error: error.message }));
      return;
    }
    if (hasCode(error, 'SOURCE_MALFORMED')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"items_v2":');
      return;
    }
    response.destroy();
  }
}

function bodyOf(page: SourcePage): JsonObject {
  const bad = page.bad.map(({ id }) => ({
    ...(id === null ? {} : { id }),
    updated_at: 'yesterday',
    total: 'much',
  }));
  return { data: [...page.records.map(lineOf), ...bad], has_more: page.next !== null, next_page: page.next };
}

function lineOf({ id, updatedAt, deleted, fields }: SourcePage['records'][number]): JsonObject {
  return { id, updated_at: updatedAt, deleted, total: 1, ...fields };
}
