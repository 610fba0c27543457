import type { Clock } from '../../../src/base/clock.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import type { Ecr17VirtualOptions } from './virtual-options.ts';

const [SOH, STX, ETX, EOT, ACK, NAK] = [0x01, 0x02, 0x03, 0x04, 0x06, 0x15];
const SENDS = 3;
/** A packet that stops in the middle is dropped after this silence. */
const GAP_MS = 300;
const LONGEST_TEXT = 1200;
const PROGRESS_WIDTH = 20;

type Mode = Ecr17VirtualOptions['lrc'];

/** The terminal's side of the line. It does not share the driver's framing, because shared code would hide the same error on both sides. */
export class VirtualLine {
  readonly wire: Wire;
  readonly #clock: Clock;
  readonly #mode: Mode;
  readonly #timeLimitMs: number;
  #answered: ((sign: 'ack' | 'nak') => void) | undefined;

  constructor(wire: Wire, clock: Clock, { lrc, acknowledgementMs }: Ecr17VirtualOptions) {
    this.wire = wire;
    this.#clock = clock;
    this.#mode = lrc;
    this.#timeLimitMs = acknowledgementMs;
  }

  /** The intact texts of the till; the caller decides whether they are acknowledged. Damaged ones get a NAK here. */
  async *texts(): AsyncGenerator<string> {
    let packet: number[] = [];
    let heardAt = 0;
    for await (const chunk of this.wire.bytes()) {
      for (const byte of chunk) {
        const now = this.#clock.monotonic();
        if (now - heardAt > GAP_MS) packet = [];
        heardAt = now;
        packet = grown(packet, byte);
        if (!isWhole(packet)) continue;
        const text = this.#finished(packet);
        packet = [];
        if (text !== undefined) yield text;
      }
    }
  }

  ack(): void {
    this.#control(ACK);
  }

  nak(): void {
    this.#control(NAK);
  }

  /** A progress message; it is not acknowledged. */
  progress(words: string): void {
    const text = words.slice(0, PROGRESS_WIDTH).padEnd(PROGRESS_WIDTH);
    this.wire.frame(Uint8Array.from([SOH, ...Buffer.from(text, 'latin1'), EOT]));
  }

  /** Sends a text; true once the till has acknowledged it. @throws the reason of `power` when the power goes. */
  async send(text: string, power: AbortSignal): Promise<boolean> {
    const data = [...Buffer.from(text, 'latin1')];
    const frame = Uint8Array.from([STX, ...data, ETX, checkOf(data, this.#mode)]);
    for (let sent = 0; sent < SENDS; sent += 1) {
      power.throwIfAborted();
      if (this.wire.ended.aborted) return false;
      const sign = this.#sign(power);
      this.wire.frame(frame);
      const heard = await sign;
      power.throwIfAborted();
      if (heard === 'ack') return true;
    }
    return false;
  }

  #control(byte: number): void {
    this.wire.frame(Uint8Array.of(byte, ETX, checkOf([byte], this.#mode)));
  }

  #finished(packet: readonly number[]): string | undefined {
    const [first] = packet;
    const data = first === STX ? packet.slice(1, -2) : packet.slice(0, 1);
    const intact = checkOf(data, this.#mode) === packet.at(-1);
    if (first === STX) {
      if (intact) return String.fromCharCode(...data);
      this.nak();
      return undefined;
    }
    if (intact) this.#answered?.(first === ACK ? 'ack' : 'nak');
    return undefined;
  }

  #sign(power: AbortSignal): Promise<'ack' | 'nak' | 'silence'> {
    const { promise, resolve } = Promise.withResolvers<'ack' | 'nak' | 'silence'>();
    const ends = [power, this.wire.ended];
    const onEnd = () => resolve('silence');
    const timer = this.#clock.timer('sandbox acknowledgement', this.#timeLimitMs, onEnd);
    this.#answered = resolve;
    for (const end of ends) end.addEventListener('abort', onEnd, { once: true });
    return promise.finally(() => {
      timer.stop();
      this.#answered = undefined;
      for (const end of ends) end.removeEventListener('abort', onEnd);
    });
  }
}

/** The received part of a packet; empty outside a packet. */
function grown(packet: number[], byte: number): number[] {
  const inText = packet[0] === STX && packet.at(-1) !== ETX;
  if (packet.length === 0 || (inText && byte === STX))
    return byte === STX || byte === ACK || byte === NAK ? [byte] : [];
  if (packet[0] !== STX && packet.length === 1 && byte !== ETX) return grown([], byte);
  if (packet.length > LONGEST_TEXT) return [];
  packet.push(byte);
  return packet;
}

/** `02 … 03 LRC`, or `06 03 LRC`. */
function isWhole(packet: readonly number[]): boolean {
  return packet.length >= 3 && packet.at(-2) === ETX && (packet[0] === STX || packet.length === 3);
}

/** 7F and then, by mode, 02, the data, 03. */
function checkOf(data: readonly number[], mode: Mode): number {
  const around = { std: 0, noext: ETX, stx: STX ^ ETX, stx_noext: STX };
  return data.reduce((check, byte) => check ^ byte, 0x7f ^ around[mode]);
}
