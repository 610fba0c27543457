import type { Clock, Timer } from '../../../src/base/clock.ts';
import { SerialQueue } from '../../../src/base/serial-queue.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import { type Apdu, concat, firstApdu, MAX_APDU_BYTES } from './virtual-apdu.ts';

/** Gaps and waits of the link, in ms: T1 between two bytes of a frame, T2 for ACK or NAK. */
export interface LineTimes {
  readonly t1Ms: number;
  readonly t2Ms: number;
}

/** Packets over one connection. */
export interface Line {
  readonly wire: Wire;
  /** What the till sends, packet by packet; ends with the connection. One reader. */
  apdus(): AsyncIterable<Apdu>;
  /** Sends one packet; false when it did not arrive (connection ended, or never acknowledged). */
  send(apdu: Uint8Array): Promise<boolean>;
}

/** TCP carries bare packets; a serial line frames and acknowledges them. */
export function lineOver(wire: Wire, clock: Clock, times: LineTimes): Line {
  return wire.kind === 'tcp' ? new TcpLine(wire) : new SerialLine(wire, clock, times);
}

class TcpLine implements Line {
  readonly wire: Wire;

  constructor(wire: Wire) {
    this.wire = wire;
  }

  async *apdus(): AsyncGenerator<Apdu> {
    let waiting: Uint8Array = new Uint8Array();
    for await (const chunk of this.wire.bytes()) {
      waiting = concat(waiting, chunk);
      for (let next = firstApdu(waiting); next; next = firstApdu(waiting)) {
        waiting = waiting.slice(next.size);
        yield next.apdu;
      }
    }
  }

  async send(apdu: Uint8Array): Promise<boolean> {
    if (this.wire.ended.aborted) return false;
    this.wire.frame(apdu);
    return true;
  }
}

const [STX, ETX, ACK, DLE, NAK] = [0x02, 0x03, 0x06, 0x10, 0x15];
const SENDS = 3;

/**
 * ```
 * 10 02 | APDU, every 10 sent twice | 10 03 | CRC low | CRC high
 * ```
 * Every frame is answered with one raw ACK or NAK; a NAK or silence repeats it, three sends in all.
 */
class SerialLine implements Line {
  readonly wire: Wire;
  readonly #clock: Clock;
  readonly #times: LineTimes;
  readonly #sends = new SerialQueue();
  #acknowledged: ((answer: 'ack' | 'nak') => void) | undefined;

  constructor(wire: Wire, clock: Clock, times: LineTimes) {
    this.wire = wire;
    this.#clock = clock;
    this.#times = times;
  }

  async *apdus(): AsyncGenerator<Apdu> {
    const reader = new FrameReader();
    let gap: Timer | undefined;
    for await (const chunk of this.wire.bytes()) {
      gap?.stop();
      for (const byte of chunk) {
        const apdu = this.#take(reader.take(byte));
        if (apdu) yield apdu;
      }
      if (reader.inFrame) gap = this.#clock.timer('sandbox T1', this.#times.t1Ms, () => this.#give(reader));
    }
    gap?.stop();
  }

  send(apdu: Uint8Array): Promise<boolean> {
    return this.#sends.run(async () => {
      const frame = framed(apdu);
      for (let attempt = 1; attempt <= SENDS; attempt += 1) {
        if (this.wire.ended.aborted) return false;
        if (await this.#sendOnce(frame)) return true;
      }
      return false;
    });
  }

  #sendOnce(frame: Uint8Array): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (arrived: boolean) => {
        timer.stop();
        this.wire.ended.removeEventListener('abort', onEnd);
        this.#acknowledged = undefined;
        resolve(arrived);
      };
      const onEnd = () => done(false);
      const timer = this.#clock.timer('sandbox T2', this.#times.t2Ms, onEnd);
      this.wire.ended.addEventListener('abort', onEnd, { once: true });
      this.#acknowledged = (answer) => done(answer === 'ack');
      this.wire.frame(frame);
    });
  }

  #take(event: FrameEvent | undefined): Apdu | undefined {
    if (event === 'ack' || event === 'nak') this.#acknowledged?.(event);
    else if (event === 'broken') this.wire.control(NAK);
    else if (event) {
      const found = firstApdu(event);
      this.wire.control(found ? ACK : NAK);
      return found?.apdu;
    }
    return undefined;
  }

  /** The rest of a frame did not arrive in time. */
  #give(reader: FrameReader): void {
    reader.reset();
    this.wire.control(NAK);
  }
}

type FrameEvent = 'ack' | 'nak' | 'broken' | Uint8Array;

/** Finds frames byte by byte; outside of frames only ACK and NAK are recognised. */
class FrameReader {
  #state: 'outside' | 'outside_dle' | 'inside' | 'inside_dle' | 'crc_low' | 'crc_high' = 'outside';
  #apdu: number[] = [];
  #crcLow = 0;

  get inFrame(): boolean {
    return this.#state !== 'outside' && this.#state !== 'outside_dle';
  }

  reset(): void {
    this.#state = 'outside';
    this.#apdu = [];
  }

  take(byte: number): FrameEvent | undefined {
    switch (this.#state) {
      case 'outside':
        if (byte === DLE) this.#state = 'outside_dle';
        return byte === ACK ? 'ack' : byte === NAK ? 'nak' : undefined;
      case 'outside_dle':
        this.#state = byte === STX ? 'inside' : 'outside';
        return undefined;
      case 'inside':
        return this.#inside(byte);
      case 'inside_dle':
        return this.#afterDle(byte);
      case 'crc_low':
        this.#crcLow = byte;
        this.#state = 'crc_high';
        return undefined;
      case 'crc_high':
        return this.#finish((byte << 8) | this.#crcLow);
    }
  }

  #inside(byte: number): FrameEvent | undefined {
    if (byte === DLE) this.#state = 'inside_dle';
    else return this.#keep(byte);
    return undefined;
  }

  #afterDle(byte: number): FrameEvent | undefined {
    this.#state = 'inside';
    if (byte === DLE) return this.#keep(byte);
    if (byte === ETX) this.#state = 'crc_low';
    else if (byte === STX) this.#apdu = [];
    else return this.#broken();
    return undefined;
  }

  #keep(byte: number): FrameEvent | undefined {
    this.#apdu.push(byte);
    return this.#apdu.length > MAX_APDU_BYTES ? this.#broken() : undefined;
  }

  #finish(crc: number): FrameEvent {
    const apdu = Uint8Array.from(this.#apdu);
    this.reset();
    return crc === crcOf(apdu) ? apdu : 'broken';
  }

  #broken(): FrameEvent {
    this.reset();
    return 'broken';
  }
}

function framed(apdu: Uint8Array): Uint8Array {
  const crc = crcOf(apdu);
  const stuffed = [...apdu].flatMap((byte) => (byte === DLE ? [DLE, DLE] : [byte]));
  return concat([DLE, STX], stuffed, [DLE, ETX, crc & 0xff, crc >> 8]);
}

/** CRC-16/KERMIT over the packet and the ETX that ends it. */
function crcOf(apdu: Uint8Array): number {
  let crc = 0;
  for (const byte of [...apdu, ETX]) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
  }
  return crc;
}
