import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { indexOfId, recordOf } from '../../src/sandbox/service/catalogue.ts';

/** What it is started with; the first message to this process. */
export interface LeanOptions {
  readonly customers: number;
}

/** How often a payment was reported under different keys; an answer to the message `received`. */
export interface Received {
  readonly creates: Readonly<Record<string, number>>;
  readonly results: Readonly<Record<string, number>>;
}

const PAYMENTS = '/v2/terminal-payments';
const CUSTOMERS = '/v2/customers';
const DEVICES = '/v2/terminal-devices';
const PAGE = 100;

/**
 * A service that answers at once and keeps nothing but what was reported to it, for a load under which the stand-in, which writes all that it
 * knows with every change, would be what is measured.
 */
class LeanService {
  readonly #customers: number;
  readonly #keys = new Map<string, string>();
  readonly #creates = new Map<string, number>();
  readonly #results = new Map<string, number>();

  constructor(customers: number) {
    this.#customers = customers;
  }

  /** @returns status and body */
  answer(method: string, url: URL, key: string, body: Record<string, unknown>): readonly [number, unknown] {
    const path = url.pathname;
    if (method === 'POST' && path === PAYMENTS) return this.#create(String(body['id']), key);
    const [, id, what] = /^\/v2\/terminal-payments\/([^/]+)(\/result)?$/.exec(path) ?? [];
    if (method === 'POST' && id && what) return this.#result(id, key, body);
    if (id) return this.#creates.has(id) ? [200, { data: { id, status: 'requested' } }] : NOT_FOUND;
    if (path === CUSTOMERS) return [200, this.#page(url.searchParams)];
    if (path === `${CUSTOMERS}/external/batch`) return [200, { data: takenOf(body['customers']) }];
    if (path.startsWith(`${DEVICES}/`)) return [200, { data: { id: path.slice(DEVICES.length + 1) } }];
    if (method === 'GET') return [200, { object: 'list', data: [], has_more: false }];
    return NOT_FOUND;
  }

  get received(): Received {
    return { creates: Object.fromEntries(this.#creates), results: Object.fromEntries(this.#results) };
  }

  #create(id: string, key: string): readonly [number, unknown] {
    if (!this.#keys.has(key)) this.#creates.set(id, (this.#creates.get(id) ?? 0) + 1);
    this.#keys.set(key, id);
    return [201, { data: { id, status: 'requested' } }];
  }

  #result(id: string, key: string, { status }: Record<string, unknown>): readonly [number, unknown] {
    if (!this.#keys.has(key)) this.#results.set(id, (this.#results.get(id) ?? 0) + 1);
    this.#keys.set(key, id);
    return [200, { data: { id, status } }];
  }

  #page(query: URLSearchParams): unknown {
    const after = query.get('starting_after');
    const offset =
      after === null ? Number(query.get('offset') ?? 0) : (indexOfId('customers', after) ?? 0) + 1;
    const count = Math.max(0, Math.min(PAGE, this.#customers - offset));
    const data = Array.from({ length: count }, (_, index) => recordOf('customers', offset + index));
    return { object: 'list', data, has_more: offset + count < this.#customers };
  }
}

function takenOf(customers: unknown): unknown {
  if (!Array.isArray(customers)) return [];
  return customers.map(({ external_id }) => ({ external_id, id: external_id, status: 'created' }));
}

const NOT_FOUND = [404, { error: { type: 'invalid_request_error', code: 'resource_not_found' } }] as const;

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return pieces.length === 0 ? {} : (JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>);
}

function serve({ customers }: LeanOptions): void {
  const service = new LeanService(customers);
  const server = createServer((request, reply) => {
    void bodyOf(request).then((body) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const key = String(request.headers['idempotency-key'] ?? '');
      const [status, answer] = service.answer(request.method ?? '', url, key, body);
      const headers = { 'content-type': 'application/json', 'service-version': '2026-05-01' };
      reply.writeHead(status, headers).end(JSON.stringify(answer));
    });
  });
  process.on('message', (word) => word === 'received' && process.send?.(service.received));
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

process.once('message', (options) => serve(options as LeanOptions));
/** It ends with whoever asked for it. */
process.on('disconnect', () => process.exit(0));
