import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Beyond the cap, for the moment that a closed connection takes to be gone. */
const SLACK = 64;
/**
 * Requests of one connection that may wait for their answers, or come in one turn of the event loop; no till sends the next one before
 * it has the answer.
 */
const MAX_AT_ONCE = 8;

interface Connection {
  /** Under TLS: the outer one until the handshake is done, then the inner one. */
  socket: Socket;
  readonly address: string;
  /** Our own count of moments: when it was last of use. */
  usedAt: number;
  /** A request has come on it. */
  asked: boolean;
  /** Somebody showed a good key on it, or came by the unix socket. */
  known: boolean;
  /** Requests that began in this turn of the event loop. */
  thisTurn: number;
  /** Requests that are being carried out, event streams among them. */
  working: number;
  readonly requests: Set<Exchange>;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * The open connections of one listener, at most `max`.
 * Why not the cap of node alone: it closes the newest, so that whoever holds the places idle, on this machine without any key, keeps
 * the till out for as long as they like. Here the newcomer gets in, and the one that is of least use goes.
 *
 * INVARIANTS:
 * - a connection whose request is being carried out is never closed for another;
 * - strangers go before those who showed a key, idle ones before those that still send or read; of the same standing, one of the
 *   address that holds most goes, its longest unused;
 * - whoever sends many requests without waiting for their answers is cut off: what one turn reads is carried out in that turn, two
 *   megabytes of it, and meanwhile no terminal is answered.
 */
export class Connections {
  readonly #max: number;
  readonly #open = new Map<Duplex, Connection>();
  #moment = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Watches every connection of a server from its first moment on. */
  watch(server: Server): void {
    server.maxConnections = this.#max + SLACK;
    server.on('connection', (socket: Socket) => this.#opened(socket));
    server.on('secureConnection', (socket: Socket) => this.#secured(socket));
    server.prependListener('request', (request, response) => this.#began(request, response));
  }

  /** A request on it came with a good key. */
  knows(socket: Duplex): void {
    const connection = this.#open.get(socket);
    if (connection) connection.known = true;
  }

  /** Its request is carried out from now on; call the returned function when that is over. */
  works(socket: Duplex): () => void {
    const connection = this.#open.get(socket);
    if (!connection) return () => undefined;
    connection.working += 1;
    return () => {
      connection.working -= 1;
    };
  }

  /** Closes those that never came to a request: under TLS, node waits for their handshakes when it stops. */
  closeUnused(): void {
    for (const { socket, asked } of this.#open.values()) if (!asked) socket.destroy();
  }

  /** Whether it is open, and its TLS handshake done. */
  has(socket: Duplex): boolean {
    return this.#open.has(socket);
  }

  /** False while an answer of an earlier request is due or on its way: any other bytes would be taken for it. */
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

  /** Requests come by the socket inside the encryption: it takes the place of the outer one. */
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
    let halves = 2;
    const over = () => {
      halves -= 1;
      connection.usedAt = this.#now();
      if (halves === 0) connection.requests.delete(exchange);
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

/** The one to close for another; undefined when every one is at work. */
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

/** 0: a stranger; 1: known and idle; 2: known, sending a request or reading an answer. */
function standingOf({ known, requests }: Connection): number {
  if (!known) return 0;
  return requests.size === 0 ? 1 : 2;
}
