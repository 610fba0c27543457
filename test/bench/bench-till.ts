import { randomUUID } from 'node:crypto';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';

/** What a till saw of one payment, on the clock of `performance.now()`. */
export interface SeenPayment {
  readonly id: string;
  readonly askedAt: number;
  /** When the answer to its request was here. */
  readonly acceptedAt: number;
  /** When its end came over the event stream. */
  readonly visibleAt: number;
  readonly status: string;
}

interface Seen {
  readonly status: string;
  readonly at: number;
}

const FINAL = /"type":"terminal_payment\.(succeeded|declined|cancelled|error)"/;
const SUBJECT = /"id":"([0-9a-f-]{36})"/;

/** Till software: asks for a payment over the unix socket and waits on the event stream for its end. */
export class BenchTill {
  readonly #socketPath: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  readonly #seen = new Map<string, Seen>();
  readonly #waiting = new Map<string, (seen: Seen) => void>();
  #stream: ClientRequest | undefined;

  readonly #currency: string;

  constructor(socketPath: string, currency: string) {
    this.#socketPath = socketPath;
    this.#currency = currency;
  }

  /** Opens the event stream. */
  async open(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = { accept: 'text/event-stream' };
    this.#stream = request({ socketPath: this.#socketPath, path: '/v2/events/stream', headers }, resolve);
    this.#stream.once('error', reject).end();
    let rest = '';
    (await promise).setEncoding('utf8').on('data', (piece: string) => {
      const messages = (rest + piece).split('\n\n');
      rest = messages.pop() ?? '';
      for (const message of messages) this.#heard(message);
    });
  }

  /** One sale from the request to its end. */
  async pay(deviceId: string, amountMinor: number): Promise<SeenPayment> {
    const text = JSON.stringify({ device_id: deviceId, amount_minor: amountMinor, currency: this.#currency });
    const askedAt = performance.now();
    const answer = await this.#post('/v2/terminal-payments', text);
    const acceptedAt = performance.now();
    const id = SUBJECT.exec(answer)?.[1];
    if (id === undefined) throw new Error(`no payment: ${answer}`);
    const { status, at } = await this.#endOf(id);
    return { id, askedAt, acceptedAt, visibleAt: at, status };
  }

  close(): void {
    this.#stream?.destroy();
    this.#agent.destroy();
  }

  #endOf(id: string): Promise<Seen> {
    const seen = this.#seen.get(id);
    if (seen) return Promise.resolve(seen);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  #heard(message: string): void {
    const status = FINAL.exec(message)?.[1];
    if (status === undefined) return;
    const at = performance.now();
    const id = /"(?:object|data)":\{[^{]*?"id":"([0-9a-f-]{36})"/.exec(message)?.[1] ?? '';
    const waiting = this.#waiting.get(id);
    if (!waiting) this.#seen.set(id, { status, at });
    waiting?.({ status, at });
    this.#waiting.delete(id);
  }

  #post(path: string, text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const options = { socketPath: this.#socketPath, method: 'POST', path, headers, agent: this.#agent };
      const asked = request(options, (reply) => {
        let answer = '';
        reply.setEncoding('utf8').on('data', (piece: string) => {
          answer += piece;
        });
        reply.once('end', () => (reply.statusCode === 201 ? resolve(answer) : reject(new Error(answer))));
      });
      asked.once('error', reject);
      asked.end(text);
    });
  }
}
