import type { VirtualTerminalSettings } from '../../../src/sandbox/controllable-terminal.ts';

/** What a raw till needs of a connection. */
interface RawPipe {
  readonly bytes: AsyncIterable<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
}

/**
 * A till that knows ZVT only as hexadecimal digits: packets are written out by hand in the tests, so that neither the
 * driver's nor the virtual terminal's codec decides what is right.
 */
export class RawTill {
  /** Everything that came, in order, as upper-case hex: packets, and on a serial line `ACK` and `NAK`. */
  readonly heard: string[] = [];
  ended = false;
  /** Whether frames of the terminal are acknowledged (serial only). */
  acknowledges = true;
  readonly #pipe: RawPipe;
  readonly #framed: boolean;
  readonly #pass: () => Promise<void>;
  #taken = 0;
  #buffer: number[] = [];

  /** `pass` lets a little time pass: of the virtual clock, or real. */
  constructor(pipe: RawPipe, pass: () => Promise<void>, framed = false) {
    this.#pipe = pipe;
    this.#pass = pass;
    this.#framed = framed;
    this.#listen().then(
      () => {
        this.ended = true;
      },
      () => {
        this.ended = true;
      },
    );
  }

  /** Sends one packet, spaces allowed. */
  async send(hex: string): Promise<void> {
    const apdu = bytesOf(hex);
    await this.#pipe.write(this.#framed ? framed(apdu) : apdu);
  }

  /** Sends bytes as they are. */
  async sendRaw(hex: string): Promise<void> {
    await this.#pipe.write(bytesOf(hex));
  }

  /** The next packet, waiting for it; says what is missing after `mostPauses` pauses. */
  async next(mostPauses = 4000): Promise<string> {
    for (let pause = 0; pause < mostPauses; pause += 1) {
      const packet = this.heard[this.#taken];
      if (packet !== undefined) {
        this.#taken += 1;
        return packet;
      }
      if (this.ended) throw new Error(`the connection ended; heard: ${this.heard.join(' | ')}`);
      await this.#pass();
    }
    throw new Error(`nothing came; heard: ${this.heard.join(' | ')}`);
  }

  /** The next packet that is no ACK or NAK. */
  async packet(): Promise<string> {
    for (;;) {
      const next = await this.next();
      if (next !== 'ACK' && next !== 'NAK') return next;
    }
  }

  /** Waits until the connection has ended. */
  async untilEnded(mostPauses = 4000): Promise<void> {
    for (let pause = 0; pause < mostPauses && !this.ended; pause += 1) await this.#pass();
    if (!this.ended) throw new Error('the connection did not end');
  }

  /** Sends a command and answers `80 00 00` to all that the terminal says, up to its end (`06 0F`, `06 1E`, `84 xx`). */
  async converse(hex: string): Promise<string[]> {
    await this.send(hex);
    return this.listenToEnd();
  }

  async listenToEnd(): Promise<string[]> {
    const received: string[] = [];
    for (;;) {
      const packet = await this.packet();
      received.push(packet);
      if (packet.startsWith('84')) return received;
      if (packet.startsWith('80')) continue;
      await this.send('80 00 00');
      if (packet.startsWith('060F') || packet.startsWith('061E')) return received;
    }
  }

  async #listen(): Promise<void> {
    for await (const chunk of this.#pipe.bytes) {
      this.#buffer.push(...chunk);
      if (this.#framed) await this.#takeFrames();
      else this.#takePackets();
    }
  }

  #takePackets(): void {
    for (;;) {
      const [, , length = Number.NaN, low = 0, high = 0] = this.#buffer;
      const size = length === 0xff ? 5 + low + high * 256 : 3 + length;
      if (!(this.#buffer.length >= size)) return;
      this.heard.push(hexOf(this.#buffer.splice(0, size)));
    }
  }

  async #takeFrames(): Promise<void> {
    for (;;) {
      const first = this.#buffer[0];
      if (first === 0x06 || first === 0x15) {
        this.#buffer.shift();
        this.heard.push(first === 0x06 ? 'ACK' : 'NAK');
        continue;
      }
      if (first !== undefined && first !== 0x10) {
        this.#buffer.shift();
        this.heard.push('NOISE');
        continue;
      }
      const found = unframed(this.#buffer);
      if (!found) return;
      this.#buffer.splice(0, found.size);
      this.heard.push(found.good ? hexOf(found.apdu) : 'BAD CRC');
      if (this.acknowledges) await this.sendRaw('06');
    }
  }
}

function unframed(buffer: readonly number[]): { apdu: number[]; size: number; good: boolean } | undefined {
  const apdu: number[] = [];
  for (let at = 2; at < buffer.length; at += 1) {
    const byte = buffer[at] ?? 0;
    if (byte !== 0x10) {
      apdu.push(byte);
      continue;
    }
    at += 1;
    if (buffer[at] === 0x10) apdu.push(0x10);
    else if (buffer[at] === 0x03 && buffer.length >= at + 3) {
      const crc = (buffer[at + 1] ?? 0) + (buffer[at + 2] ?? 0) * 256;
      return { apdu, size: at + 3, good: crc === crcOf([...apdu, 0x03]) };
    } else return undefined;
  }
  return undefined;
}

/** A serial frame, written here a second time on purpose. */
export function framed(apdu: Uint8Array): Uint8Array {
  const crc = crcOf([...apdu, 0x03]);
  const stuffed = [...apdu].flatMap((byte) => (byte === 0x10 ? [0x10, 0x10] : [byte]));
  return Uint8Array.from([0x10, 0x02, ...stuffed, 0x10, 0x03, crc % 256, Math.floor(crc / 256)]);
}

function crcOf(bytes: readonly number[]): number {
  return bytes.reduce((crc, byte) => {
    let value = crc ^ byte;
    for (let bit = 0; bit < 8; bit += 1) value = value % 2 === 1 ? (value >>> 1) ^ 0x8408 : value >>> 1;
    return value;
  }, 0);
}

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.replaceAll(' ', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function hexOf(bytes: Iterable<number>): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('');
}

/** The settings of a virtual terminal that waits for keys. */
export function virtualSettings(changes: Partial<VirtualTerminalSettings> = {}): VirtualTerminalSettings {
  return {
    name: 'Counter 1',
    protocol: 'zvt',
    over: 'tcp',
    port: 0,
    currency: 'EUR',
    serial: '17FD1E3C',
    terminalId: '52500038',
    autopilot: 'off',
    autopilotMs: 100,
    missingAcknowledgement: 'reverse',
    faults: [],
    ...changes,
  };
}

/** Memory that survives what its terminal does not. */
export function memory() {
  let text: string | null = null;
  return {
    load: () => text,
    save: (next: string) => {
      text = next;
    },
  };
}
