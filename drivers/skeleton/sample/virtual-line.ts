import type { Clock } from '../../../src/base/clock.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import type { TerminalLine } from './virtual-firmware.ts';

const [STX, ETX, ACK, NAK] = [0x02, 0x03, 0x06, 0x15];
/** A frame that is not acknowledged within this time is repeated; the number of sends in all. */
const ACKNOWLEDGED_WITHIN_MS = 2000;
const SENDS = 3;
/** A frame that stops in the middle is dropped after this silence. */
const GAP_MS = 200;
const LONGEST_TEXT = 200;

/** The terminal's side of the line. It does not share the driver's framing, because shared code would hide the same error on both sides. */
export class VirtualLine implements TerminalLine {
  readonly wire: Wire;
  readonly #clock: Clock;
  #answer: ((sign: 'ack' | 'nak') => void) | undefined;

  constructor(wire: Wire, clock: Clock) {
    this.wire = wire;
    this.#clock = clock;
  }

  /** The texts that the till sends, each acknowledged. */
  async *texts(): AsyncGenerator<string> {
    let frame: number[] | undefined;
    let heardAt = 0;
    for await (const chunk of this.wire.bytes()) {
      for (const byte of chunk) {
        const now = this.#clock.monotonic();
        if (frame && now - heardAt > GAP_MS) frame = undefined;
        heardAt = now;
        frame = this.#grown(frame, byte);
        if (frame?.at(-2) !== ETX) continue;
        const text = textOf(frame);
        frame = undefined;
        this.wire.control(text === undefined ? NAK : ACK);
        if (text !== undefined) yield text;
      }
    }
  }

  /** Sends a text; true once the till has acknowledged it. @throws the reason of `power` when the power goes. */
  async send(text: string, power: AbortSignal): Promise<boolean> {
    const bytes = frameOf(text);
    for (let sent = 0; sent < SENDS; sent += 1) {
      power.throwIfAborted();
      if (this.wire.ended.aborted) return false;
      const sign = this.#sign(power);
      this.wire.frame(bytes);
      const heard = await sign;
      power.throwIfAborted();
      if (heard === 'ack') return true;
    }
    return false;
  }

  /** The received part of a frame plus one byte; undefined outside a frame. */
  #grown(frame: number[] | undefined, byte: number): number[] | undefined {
    if (frame?.at(-1) === ETX) return [...frame, byte];
    if (byte === STX) return [byte];
    if (frame) return frame.length > LONGEST_TEXT ? undefined : [...frame, byte];
    if (byte === ACK) this.#answer?.('ack');
    if (byte === NAK) this.#answer?.('nak');
    return undefined;
  }

  #sign(power: AbortSignal): Promise<'ack' | 'nak' | 'silence'> {
    const { promise, resolve } = Promise.withResolvers<'ack' | 'nak' | 'silence'>();
    const ends = [power, this.wire.ended];
    const onEnd = () => resolve('silence');
    const timer = this.#clock.timer('sandbox acknowledgement', ACKNOWLEDGED_WITHIN_MS, onEnd);
    this.#answer = resolve;
    for (const end of ends) end.addEventListener('abort', onEnd, { once: true });
    return promise.finally(() => {
      timer.stop();
      this.#answer = undefined;
      for (const end of ends) end.removeEventListener('abort', onEnd);
    });
  }
}

function frameOf(text: string): Uint8Array {
  const body = [...Array.from(text, (character) => character.charCodeAt(0)), ETX];
  return Uint8Array.from([STX, ...body, body.reduce((check, byte) => check ^ byte, 0)]);
}

/** The text between STX and ETX, if the LRC fits. */
function textOf(frame: readonly number[]): string | undefined {
  const body = frame.slice(1, -1);
  const check = body.reduce((sum, byte) => sum ^ byte, 0);
  return check === frame.at(-1) ? String.fromCharCode(...body.slice(0, -1)) : undefined;
}
