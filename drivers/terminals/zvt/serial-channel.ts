import {
  AppError,
  type Clock,
  Exchange,
  hasCode,
  Inbox,
  type Link,
  linkLost,
  reasonOf,
  sleep,
  type TimeLimit,
  type Timer,
} from '../../../src/driver-kit/terminal.ts';
import { type ApduChannel, appendHeard } from './channel.ts';
import { ACK, encodeFrame, NAK, type SerialPacket, SerialReader } from './serial-framing.ts';

/** Number of sends: the first and two repeats. */
const SENDS = 3;
/** How often a busy line gets another T1 to become quiet before a money frame. */
const QUIET_ROUNDS = 5;

/** What came on the line during the wait for an acknowledgement. */
type Sign = 'ack' | 'nak' | 'frame' | 'noise';

interface SerialTimes {
  /** Longest gap between two bytes of a frame, ms. */
  readonly t1Ms: number;
  /** Longest wait for ACK or NAK, ms. */
  readonly t2Ms: number;
}

/**
 * APDUs over a serial line: every frame is answered at once with one raw ACK or NAK, and repeated without an ACK.
 * Why a money frame differs: a terminal may have taken it although its ACK was lost, and would charge again.
 *
 * INVARIANTS:
 * - a money frame is written again only after a NAK with nothing else on the line for T1, never after silence;
 * - every intact frame is acknowledged before it is passed to the dialogue;
 * - at most three writes of one frame.
 */
export class SerialChannel implements ApduChannel {
  readonly deliversOnce = false;
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #times: SerialTimes;
  readonly #reader = new SerialReader();
  readonly #exchange: Exchange<Uint8Array>;
  readonly #signs: Inbox<Sign>;
  #heard: Uint8Array = new Uint8Array();
  #gap: Timer | undefined;
  #pieces = 0;
  /** The read that brought the last awaited NAK. */
  #nakAt = 0;
  #muted = false;
  #waiting = false;

  constructor(link: Link, clock: Clock, times: SerialTimes) {
    this.#link = link;
    this.#clock = clock;
    this.#times = times;
    this.#signs = new Inbox(clock);
    this.#exchange = new Exchange(link, clock, { push: (bytes) => this.#take(bytes) });
  }

  get heard(): Uint8Array {
    return this.#heard;
  }

  start(): void {
    this.#exchange.start();
    void this.#link.closed.then((loss) => {
      this.#gap?.stop();
      this.#signs.fail(linkLost(`${loss.reason}: ${loss.detail}`));
    });
  }

  async send(apdu: Uint8Array, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw reasonOf(signal);
    const frame = encodeFrame(apdu);
    for (let sent = 0; sent < SENDS && !this.#muted; sent += 1) {
      await this.#write(frame, sent);
      const sign = await this.#sign(signal);
      if (sign === 'heard' || sign === 'mixed') return;
      if (signal.aborted) throw reasonOf(signal);
    }
    if (!this.#muted) throw notHeard();
  }

  async sendMoney(apdu: Uint8Array, handed: () => void, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw reasonOf(signal);
    await this.#quiet(signal);
    const frame = encodeFrame(apdu);
    this.drain();
    handed();
    for (let sent = 0; sent < SENDS; sent += 1) {
      await this.#write(frame, sent);
      if ((await this.#sign(signal)) !== 'nak') return;
      if (await this.#saysMore(signal)) return;
    }
    throw notHeard();
  }

  receive(timeLimit: TimeLimit, signal: AbortSignal): Promise<Uint8Array> {
    return this.#exchange.next(timeLimit, signal);
  }

  drain(): void {
    this.#exchange.drain();
    this.#signs.drain();
  }

  mute(): void {
    this.#muted = true;
    this.#gap?.stop();
  }

  async #write(frame: Uint8Array, sentBefore: number): Promise<void> {
    this.#signs.drain();
    this.#waiting = true;
    try {
      await this.#link.write(frame);
    } catch (error) {
      this.#waiting = false;
      if (sentBefore === 0) throw error;
      throw linkLost('closed while a frame was repeated');
    }
  }

  /** Waits T2 for the line's answer; a frame also confirms ours. `mixed`: a NAK among other bytes. */
  async #sign(signal: AbortSignal): Promise<'heard' | 'nak' | 'mixed' | 'silence'> {
    const until = this.#clock.monotonic() + this.#times.t2Ms;
    let noisy = false;
    try {
      while (true) {
        const sign = await this.#signs.next(
          { name: 'T2', ms: Math.max(0, until - this.#clock.monotonic()) },
          signal,
        );
        if (sign === 'ack' || sign === 'frame') return 'heard';
        if (sign === 'nak') return noisy || this.#signs.length > 0 ? 'mixed' : 'nak';
        noisy = true;
      }
    } catch (error) {
      if (hasCode(error, 'TERMINAL_NO_ANSWER')) return 'silence';
      throw error;
    } finally {
      this.#waiting = false;
    }
  }

  /**
   * Whether anything follows a NAK within T1. If noise changed an ACK into a NAK, the answer follows at once: the terminal then has
   * the frame, and would receive it twice.
   */
  async #saysMore(signal: AbortSignal): Promise<boolean> {
    await this.#pause('after a NAK', signal);
    return this.#pieces !== this.#nakAt;
  }

  async #pause(name: string, signal: AbortSignal): Promise<void> {
    await sleep(this.#clock, this.#times.t1Ms, signal, name).catch(() => {
      throw reasonOf(signal);
    });
  }

  /** Waits until the line is quiet for T1, so that a late NAK of an earlier frame is not taken for an answer to the next. */
  async #quiet(signal: AbortSignal): Promise<void> {
    for (let round = 0; round < QUIET_ROUNDS; round += 1) {
      const before = this.#pieces;
      await this.#pause('quiet line', signal);
      if (before === this.#pieces) return;
    }
  }

  #take(bytes: Uint8Array): readonly Uint8Array[] {
    if (this.#muted) return [];
    this.#pieces += 1;
    this.#heard = appendHeard(this.#heard, bytes);
    this.#gap?.stop();
    const apdus = this.#reader.push(bytes).flatMap((packet) => this.#packet(packet));
    if (this.#reader.inFrame)
      this.#gap = this.#clock.timer('T1', this.#times.t1Ms, () => this.#giveUpFrame());
    return apdus;
  }

  #packet(packet: SerialPacket): readonly Uint8Array[] {
    switch (packet.kind) {
      case 'frame':
        this.#sayRaw(ACK);
        this.#note('frame');
        return [packet.apdu];
      case 'damaged':
        this.#sayRaw(NAK);
        this.#note('noise');
        return [];
      default:
        if (packet.kind === 'nak' && this.#waiting) this.#nakAt = this.#pieces;
        this.#note(packet.kind);
        return [];
    }
  }

  /** Signs matter only during the wait for an acknowledgement; a flood of noise is not collected. */
  #note(sign: Sign): void {
    if (this.#waiting && this.#signs.length < 16) this.#signs.offer(sign);
  }

  #giveUpFrame(): void {
    this.#reader.reset();
    this.#note('noise');
    this.#sayRaw(NAK);
  }

  #sayRaw(byte: number): void {
    if (this.#muted) return;
    void this.#link.write(Uint8Array.of(byte)).catch(() => undefined);
  }
}

function notHeard(): AppError {
  return new AppError(
    'TERMINAL_NOT_HEARD',
    'the terminal did not take our frame, three times; check the cable and the baud rate',
    {
      retry: 'safe',
    },
  );
}
