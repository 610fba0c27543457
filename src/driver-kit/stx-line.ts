import { type Clock, sleep, type Timer } from '../base/clock.ts';
import { AppError, hasCode } from '../base/errors.ts';
import type { Link } from '../terminal/link.ts';
import type { LrcRule } from './checksum.ts';
import { Exchange, linkLost } from './exchange.ts';
import { Inbox, reasonOf, type TimeLimit } from './inbox.ts';
import { encodeControl, encodeStx, type StxFraming, type StxPacket, StxReader } from './stx-framing.ts';

/** The acknowledgement controls of every dialect of this framing. */
export const ACK = 0x06;
export const NAK = 0x15;

/** Sends in all: the first and two repeats. */
const SENDS = 3;
/** How many more gaps a busy line gets to fall silent before a money frame. */
const QUIET_ROUNDS = 5;
/** Signs that are kept while one frame waits for its acknowledgement. */
const SIGNS_KEPT = 16;
/** How many first bytes are kept, to identify a foreign protocol. */
const HEARD_KEPT = 64;

/** What the terminal sends besides ACK and NAK. */
export type LineEvent =
  | { readonly kind: 'frame'; readonly data: Uint8Array }
  | { readonly kind: 'control'; readonly byte: number }
  | { readonly kind: 'notice'; readonly text: Uint8Array };

export interface StxLineTimes {
  /** Longest gap between two bytes of a packet, ms. */
  readonly gapMs: number;
  /** Longest wait for ACK or NAK, ms. */
  readonly acknowledgementMs: number;
  /** How long a quiet line is silent, ms; default the gap: in some protocols a byte takes seconds. */
  readonly quietMs?: number;
}

/** The line's answer: the frame was received; refused as damaged, and nothing else came; nothing came; a NAK among other bytes. */
type Sign = 'heard' | 'nak' | 'silence' | 'mixed';

/** The proof of receipt: an ACK, another frame without an ACK in front, or a NAK among other bytes. */
export type HeardBy = 'acknowledged' | 'answered' | 'mixed';

/** How a money frame was sent. `writes` above 1: the terminal may have received it twice, for noise may look like a NAK. */
export interface Handed {
  readonly sign: 'heard' | 'silence' | 'mixed';
  readonly writes: number;
}

/**
 * Frames over a line on which each is answered with ACK or NAK.
 * Why in the kit: when a frame may be written again is a rule of money, not of a protocol.
 *
 * INVARIANTS:
 * - a money frame is written again only after a NAK with nothing else before it and nothing for one gap behind it, never after silence; three writes
 *   at most;
 * - the dialogue acknowledges an intact frame, once its content is on disk, never the line;
 * - after `mute` nothing is written and nothing is read.
 */
export class StxLine {
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #framing: StxFraming;
  readonly #times: StxLineTimes;
  readonly #reader: StxReader;
  readonly #exchange: Exchange<LineEvent>;
  readonly #signs: Inbox<'ack' | 'nak' | 'frame' | 'noise'>;
  #check: LrcRule;
  #learned: LrcRule | undefined;
  #heardBy: HeardBy = 'mixed';
  #heard: readonly number[] = [];
  #gap: Timer | undefined;
  #pieces = 0;
  #waiting = false;
  #muted = false;

  constructor(link: Link, clock: Clock, framing: StxFraming, times: StxLineTimes) {
    this.#link = link;
    this.#clock = clock;
    this.#framing = framing;
    this.#times = times;
    this.#reader = new StxReader(framing);
    this.#check = framing.checks[0];
    this.#signs = new Inbox(clock);
    this.#exchange = new Exchange(link, clock, { push: (bytes) => this.#take(bytes) });
  }

  /** The first received bytes, at most 64. */
  get heard(): Uint8Array {
    return Uint8Array.from(this.#heard);
  }

  /** The device's own check; undefined before it has sent a packet with a check. */
  get learned(): LrcRule | undefined {
    return this.#learned;
  }

  /** What proved that the last frame was received, where something did. */
  get heardBy(): HeardBy {
    return this.#heardBy;
  }

  /** Starts reading; nothing may be written before it. */
  start(): void {
    this.#exchange.start();
    void this.#link.closed.then((loss) => {
      this.#gap?.stop();
      this.#signs.fail(linkLost(`${loss.reason}: ${loss.detail}`));
    });
  }

  /**
   * Sends a frame that moves no money; it is repeated on NAK and on silence, at most twice. A frame without an ACK in front may be the answer to an
   * older one.
   * @throws TERMINAL_NOT_HEARD (`context.naks`: how many of the three it refused), LINK_CLOSED, LINK_LOST, TERMINAL_LINK_LOST, or the signal's
   * reason.
   */
  async send(data: Uint8Array, signal: AbortSignal): Promise<HeardBy> {
    if (signal.aborted) throw reasonOf(signal);
    let naks = 0;
    for (let sent = 0; sent < SENDS && !this.#muted; sent += 1) {
      await this.#write(encodeStx(data, this.#framing, this.#check), sent);
      const sign = await this.#sign(signal);
      if (sign === 'heard' || sign === 'mixed') return this.#heardBy;
      if (signal.aborted) throw reasonOf(signal);
      if (sign === 'nak') naks += 1;
    }
    if (!this.#muted) throw notHeard(naks);
    return 'mixed';
  }

  /**
   * Sends a frame that moves money, once the line is silent; it is repeated on a lone NAK only. The caller handles silence. `handed` is called right
   * before the first byte.
   * @throws TERMINAL_LINE_NOISY or LINK_CLOSED when no byte was sent; LINK_LOST, TERMINAL_LINK_LOST when some may have been sent; TERMINAL_NOT_HEARD
   * when the terminal refused all three as damaged.
   */
  async sendMoney(data: Uint8Array, handed: () => void, signal: AbortSignal): Promise<Handed> {
    if (signal.aborted) throw reasonOf(signal);
    const frame = encodeStx(data, this.#framing, this.#check);
    await this.#quiet(signal);
    this.drain();
    handed();
    for (let sent = 0; sent < SENDS; sent += 1) {
      await this.#write(frame, sent);
      const sign = await this.#sign(signal);
      if (sign !== 'nak') return { sign, writes: sent + 1 };
      // After a NAK that was an ACK before noise, the terminal's next step soon follows.
      if (!(await this.#staysQuiet(signal))) return { sign: 'mixed', writes: sent + 1 };
    }
    throw notHeard(SENDS);
  }

  /** Writes a control (ENQ) once and waits for ACK or NAK. @throws LINK_CLOSED, TERMINAL_LINK_LOST, or the signal's reason. */
  async enquire(control: number, signal: AbortSignal): Promise<Sign> {
    if (signal.aborted) throw reasonOf(signal);
    if (this.#muted) return 'silence';
    await this.#write(encodeControl(control, this.#framing, this.#check), 0);
    return this.#sign(signal);
  }

  /** Writes a control without an answer: EOT; NAK for a frame that is intact and wrong. @throws LINK_CLOSED */
  async say(control: number): Promise<void> {
    if (!this.#muted) await this.#link.write(encodeControl(control, this.#framing, this.#check));
  }

  /** Acknowledges the last frame: its content is on disk, or is not needed. @throws LINK_CLOSED */
  acknowledge(): Promise<void> {
    return this.say(ACK);
  }

  /** The terminal's next event. @throws TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, TERMINAL_GARBLED, or the signal's reason. */
  receive(timeLimit: TimeLimit, signal: AbortSignal): Promise<LineEvent> {
    return this.#exchange.next(timeLimit, signal);
  }

  /** Drops unsolicited events. */
  drain(): void {
    this.#exchange.drain();
    this.#signs.drain();
  }

  mute(): void {
    this.#muted = true;
    this.#gap?.stop();
  }

  async #write(bytes: Uint8Array, sentBefore: number): Promise<void> {
    this.#signs.drain();
    this.#heardBy = 'mixed';
    this.#waiting = true;
    try {
      await this.#link.write(bytes);
    } catch (error) {
      this.#waiting = false;
      if (sentBefore === 0) throw error;
      throw linkLost('closed while a frame was repeated');
    }
  }

  /** A received frame proves that the terminal got the sent one: some devices answer without an ACK in front. */
  async #sign(signal: AbortSignal): Promise<Sign> {
    const until = this.#clock.monotonic() + this.#times.acknowledgementMs;
    let noisy = false;
    try {
      while (true) {
        const ms = Math.max(0, until - this.#clock.monotonic());
        const sign = await this.#signs.next({ name: 'acknowledgement', ms }, signal);
        if (sign === 'ack' || sign === 'frame') {
          this.#heardBy = sign === 'ack' ? 'acknowledged' : 'answered';
          return 'heard';
        }
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

  /** A late NAK of an earlier frame must not count as an answer to the money frame. */
  async #quiet(signal: AbortSignal): Promise<void> {
    for (let round = 0; round < QUIET_ROUNDS; round += 1) if (await this.#staysQuiet(signal)) return;
    throw new AppError('TERMINAL_LINE_NOISY', 'the terminal does not stop talking; nothing was sent to it', {
      retry: 'safe',
    });
  }

  /** Whether nothing comes for the time of a quiet line. */
  async #staysQuiet(signal: AbortSignal): Promise<boolean> {
    const before = this.#pieces;
    const { gapMs, quietMs = gapMs } = this.#times;
    await sleep(this.#clock, quietMs, signal, 'quiet line').catch(() => {
      throw reasonOf(signal);
    });
    return before === this.#pieces;
  }

  #take(bytes: Uint8Array): readonly LineEvent[] {
    if (this.#muted) return [];
    this.#pieces += 1;
    if (this.#heard.length < HEARD_KEPT) this.#heard = [...this.#heard, ...bytes].slice(0, HEARD_KEPT);
    this.#gap?.stop();
    const events = this.#reader.push(bytes).flatMap((packet) => this.#packet(packet));
    if (this.#reader.begun !== 'nothing')
      this.#gap = this.#clock.timer('gap', this.#times.gapMs, () => this.#giveUp());
    return events;
  }

  #packet(packet: StxPacket): readonly LineEvent[] {
    switch (packet.kind) {
      case 'frame':
        this.#learn(packet.check);
        this.#note('frame');
        return [{ kind: 'frame', data: packet.data }];
      case 'damaged':
        this.#note('noise');
        void this.say(NAK).catch(() => undefined);
        return [];
      case 'noise':
        this.#note('noise');
        return [];
      case 'notice':
        this.#note('frame');
        return [packet];
      default:
        return this.#control(packet);
    }
  }

  #control({ byte, check }: { readonly byte: number; readonly check?: LrcRule }): readonly LineEvent[] {
    if (check) this.#learn(check);
    if (byte === ACK || byte === NAK) {
      this.#note(byte === ACK ? 'ack' : 'nak');
      return [];
    }
    this.#note('noise');
    return [{ kind: 'control', byte }];
  }

  /** Devices differ in their check; the first one that fits is this device's. */
  #learn(check: LrcRule): void {
    this.#check = check;
    this.#learned = check;
    this.#reader.narrow(check);
  }

  /** Signs count only while a sent frame waits for them. */
  #note(sign: 'ack' | 'nak' | 'frame' | 'noise'): void {
    if (this.#waiting && this.#signs.length < SIGNS_KEPT) this.#signs.offer(sign);
  }

  #giveUp(): void {
    const cut = this.#reader.begun;
    this.#reader.reset();
    this.#note('noise');
    if (cut === 'frame') void this.say(NAK).catch(() => undefined);
  }
}

function notHeard(naks: number): AppError {
  return new AppError(
    'TERMINAL_NOT_HEARD',
    'the terminal did not take our frame, three times; check the cable and the baud rate',
    { retry: 'safe', context: { naks } },
  );
}
