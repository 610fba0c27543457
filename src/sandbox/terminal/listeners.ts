import { createServer, type Server, type Socket } from 'node:net';
import type { Clock, Timer } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { BytePipe } from './byte-pipe.ts';

/** Accepts the connections of tills to a virtual terminal. */
export interface Listener {
  /** `tcp://127.0.0.1:PORT` or the path of the pty; stays the same after it is reopened. */
  readonly address: string;
  open(): Promise<void>;
  /** Accepts no new connections; idempotent. The terminal ends the open ones. */
  close(): Promise<void>;
  /** Closes it for good and removes its files. */
  remove(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const TRY_AGAIN_MS = 100;

/**
 * Listens on loopback. Port 0: any free port, and the same one again when the power comes back.
 * @throws SANDBOX_PORT_TAKEN from the first `open`.
 */
export class TcpListener implements Listener {
  readonly #clock: Clock;
  readonly #onPipe: (pipe: BytePipe) => void;
  #port: number;
  #server: Server | undefined;
  #retry: Timer | undefined;
  #openedOnce = false;

  constructor(port: number, clock: Clock, onPipe: (pipe: BytePipe) => void) {
    this.#port = port;
    this.#clock = clock;
    this.#onPipe = onPipe;
  }

  get address(): string {
    return `tcp://${LOOPBACK}:${this.#port}`;
  }

  async open(): Promise<void> {
    if (this.#server) return;
    const server = createServer({ noDelay: true }, (socket) => this.#onPipe(pipeOf(socket)));
    this.#server = server;
    try {
      await listening(server, this.#port);
      this.#openedOnce = true;
      this.#port = portOf(server) ?? this.#port;
    } catch (cause) {
      if (this.#server === server) this.#server = undefined;
      if (this.#openedOnce) this.#openLater();
      else
        throw new AppError('SANDBOX_PORT_TAKEN', `cannot listen on ${this.address}: ${messageOf(cause)}`, {
          cause,
        });
    }
  }

  async close(): Promise<void> {
    this.#retry?.stop();
    const server = this.#server;
    this.#server = undefined;
    if (server?.listening) server.close();
  }

  remove(): Promise<void> {
    return this.close();
  }

  /** Another program may have taken the port while the terminal was off. */
  #openLater(): void {
    this.#retry = this.#clock.timer('sandbox listen again', TRY_AGAIN_MS, () => {
      this.open().catch(() => undefined);
    });
  }
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: LOOPBACK, port }, () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      resolve();
    });
  });
}

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : undefined;
}

function pipeOf(socket: Socket): BytePipe {
  socket.on('error', () => undefined);
  return {
    kind: 'tcp',
    bytes: { [Symbol.asyncIterator]: () => chunksOf(socket) },
    closed: new Promise((resolve) => socket.once('close', resolve)),
    write: async (bytes) => {
      if (socket.writable) socket.write(bytes);
    },
    close: async () => void socket.destroySoon(),
  };
}

async function* chunksOf(socket: Socket): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      if (chunk instanceof Uint8Array) yield chunk;
    }
  } catch {
    return;
  }
}
