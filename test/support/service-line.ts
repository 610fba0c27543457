import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What the line to the service does: `through` it goes; `refused`: nothing listens; `silent`: connections are taken and never answered,
 * those that stand fall silent; `failing`: 500; `key`: 401 in the service's words.
 */
export type LineMode = 'through' | 'refused' | 'silent' | 'failing' | 'key';

const ANSWERS: Readonly<Partial<Record<LineMode, string>>> = {
  failing: answer('500 Internal Server Error', { type: 'api_error', code: 'internal_error', message: 'no' }),
  key: answer('401 Unauthorized', { type: 'authentication_error', code: 'expired_api_key', message: 'no' }),
};

/** A line between the daemon and the service that a test can cut: real sockets on loopback, one port for its whole life. */
export class ServiceLine {
  readonly url: string;
  /** Hears what goes to the service. */
  heard: (text: string) => void = () => undefined;
  readonly #target: number;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | null;
  #mode: LineMode = 'through';

  private constructor(server: Server, port: number, target: number) {
    this.#server = server;
    this.#port = port;
    this.#target = target;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** @param serviceUrl where the service really is */
  static async to(serviceUrl: string): Promise<ServiceLine> {
    const server = createServer();
    const port = await listening(server, 0);
    const line = new ServiceLine(server, port, Number(new URL(serviceUrl).port));
    server.on('connection', (socket) => line.#take(socket));
    return line;
  }

  /** From now on; connections that stand are cut, or fall silent with it. */
  async becomes(mode: LineMode): Promise<void> {
    this.#mode = mode;
    if (mode !== 'silent') for (const socket of this.#sockets) socket.destroy();
    if (mode === 'refused') return this.stop();
    if (this.#server) return;
    this.#server = createServer((socket) => this.#take(socket));
    await listening(this.#server, this.#port);
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  #take(socket: Socket): void {
    this.#keep(socket);
    const words = ANSWERS[this.#mode];
    if (words !== undefined) socket.on('data', () => socket.end(words));
    else if (this.#mode === 'through') this.#join(socket);
    else socket.resume();
  }

  #join(socket: Socket): void {
    const peer = connect(this.#target, '127.0.0.1');
    this.#keep(peer);
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => this.#mode === 'through' && to.write(bytes));
      from.on('close', () => to.destroy());
    };
    socket.on('data', (bytes) => this.heard(bytes.toString('latin1')));
    pass(socket, peer);
    pass(peer, socket);
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}

function answer(status: string, error: object): string {
  const body = JSON.stringify({ error });
  return [
    `HTTP/1.1 ${status}`,
    'content-type: application/json',
    'service-version: 2026-05-01',
    'www-authenticate: Bearer realm="service"',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
