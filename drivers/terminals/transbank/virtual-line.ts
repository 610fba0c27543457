import { type Clock, sleep } from '../../../src/base/clock.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';

const [STX, ETX, ACK, NAK] = [0x02, 0x03, 0x06, 0x15];
/** A frame that stops in the middle is dropped after this silence, ms. */
const GAP_MS = 200;
const LONGEST_TEXT = 1024;
/** How long it takes to process a frame, ms. */
const LOOK_MS = 10;

/** The reaction to a frame that arrived whole. */
export type Taking = 'ack' | 'nak' | 'ignore';

interface LineHabits {
  readonly acknowledgeMs: number;
  readonly answerRepeats: number;
}

/** The terminal's side of the line. It does not share the driver's framing, because shared code would hide the same error on both sides. */
export class VirtualLine {
  readonly wire: Wire;
  readonly #clock: Clock;
  readonly #habits: LineHabits;
  #sign: ((sign: 'ack' | 'nak') => void) | undefined;
  #sending: Promise<unknown> = Promise.resolve();
  #frame: number[] | undefined;
  #heardAt = 0;

  constructor(wire: Wire, clock: Clock, habits: LineHabits) {
    this.wire = wire;
    this.#clock = clock;
    this.#habits = habits;
  }

  /** The texts that the till sends and `take` acknowledges. */
  async *texts(take: (text: string) => Taking): AsyncGenerator<string> {
    for await (const chunk of this.wire.bytes())
      for (const byte of chunk) {
        const frame = this.#frameClosedBy(byte);
        if (frame === undefined) continue;
        // First finishes the dialogue that the byte before may have ended: a till may send 06 and its next command together.
        await sleep(this.#clock, LOOK_MS, this.wire.ended, 'sandbox look').catch(() => undefined);
        const text = textOf(frame);
        const taking = text === undefined ? 'nak' : take(text);
        if (taking !== 'ignore') this.wire.control(taking === 'ack' ? ACK : NAK);
        if (taking === 'ack' && text !== undefined) yield text;
      }
  }

  /** The frame that this byte completes. */
  #frameClosedBy(byte: number): readonly number[] | undefined {
    const now = this.#clock.monotonic();
    if (now - this.#heardAt > GAP_MS) this.#frame = undefined;
    this.#heardAt = now;
    const frame = this.#grown(this.#frame, byte);
    const isWhole = frame?.at(-2) === ETX;
    this.#frame = isWhole ? undefined : frame;
    return isWhole ? frame : undefined;
  }

  /**
   * Sends a text, again after each NAK and each silence, as often as this terminal does; true once the till has acknowledged it.
   * One text at a time. @throws the reason of `power` when the power goes.
   */
  send(text: string, power: AbortSignal, repeats = this.#habits.answerRepeats): Promise<boolean> {
    const sent = this.#sending.catch(() => undefined).then(() => this.#send(frameOf(text), power, repeats));
    this.#sending = sent.catch(() => undefined);
    return sent;
  }

  async #send(frame: Uint8Array, power: AbortSignal, repeats: number): Promise<boolean> {
    for (let sent = 0; sent <= repeats; sent += 1) {
      power.throwIfAborted();
      if (this.wire.ended.aborted) return false;
      const sign = this.#nextSign(power);
      this.wire.frame(frame);
      const heard = await sign;
      power.throwIfAborted();
      if (heard === 'ack') return true;
    }
    return false;
  }

  /** The received part of a frame plus one byte; undefined outside a frame. The byte after 03 may be anything. */
  #grown(frame: number[] | undefined, byte: number): number[] | undefined {
    if (frame?.at(-1) === ETX) return [...frame, byte];
    if (byte === STX) return [byte];
    if (frame) return frame.length > LONGEST_TEXT ? undefined : [...frame, byte];
    if (byte === ACK) this.#sign?.('ack');
    if (byte === NAK) this.#sign?.('nak');
    return undefined;
  }

  #nextSign(power: AbortSignal): Promise<'ack' | 'nak' | 'silence'> {
    const { promise, resolve } = Promise.withResolvers<'ack' | 'nak' | 'silence'>();
    const ends = [power, this.wire.ended];
    const onEnd = () => resolve('silence');
    const timer = this.#clock.timer('sandbox acknowledgement', this.#habits.acknowledgeMs, onEnd);
    this.#sign = resolve;
    for (const end of ends) end.addEventListener('abort', onEnd, { once: true });
    return promise.finally(() => {
      timer.stop();
      this.#sign = undefined;
      for (const end of ends) end.removeEventListener('abort', onEnd);
    });
  }
}

function frameOf(text: string): Uint8Array {
  const body = [...Buffer.from(text, 'latin1'), ETX];
  return Uint8Array.from([STX, ...body, body.reduce((check, byte) => check ^ byte, 0)]);
}

/** The text between STX and ETX, if the LRC fits. */
function textOf(frame: readonly number[]): string | undefined {
  const body = frame.slice(1, -1);
  const check = body.reduce((sum, byte) => sum ^ byte, 0);
  return check === frame.at(-1) ? String.fromCharCode(...body.slice(0, -1)) : undefined;
}
