import { connect, type Socket } from 'node:net';

/** A connection to `url` that keeps all it hears. */
export class RawClient {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  heard = '';

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('error', () => undefined);
    this.socket.on('data', (chunk) => {
      this.heard += chunk;
    });
    this.socket.once('end', () => this.socket.destroy());
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  /** Says it; resolves once what was heard holds `answer`, or the connection is closed. */
  async say(text: string, answer = 'HTTP/1.1 '): Promise<string> {
    const before = this.heard.length;
    this.socket.write(text);
    await Promise.race([
      this.closed,
      new Promise<void>((resolve) => {
        const look = () => {
          if (!this.heard.slice(before).includes(answer)) return;
          this.socket.off('data', look);
          resolve();
        };
        this.socket.on('data', look);
      }),
    ]);
    return this.heard.slice(before);
  }

  leave(): void {
    this.socket.destroy();
  }
}

/** A request, byte for byte; `lines` follow the Host. */
export function rawRequest(target: string, lines: readonly string[] = [], method = 'GET', body = ''): string {
  const length =
    body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`, 'Content-Type: application/json'];
  return [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...length, ...lines, '', body].join('\r\n');
}
