import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the agent said, and what the terminal answered before the agent spoke again. */
interface Exchange {
  readonly asked: string;
  readonly answered: Buffer[];
}

/** The agent's acknowledgement inside a dialogue (ZVT). */
const ACKNOWLEDGED = '8000';

/**
 * A machine between the agent and its ZVT terminal. It passes everything on and records it, until it is asked to play: then it answers alone,
 * with what the terminal had answered in one of the recorded payments.
 */
export class ReplayingProxy {
  readonly port: number;
  readonly #target: () => number;
  readonly #payments: Exchange[][] = [[]];
  #plays: readonly Exchange[] | null = null;
  #agent: Socket | null = null;
  /** Commands for money that reached it while it answered alone. */
  deceived = 0;

  private constructor(port: number, target: () => number) {
    this.port = port;
    this.#target = target;
  }

  /** @param target the port of the terminal, once it has one */
  static async start(target: () => number): Promise<ReplayingProxy> {
    const server = createServer((agent) => proxy.#serve(agent));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const proxy: ReplayingProxy = new ReplayingProxy(address.port, target);
    return proxy;
  }

  /** From now on a new payment is recorded. */
  next(): void {
    this.#payments.push([]);
  }

  /** From now on it answers alone, on a connection of its own. @param payment the recorded one, from 0 */
  play(payment: number): void {
    // What was not said in that payment (a greeting, a state) is taken from the others.
    this.#plays = [...this.#payments.flat(), ...(this.#payments[payment] ?? [])];
    this.#agent?.destroy();
  }

  #serve(agent: Socket): void {
    this.#agent = agent;
    agent.on('error', () => undefined);
    const terminal = this.#plays === null ? connect(this.#target(), '127.0.0.1') : null;
    terminal?.on('error', () => undefined);
    terminal?.on('data', (data) => {
      if (this.#plays !== null) return;
      this.#payments.at(-1)?.at(-1)?.answered.push(data);
      agent.write(data);
    });
    terminal?.on('close', () => this.#plays === null && agent.destroy());
    agent.on('close', () => terminal?.destroy());
    let place = 0;
    let waiting = Buffer.alloc(0);
    agent.on('data', (data) => {
      const { frames, rest } = framesOf(Buffer.concat([waiting, data]));
      waiting = rest;
      for (const frame of frames) {
        const asked = frame.subarray(0, 2).toString('hex');
        if (this.#plays === null) {
          this.#payments.at(-1)?.push({ asked, answered: [] });
          terminal?.write(frame);
          continue;
        }
        if (asked === '0601') this.deceived += 1;
        place = asked === ACKNOWLEDGED ? place + 1 : this.#plays.findLastIndex((one) => one.asked === asked);
        for (const answered of this.#plays[place]?.answered ?? []) agent.write(answered);
      }
    });
  }
}

/** Class, instruction, length, data; a length of FF is followed by two bytes of it, the lower one first. */
function framesOf(bytes: Buffer): { readonly frames: readonly Buffer[]; readonly rest: Buffer<ArrayBuffer> } {
  const frames: Buffer[] = [];
  let from = 0;
  for (;;) {
    const isLong = bytes[from + 2] === 0xff;
    const head = isLong ? 5 : 3;
    if (bytes.length < from + head) break;
    const length = isLong ? bytes.readUInt16LE(from + 3) : (bytes[from + 2] ?? 0);
    if (bytes.length < from + head + length) break;
    frames.push(bytes.subarray(from, from + head + length));
    from += head + length;
  }
  return { frames, rest: Buffer.from(bytes.subarray(from)) };
}
