import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import fastifyPlugin from 'fastify-plugin';
import type { Api } from '../api.ts';

/** Connections beyond the cap, for the moment that a closed connection needs to disappear. */
const SLACK = 64;
/**
 * Requests of one connection that may wait for their responses, or arrive in one turn of the event loop. A till sends its next request only
 * after the response.
 */
const MAX_AT_ONCE = 8;

interface Connection {
  /** Under TLS: the outer one until the handshake is done, then the inner one. */
  socket: Socket;
  readonly address: string;
  /** Logical time of the last use. */
  usedAt: number;
  /** A request arrived on it. */
  asked: boolean;
  /** The client showed a valid key on it, or came by the unix socket. */
  known: boolean;
  /** Requests that started in this turn of the event loop. */
  thisTurn: number;
  /** Requests in progress, event streams included. */
  working: number;
  readonly requests: Set<Exchange>;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Limits the connections of a listener, and counts the requests in progress on each. */
export const connectionLimit = fastifyPlugin(
  async (api: Api, { connections }: { readonly connections: Connections }) => {
    const ends = new WeakMap<IncomingMessage, () => void>();
    connections.watch(api.server);
    const over = (raw: IncomingMessage) => {
      ends.get(raw)?.();
      ends.delete(raw);
    };
    api.addHook('preHandler', async ({ raw }, reply) => {
      ends.set(raw, connections.works(raw.socket));
      // The end of an event stream, which sends nothing through the hook below.
      reply.raw.once('close', () => over(raw));
    });
    // From then on only the client's reading is awaited.
    api.addHook('onSend', async ({ raw }) => over(raw));
    api.addHook('preClose', async () => connections.closeUnused());
  },
);

/**
 * The open connections of one listener, at most `max`.
 * Why not only node's cap: it closes the newest, so that a local process without a key that holds idle connections blocks the till without
 * limit. Here the new connection is accepted, and the least useful one is closed.
 *
 * INVARIANTS:
 * - a connection with a request in progress is never closed for another;
 * - connections without a valid key are closed before those with one, idle ones before those that still send or read; within one rank, one of
 *   the address that holds most, its longest unused;
 * - a client that sends many requests without waiting for their responses is disconnected: one turn executes all that it reads, up to two
 *   megabytes, and meanwhile no terminal is answered.
 */
export class Connections {
  readonly #max: number;
  readonly #open = new Map<Duplex, Connection>();
  #moment = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Tracks every connection of a server from its start. */
  watch(server: Server): void {
    server.maxConnections = this.#max + SLACK;
    server.on('connection', (socket: Socket) => this.#opened(socket));
    server.on('secureConnection', (socket: Socket) => this.#secured(socket));
    server.prependListener('request', (request, response) => this.#began(request, response));
  }

  /** A request on it had a valid key. */
  knows(socket: Duplex): void {
    const connection = this.#open.get(socket);
    if (connection) connection.known = true;
  }

  /** A request on it is in progress from now on; call the returned function when it ends. */
  works(socket: Duplex): () => void {
    const connection = this.#open.get(socket);
    if (!connection) return () => undefined;
    connection.working += 1;
    return () => {
      connection.working -= 1;
    };
  }

  /** Closes connections that never sent a request: under TLS, node waits for their handshakes when it stops. */
  closeUnused(): void {
    for (const { socket, asked } of this.#open.values()) if (!asked) socket.destroy();
  }

  /** Whether it is open, and its TLS handshake done. */
  has(socket: Duplex): boolean {
    return this.#open.has(socket);
  }

  /** False while the response to an earlier request is due or in transit: the client would take any other bytes for it. */
  maySpeak(socket: Duplex): boolean {
    const requests = [...(this.#open.get(socket)?.requests ?? [])];
    return (
      requests.length <= 1 &&
      requests.every(({ request, response }) => !request.complete && !response.headersSent)
    );
  }

  #opened(socket: Socket): void {
    const connection: Connection = {
      socket,
      address: socket.remoteAddress ?? '',
      usedAt: this.#now(),
      asked: false,
      known: false,
      thisTurn: 0,
      working: 0,
      requests: new Set(),
    };
    if (this.#open.size >= this.#max && !this.#closeOne()) {
      socket.destroy();
      return;
    }
    this.#open.set(socket, connection);
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Requests arrive on the socket inside the encryption: it replaces the outer one. */
  #secured(socket: Socket): void {
    const found = [...this.#open.values()].find(
      (one) => one.socket.remotePort === socket.remotePort && one.address === socket.remoteAddress,
    );
    if (!found) return;
    this.#open.delete(found.socket);
    found.socket = socket;
    this.#open.set(socket, found);
    socket.once('close', () => this.#open.delete(socket));
  }

  #began(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (!connection) return;
    const exchange = { request, response };
    connection.requests.add(exchange);
    connection.asked = true;
    if (connection.thisTurn === 0)
      setImmediate(() => {
        connection.thisTurn = 0;
      });
    connection.thisTurn += 1;
    if (Math.max(connection.thisTurn, connection.requests.size) > MAX_AT_ONCE) connection.socket.destroy();
    let unfinished = 2;
    const over = () => {
      unfinished -= 1;
      connection.usedAt = this.#now();
      if (unfinished === 0) connection.requests.delete(exchange);
    };
    request.once('close', over);
    response.once('close', over);
  }

  #closeOne(): boolean {
    const victim = leastUseful([...this.#open.values()]);
    if (!victim) return false;
    this.#open.delete(victim.socket);
    victim.socket.destroy();
    return true;
  }

  #now(): number {
    this.#moment += 1;
    return this.#moment;
  }
}

/** The connection to close for another; undefined when all have a request in progress. */
function leastUseful(connections: readonly Connection[]): Connection | undefined {
  const free = connections.filter(({ working }) => working === 0);
  const lowest = Math.min(...free.map(standingOf));
  const candidates = free.filter((connection) => standingOf(connection) === lowest);
  const held = new Map<string, number>();
  for (const { address } of candidates) held.set(address, (held.get(address) ?? 0) + 1);
  const most = Math.max(...held.values());
  return candidates
    .filter(({ address }) => held.get(address) === most)
    .reduce<Connection | undefined>(
      (oldest, one) => (oldest && oldest.usedAt <= one.usedAt ? oldest : one),
      undefined,
    );
}

/** 0: no key was shown; 1: known and idle; 2: known, sending a request or reading a response. */
function standingOf({ known, requests }: Connection): number {
  if (!known) return 0;
  return requests.size === 0 ? 1 : 2;
}
