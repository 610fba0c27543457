import {
  AppError,
  type Clock,
  type Handed,
  hasCode,
  type LineEvent,
  type Link,
  StxLine,
} from '../../../src/driver-kit/terminal.ts';
import { ENQ, EOT, FRAMING, SEVEN_BIT_FRAMING, TIMES } from './framing.ts';
import type { Note } from './note.ts';

/** The number of ENQs, and the pause between them. */
const ENQUIRIES = 2;
const ENQUIRE_AGAIN_MS = 1000;
/** A second ENQ within this time after our ACK is the same one: a second ACK would acknowledge the next frame. */
const SAME_CALL_MS = 1000;
/** A call is answered within this time; later the terminal calls again, or has given up. */
const CALL_FRESH_MS = 2000;
/** How long the terminal may take for its frame after our ACK to its ENQ. */
const FRAME_MS = 10_000;

/** The answer to our ENQ: acknowledged; the terminal calls itself; NAK; no answer. */
export type Enquiry = 'open' | 'calls' | 'refuses' | 'silent';

/**
 * The dialogue on a cable, below the messages: the sender sends ENQ, the other side ACK; then come the frame, its ACK, and EOT.
 *
 * INVARIANTS:
 * - only the caller acknowledges a frame of the terminal; an ENQ is acknowledged only where the caller waits for a frame;
 * - after `mute` nothing is written.
 */
export class TalkLine {
  readonly #line: StxLine;
  readonly #clock: Clock;
  readonly #note: Note;
  #calledAt = Number.NEGATIVE_INFINITY;
  /** A frame that arrived while no caller waited for it. */
  #pending: Uint8Array | undefined;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #muted = false;

  constructor(link: Link, clock: Clock, sevenDataBits: boolean, note: Note) {
    this.#line = new StxLine(link, clock, sevenDataBits ? SEVEN_BIT_FRAMING : FRAMING, TIMES);
    this.#clock = clock;
    this.#note = note;
  }

  /** The first bytes received on the line. */
  get heard(): Uint8Array {
    return this.#line.heard;
  }

  get isMuted(): boolean {
    return this.#muted;
  }

  /** Whether the terminal has just called. */
  get isCalled(): boolean {
    return this.#clock.monotonic() - this.#calledAt < CALL_FRESH_MS;
  }

  /** Whether the frame of that call has arrived, its ENQ unanswered. */
  get #isPending(): boolean {
    return this.#pending !== undefined && this.isCalled;
  }

  start(): void {
    this.#line.start();
  }

  mute(): void {
    this.#muted = true;
    this.#line.mute();
  }

  /**
   * Listens without sending; true as soon as the terminal calls (ENQ).
   * @throws LINK_CLOSED, TERMINAL_LINK_LOST, TERMINAL_GARBLED, or the signal's reason
   */
  async listen(ms: number, signal: AbortSignal): Promise<boolean> {
    const until = this.#clock.monotonic() + ms;
    while (!this.isCalled) {
      const left = until - this.#clock.monotonic();
      const event = left > 0 ? await this.#next('listening', left, signal) : undefined;
      if (!event) return false;
      this.#look(event);
    }
    return true;
  }

  /** ENQ, twice at most; none while the terminal calls. A terminal that does not answer gets an EOT. @throws as {@link listen} */
  async enquire(signal: AbortSignal): Promise<Enquiry> {
    this.#mustSpeak();
    if (this.isCalled && !signal.aborted) return 'calls';
    for (let no = 1; ; no += 1) {
      const enquiry = await this.#enquireOnce(signal);
      if (enquiry !== 'silent') return enquiry;
      await this.hangUp();
      if (no === ENQUIRIES) return 'silent';
      if (await this.listen(ENQUIRE_AGAIN_MS, signal)) return 'calls';
    }
  }

  /** EOT: the end of our dialogue. @throws LINK_CLOSED */
  hangUp(): Promise<void> {
    return this.#line.say(EOT);
  }

  /** @throws as `StxLine.sendMoney` */
  sendMoney(data: Uint8Array, handed: () => void, signal: AbortSignal): Promise<Handed> {
    return this.#line.sendMoney(
      data,
      () => {
        handed();
        this.#note('sent', data);
      },
      signal,
    );
  }

  /** A frame that moves no money. @throws as `StxLine.send` */
  async send(data: Uint8Array, signal: AbortSignal): Promise<void> {
    this.#note('sent', data);
    await this.#line.send(data, signal);
  }

  /** Acknowledges the last frame: its content is on disk, or needs no storing. @throws LINK_CLOSED */
  acknowledge(): Promise<void> {
    return this.#line.acknowledge();
  }

  /**
   * Waits for the terminal's call, answers it, and returns the frame that follows, which the caller acknowledges.
   * @throws TERMINAL_NO_ANSWER after `ms`; else as {@link listen}
   */
  async frame(name: string, ms: number, signal: AbortSignal): Promise<Uint8Array> {
    const until = this.#clock.monotonic() + ms;
    while (true) {
      const pending = this.#takePending();
      if (pending) return pending;
      if (this.isCalled) await this.#answerCall();
      const left = Math.max(0, until - this.#clock.monotonic());
      this.#look(await this.#line.receive({ name, ms: left }, signal));
    }
  }

  /** As {@link frame}, once the terminal has called; undefined when it does not call, or sends no frame then. */
  async frameOfCaller(listenMs: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    this.#mustSpeak();
    if (!(await this.listen(listenMs, signal))) return undefined;
    try {
      return await this.frame('late answer', FRAME_MS, signal);
    } catch (error) {
      if (hasCode(error, 'TERMINAL_NO_ANSWER')) return undefined;
      throw error;
    }
  }

  /**
   * What follows our ACK to a frame: the terminal's EOT; the frame again, where our ACK was lost; or nothing.
   * @throws as {@link listen}
   */
  async behind(ms: number, signal: AbortSignal): Promise<'over' | 'silence' | Uint8Array> {
    const until = this.#clock.monotonic() + ms;
    while (true) {
      const pending = this.#takePending();
      if (pending) return pending;
      if (this.isCalled) await this.#answerCall();
      const event = await this.#next('end', Math.max(0, until - this.#clock.monotonic()), signal);
      if (!event) return 'silence';
      if (event.kind === 'control' && event.byte === EOT) return 'over';
      this.#look(event);
    }
  }

  async #enquireOnce(signal: AbortSignal): Promise<Enquiry> {
    this.#line.drain();
    const sign = await this.#line.enquire(ENQ, signal);
    while (true) {
      const event = await this.#next('collision', 0, signal);
      if (!event) break;
      this.#look(event);
    }
    if (this.isCalled) return 'calls';
    if (sign === 'heard') return 'open';
    return sign === 'silence' ? 'silent' : 'refuses';
  }

  async #answerCall(): Promise<void> {
    const now = this.#clock.monotonic();
    this.#calledAt = Number.NEGATIVE_INFINITY;
    if (now - this.#answeredAt < SAME_CALL_MS) return;
    this.#answeredAt = now;
    await this.#line.acknowledge();
  }

  /** An unsolicited frame counts as a call, too; it is never acknowledged like an ENQ. */
  #look(event: LineEvent): void {
    const isCall = event.kind === 'frame' || (event.kind === 'control' && event.byte === ENQ);
    if (!isCall) return;
    this.#calledAt = this.#clock.monotonic();
    this.#pending = event.kind === 'frame' ? event.data : undefined;
  }

  #takePending(): Uint8Array | undefined {
    const pending = this.#isPending ? this.#pending : undefined;
    this.#pending = undefined;
    if (!pending) return undefined;
    this.#calledAt = Number.NEGATIVE_INFINITY;
    this.#answeredAt = Number.NEGATIVE_INFINITY;
    this.#note('received', pending);
    return pending;
  }

  async #next(name: string, ms: number, signal: AbortSignal): Promise<LineEvent | undefined> {
    try {
      return await this.#line.receive({ name, ms }, signal);
    } catch (error) {
      if (hasCode(error, 'TERMINAL_NO_ANSWER')) return undefined;
      throw error;
    }
  }

  /** @throws TERMINAL_STOPPED on a muted line: it must be reopened */
  #mustSpeak(): void {
    if (this.#muted)
      throw new AppError('TERMINAL_STOPPED', 'this conversation with the terminal is over', {
        retry: 'safe',
      });
  }
}
