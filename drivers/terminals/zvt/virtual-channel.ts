import type { Clock, Timer } from '../../../src/base/clock.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import { type Apdu, encodeApdu } from './virtual-apdu.ts';
import type { Line } from './virtual-line.ts';

/** The till's answer to a command: `80 00 00`, `84 xx`, or none in time; `arrived` false: the till never received the command. */
export type Reply =
  | { readonly kind: 'positive' }
  | { readonly kind: 'negative' }
  | { readonly kind: 'missing'; readonly arrived: boolean };

/** True for packets that answer a command of the terminal. */
export function isReply(apdu: Apdu): boolean {
  const cls = apdu.command >> 8;
  return cls === 0x80 || cls === 0x84;
}

/**
 * Commands and answers over one connection.
 * Why: the terminal waits for an answer to each of its commands, and the wait must start before the command is sent.
 * An unexpected reply is dropped.
 */
export class Channel {
  readonly #line: Line;
  readonly #clock: Clock;
  readonly #t3Ms: number;
  #waiter: ((reply: Reply) => void) | undefined;

  constructor(line: Line, clock: Clock, t3Ms: number) {
    this.#line = line;
    this.#clock = clock;
    this.#t3Ms = t3Ms;
  }

  get wire(): Wire {
    return this.#line.wire;
  }

  /** Passes in a reply that arrived; `84 00 00` is positive, too. */
  replied(apdu: Apdu): void {
    const code = apdu.command & 0xff;
    this.#waiter?.(code === 0 ? { kind: 'positive' } : { kind: 'negative' });
  }

  /** The till's next command also proves that it received the last packet. */
  repliedByGoingOn(): void {
    this.#waiter?.({ kind: 'positive' });
  }

  /** Sends an answer to a command of the till, after any packet in progress. */
  answer(command: number, data: readonly number[] = []): void {
    this.#line.send(encodeApdu(command, data)).catch(() => undefined);
  }

  /**
   * Sends a command to the till and waits for its answer, T3 at most; an ended connection answers nothing.
   * @throws the reason of `power` when the power goes.
   */
  async ask(apdu: Uint8Array, power: AbortSignal): Promise<Reply> {
    power.throwIfAborted();
    const reply = await this.#exchange(apdu, power);
    power.throwIfAborted();
    return reply;
  }

  #exchange(apdu: Uint8Array, power: AbortSignal): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const ends = [power, this.wire.ended];
    let timer: Timer | undefined;
    const done = (reply: Reply) => {
      timer?.stop();
      for (const end of ends) end.removeEventListener('abort', onEnd);
      if (this.#waiter === done) this.#waiter = undefined;
      resolve(reply);
    };
    const onEnd = () => done({ kind: 'missing', arrived: false });
    if (ends.some((end) => end.aborted)) onEnd();
    else {
      for (const end of ends) end.addEventListener('abort', onEnd, { once: true });
      this.#waiter = done;
      this.#line.send(apdu).then((arrived) => {
        if (!arrived) onEnd();
        else if (this.#waiter === done) timer = this.#startT3(() => done({ kind: 'missing', arrived: true }));
      }, onEnd);
    }
    return promise;
  }

  #startT3(onTimeUp: () => void): Timer {
    return this.#clock.timer('sandbox T3', this.#t3Ms, onTimeUp);
  }
}
