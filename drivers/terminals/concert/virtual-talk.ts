import type { Clock } from '../../../src/base/clock.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';

const [STX, ETX, EOT, ENQ, ACK, NAK] = [0x02, 0x03, 0x04, 0x05, 0x06, 0x15];
/** Longest wait for the answer to a byte. */
const ANSWERED_WITHIN_MS = 3000;
const FRAME_SENDS = 3;
/** A frame that stops in the middle is dropped after this silence. */
const GAP_MS = 500;
const LONGEST_TEXT = 512;

/** The callbacks of the line to the terminal. */
export interface TalkDeps {
  readonly clock: Clock;
  /** Whether an ENQ of the till is accepted now. */
  readonly mayEnquire: () => 'yes' | 'no' | 'refused';
  /** A text of the till, already acknowledged. */
  readonly onText: (text: string) => void;
  /** Whether even parity is sent in bit 7. */
  readonly parity: boolean;
}

/** The terminal's side of the cable. It does not share the driver's framing, because shared code would hide the same error on both sides. */
export class VirtualTalk {
  readonly wire: Wire;
  readonly #deps: TalkDeps;
  #answer: ((sign: 'ack' | 'nak') => void) | undefined;
  /** The till's ENQ was acknowledged. */
  #isOpen = false;
  #isCalling = false;

  constructor(wire: Wire, deps: TalkDeps) {
    this.wire = wire;
    this.#deps = deps;
  }

  /** Listens until the wire ends. */
  async listen(): Promise<void> {
    let frame: number[] | undefined;
    let heardAt = 0;
    for await (const chunk of this.wire.bytes()) {
      for (const raw of chunk) {
        const now = this.#deps.clock.monotonic();
        if (frame && now - heardAt > GAP_MS) frame = undefined;
        heardAt = now;
        frame = this.#grown(frame, raw & 0x7f);
        if (frame?.at(-2) !== ETX) continue;
        this.#frame(frame);
        frame = undefined;
      }
    }
  }

  /**
   * Calls (ENQ) and sends a text; true once the till has acknowledged it. `calls`: how often it calls.
   * @throws the reason of `power` when the power goes
   */
  async send(text: string, calls: number, power: AbortSignal): Promise<boolean> {
    this.#isCalling = true;
    try {
      if (!(await this.#asked(calls, () => this.wire.control(ENQ), power))) return false;
      const bytes = this.#coded(frameOf(text));
      return await this.#asked(FRAME_SENDS, () => this.wire.frame(bytes), power);
    } finally {
      this.#isCalling = false;
    }
  }

  /** EOT alone: the dialogue is over. */
  hangUp(): void {
    this.wire.control(EOT);
  }

  /** Repeats a send until it is acknowledged, at most `times` times. */
  async #asked(times: number, say: () => void, power: AbortSignal): Promise<boolean> {
    for (let tries = 0; tries < times; tries += 1) {
      power.throwIfAborted();
      if (this.wire.ended.aborted) return false;
      const sign = this.#sign(power);
      say();
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
    if (byte === ENQ) this.#enquired();
    if (byte === EOT) this.#isOpen = false;
    if (byte === ACK) this.#answer?.('ack');
    if (byte === NAK) this.#answer?.('nak');
    return undefined;
  }

  /** A terminal that has a message to send does not listen. */
  #enquired(): void {
    if (this.#isCalling) return;
    const may = this.#deps.mayEnquire();
    this.#isOpen = may === 'yes';
    if (may !== 'no') this.wire.control(may === 'yes' ? ACK : NAK);
  }

  #frame(frame: readonly number[]): void {
    if (!this.#isOpen) return;
    const text = textOf(frame);
    this.wire.control(text === undefined ? NAK : ACK);
    if (text !== undefined) this.#deps.onText(text);
  }

  #sign(power: AbortSignal): Promise<'ack' | 'nak' | 'silence'> {
    const { promise, resolve } = Promise.withResolvers<'ack' | 'nak' | 'silence'>();
    const ends = [power, this.wire.ended];
    const onEnd = () => resolve('silence');
    const timer = this.#deps.clock.timer('sandbox acknowledgement', ANSWERED_WITHIN_MS, onEnd);
    this.#answer = resolve;
    for (const end of ends) end.addEventListener('abort', onEnd, { once: true });
    return promise.finally(() => {
      timer.stop();
      this.#answer = undefined;
      for (const end of ends) end.removeEventListener('abort', onEnd);
    });
  }

  /** Controls are sent without parity. */
  #coded(bytes: readonly number[]): Uint8Array {
    return Uint8Array.from(this.#deps.parity ? bytes.map(withParity) : bytes);
  }
}

function frameOf(text: string): number[] {
  const body = [...Buffer.from(text, 'latin1'), ETX];
  return [STX, ...body, body.reduce((check, byte) => check ^ byte, 0)];
}

/** The text between STX and ETX, if the LRC fits. */
function textOf(frame: readonly number[]): string | undefined {
  const body = frame.slice(1, -1);
  const check = body.reduce((sum, byte) => sum ^ byte, 0);
  return check === frame.at(-1) ? String.fromCharCode(...body.slice(0, -1)) : undefined;
}

function withParity(byte: number): number {
  let isOdd = false;
  for (let rest = byte; rest > 0; rest = Math.floor(rest / 2)) if (rest % 2 === 1) isOdd = !isOdd;
  return isOdd ? byte + 0x80 : byte;
}
