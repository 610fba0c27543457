import {
  AppError,
  type Clock,
  type DialogueEnd,
  hasCode,
  maskCardNumbers,
  type TimeLimit,
  toHex,
  underAll,
} from '../../../src/driver-kit/terminal.ts';
import { type Apdu, parseReceived } from './apdu.ts';
import { bitmapOf, scanBitmaps, tlvOf } from './bitmaps.ts';
import type { ApduChannel } from './channel.ts';
import { type Charset, textOf } from './charset.ts';
import { ACCEPTED, abort, UNKNOWN_COMMAND } from './commands.ts';
import { type IntermediateStatus, readIntermediateStatus } from './intermediate-status.ts';
import { type Asked, refusalWords, resultWords, verdictOf } from './result-codes.ts';

const ABORT = abort();
const STOP_ASKED = 'STOP_ASKED';
/**
 * Messages of the terminal that are accepted. `04 01` (set date and time) is accepted and not followed: this machine has a better
 * clock, and no terminal may set it.
 */
const TAKEN: ReadonlySet<string> = new Set(['0401', '04FF', '040F', '060F', '061E', '06D1', '06D3']);
/** More packets than any dialogue has. */
const MAX_PACKETS = 5000;
/** A packet that arrives within this time after the listener's work may have come at any moment during it, ms. */
const WAITED_MS = 50;

/**
 * Whether a packet may be answered: `in_time`: only while the terminal still waits for it (T3), because the answer commits
 * money; `never`: fall silent for good.
 */
export type Answering = 'answer' | 'in_time' | 'never';

/** Receives the events of a running dialogue; `false` falls silent for good: nothing more is answered. */
export interface DialogueListener {
  /** `80 00 00` to the command. */
  accepted(): boolean;
  /** `04 FF`. */
  intermediate(message: IntermediateStatus): void;
  /** `04 0F`, before it is answered. */
  report(data: Uint8Array): Answering;
  /** `06 D1` or `06 D3`, before it is answered. */
  print(control: '06D1' | '06D3', data: Uint8Array): Answering;
  /** `06 0F` or `06 1E`, before it is answered. */
  end(end: DialogueEnd): boolean;
  /** Whether an Abort may still be sent: a money dialogue without an approval. */
  mayStop(): boolean;
  /** `84 xx` to our Abort, or it is too late to send one: the terminal continues. */
  abortRefused(): void;
}

export type DialogueResult =
  /** `84 xx` before the command was accepted. */
  | { readonly kind: 'refused'; readonly code: string; readonly data: Uint8Array }
  | {
      readonly kind: 'ended';
      readonly control: '060F' | '061E';
      readonly end: DialogueEnd;
      readonly data: Uint8Array;
    }
  /** The listener returned `false`, or it was too late for the answer. */
  | { readonly kind: 'muted'; readonly because: 'told_so' | 'too_late' };

interface DialogueLimits {
  /** From a command to its answer, ours or the terminal's, ms (T3). */
  readonly answerMs: number;
  /** From one packet of the terminal to the next, ms (T4); a `04 FF` may carry another. */
  readonly stepMs: number;
}

type Note = (direction: 'sent' | 'received', apdu: Uint8Array) => void;

/**
 * One command and all packets of the terminal until its end.
 * After `80 00 00` the terminal is the master: each of its packets gets exactly one answer, until `06 0F` or `06 1E`.
 *
 * INVARIANTS:
 * - only `80 xx` and `84 xx` answer the command; a packet of an earlier dialogue is answered and ignored, a result among them is
 *   not even answered;
 * - the listener receives a result and the end before they are answered;
 * - Abort is sent once at most, and never after an approval; packets of the terminal meanwhile are answered as always;
 * - an answer that commits money is never sent later than T3 after the packet may have come.
 */
export class Dialogue {
  readonly #channel: ApduChannel;
  readonly #clock: Clock;
  readonly #note: Note;
  readonly #charset: Charset;
  readonly #limits: DialogueLimits;
  readonly #asked: Asked;
  readonly #alsoTaken: ReadonlySet<string>;
  /** Aborts when an Abort is to be sent; it ends the wait for the next packet. */
  readonly #stopAsked = new AbortController();
  #stopSent = false;
  /** It was too late for an Abort. */
  #stopRefused = false;
  /** When the listener last worked, on the monotonic clock, and whether the terminal has received an answer since. */
  #busy = { from: 0, until: 0, answered: true };

  constructor(parts: {
    channel: ApduChannel;
    clock: Clock;
    note: Note;
    charset: Charset;
    limits: DialogueLimits;
    asked: Asked;
    /** Control fields that a vendor's terminal needs acknowledged, although they have no effect. */
    alsoTaken: ReadonlySet<string>;
  }) {
    this.#channel = parts.channel;
    this.#clock = parts.clock;
    this.#note = parts.note;
    this.#charset = parts.charset;
    this.#limits = parts.limits;
    this.#asked = parts.asked;
    this.#alsoTaken = parts.alsoTaken;
  }

  /** Whether an Abort was sent. */
  get wasStopped(): boolean {
    return this.#stopSent;
  }

  /**
   * Runs the dialogue. `send` passes the command to the channel.
   * @throws TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, TERMINAL_GARBLED, what `send` throws, or the signal's reason.
   */
  async run(
    send: () => Promise<void>,
    listener: DialogueListener,
    signal: AbortSignal,
  ): Promise<DialogueResult> {
    await send();
    const answer = await this.#acceptance(signal);
    if (answer.kind === 'refused') return answer;
    if (!this.#timed(() => listener.accepted())) return this.#muted('told_so');
    return this.#follow(listener, signal);
  }

  /** Sends Abort (`06 B0`) as soon as the terminal is the master; once, and never before the command was accepted. */
  askToStop(): void {
    this.#stopAsked.abort(new AppError(STOP_ASKED, 'the terminal is to be asked to stop'));
  }

  /** Waits for `80 xx` or `84 xx`. */
  async #acceptance(
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'accepted' } | Extract<DialogueResult, { kind: 'refused' }>> {
    const until = this.#clock.monotonic() + this.#limits.answerMs;
    for (let count = 0; count < MAX_PACKETS; count += 1) {
      const left = Math.max(0, until - this.#clock.monotonic());
      const { control, data } = await this.#receive({ name: 'T3', ms: left }, signal);
      if (control.startsWith('80') || control === '8400') return { kind: 'accepted' };
      if (control.startsWith('84')) return { kind: 'refused', code: control.slice(2), data };
      if (control !== '040F') await this.#answer(this.#answerTo(control), signal);
    }
    throw flooded();
  }

  async #follow(listener: DialogueListener, signal: AbortSignal): Promise<DialogueResult> {
    let stepMs = this.#limits.stepMs;
    for (let count = 0; count < MAX_PACKETS; count += 1) {
      const { control, data } = await this.#next({ name: 'T4', ms: stepMs }, listener, signal);
      const came = this.#cameAtTheEarliest();
      if (control === '060F' || control === '061E') return this.#finish(control, data, listener, signal);
      if (isAnswer(control)) {
        if (this.#stopSent && control.startsWith('84')) listener.abortRefused();
        continue;
      }
      const { answering, newStepMs } = this.#timed(() => this.#notify(control, data, listener));
      stepMs = newStepMs ?? stepMs;
      if (answering === 'never') return this.#muted('told_so');
      if (answering === 'in_time' && this.#clock.monotonic() - came > this.#limits.answerMs)
        return this.#muted('too_late');
      await this.#answer(this.#answerTo(control), signal);
    }
    throw flooded();
  }

  #answerTo(control: string): Uint8Array {
    return TAKEN.has(control) || this.#alsoTaken.has(control) ? ACCEPTED : UNKNOWN_COMMAND;
  }

  /** Passes a packet to the listener before it is answered. */
  #notify(
    control: string,
    data: Uint8Array,
    listener: DialogueListener,
  ): { readonly answering: Answering; readonly newStepMs?: number | undefined } {
    switch (control) {
      case '04FF':
        return { answering: 'answer', newStepMs: this.#intermediate(data, listener) };
      case '06D1':
      case '06D3':
        return { answering: listener.print(control, data) };
      case '040F':
        return { answering: listener.report(data) };
      default:
        return { answering: 'answer' };
    }
  }

  /**
   * The earliest moment at which the packet just received can have come. While the listener commits, nothing is read:
   * a packet that arrives right afterwards may have waited all that time, unless the terminal was still waiting for our answer then.
   */
  #cameAtTheEarliest(): number {
    const now = this.#clock.monotonic();
    const { from, until, answered } = this.#busy;
    const terminalWaited = answered && until - from <= this.#limits.answerMs;
    return !terminalWaited && now - until <= WAITED_MS ? from : now;
  }

  #timed<T>(work: () => T): T {
    const from = this.#clock.monotonic();
    const result = work();
    this.#busy = { from, until: this.#clock.monotonic(), answered: false };
    return result;
  }

  /**
   * The terminal's next packet. A requested Abort is sent in between, whatever the terminal is about to send; also when T4 runs
   * out, and then the terminal has T3 to send any packet.
   */
  async #next(timeLimit: TimeLimit, listener: DialogueListener, signal: AbortSignal): Promise<Apdu> {
    if (this.#stopSent || this.#stopRefused) return this.#receive(timeLimit, signal);
    const stop = this.#stopAsked.signal;
    try {
      return await underAll([signal, stop], (either) => this.#receive(timeLimit, either));
    } catch (error) {
      const isStopped = stop.aborted && hasCode(error, STOP_ASKED);
      if (signal.aborted || !(isStopped || (hasCode(error, 'TERMINAL_NO_ANSWER') && listener.mayStop())))
        throw error;
      await this.#stop(listener, signal);
      return this.#receive(isStopped ? timeLimit : { name: 'T3', ms: this.#limits.answerMs }, signal);
    }
  }

  async #stop(listener: DialogueListener, signal: AbortSignal): Promise<void> {
    if (!listener.mayStop()) {
      this.#stopRefused = true;
      return listener.abortRefused();
    }
    this.#stopSent = true;
    await this.#answer(ABORT, signal).catch((error: unknown) => {
      if (!hasCode(error, 'TERMINAL_NOT_HEARD')) throw error;
      listener.abortRefused();
    });
  }

  /** The new T4 in ms, if the packet carries one. */
  #intermediate(data: Uint8Array, listener: DialogueListener): number | undefined {
    const message = readIntermediateStatus(data);
    if (!message) return undefined;
    listener.intermediate(message);
    return message.timeoutMinutes === undefined ? undefined : message.timeoutMinutes * 60_000;
  }

  /** The answer to the end may fail: the end has been received, and the terminal may have closed the connection. */
  async #finish(
    control: '060F' | '061E',
    data: Uint8Array,
    listener: DialogueListener,
    signal: AbortSignal,
  ): Promise<DialogueResult> {
    const end =
      control === '060F' ? completionEnd(data, this.#asked) : abortEnd(data, this.#asked, this.#charset);
    if (!listener.end(end)) return this.#muted('told_so');
    await this.#answer(ACCEPTED, signal).catch(() => undefined);
    return { kind: 'ended', control, end, data };
  }

  async #receive(timeLimit: TimeLimit, signal: AbortSignal): Promise<Apdu> {
    const bytes = await this.#channel.receive(timeLimit, signal);
    this.#note('received', bytes);
    try {
      return parseReceived(bytes);
    } catch {
      return { control: 'unreadable', data: new Uint8Array(), dataOffset: 0 };
    }
  }

  async #answer(apdu: Uint8Array, signal: AbortSignal): Promise<void> {
    this.#busy = { ...this.#busy, answered: true };
    this.#note('sent', apdu);
    await this.#channel.send(apdu, signal);
  }

  #muted(because: 'told_so' | 'too_late'): DialogueResult {
    this.#channel.mute();
    return { kind: 'muted', because };
  }
}

/** A `06 0F` is a success unless it carries a result code that says otherwise. */
function completionEnd(data: Uint8Array, asked: Asked): DialogueEnd {
  const value = bitmapOf(scanBitmaps(data).fields, '27');
  const code = value === undefined ? undefined : toHex(value);
  if (code === undefined || code === '00') return { kind: 'completed', message: 'completed' };
  return badEnd(code, asked, wordsIn(asked)(code));
}

/** `06 1E`: result code, with 6F maybe the terminal's currency (2), then maybe vendor code and text (1F16, 1F17). */
function abortEnd(data: Uint8Array, asked: Asked, charset: Charset): DialogueEnd {
  if (data.length === 0) return { kind: 'unclear', message: 'the terminal gave up without a reason' };
  const code = toHex(data.subarray(0, 1));
  const rest = data.subarray(code === '6F' && data[1] !== 0x06 ? 3 : 1);
  const own = tlvOf(scanBitmaps(rest).fields, '1F17')?.value ?? new Uint8Array();
  const text = maskCardNumbers(textOf(own, charset).trim().slice(0, 200));
  const words = wordsIn(asked)(code);
  return badEnd(code, asked, text === '' ? words : `${words}: ${text}`);
}

/** An end of day and a question ask for no card. */
function wordsIn(asked: Asked): (code: string | undefined) => string {
  return asked === 'close' || asked === 'last' ? refusalWords : resultWords;
}

function badEnd(responseCode: string, asked: Asked, message: string): DialogueEnd {
  const verdict = verdictOf(responseCode, asked);
  return {
    kind: verdict === 'refused' || verdict === 'aborted' ? verdict : 'unclear',
    responseCode,
    message,
  };
}

function isAnswer(control: string): boolean {
  return control.startsWith('80') || control.startsWith('84');
}

function flooded(): AppError {
  return new AppError(
    'TERMINAL_GARBLED',
    `the terminal sent more than ${MAX_PACKETS} packets without an end`,
    {
      retry: 'after_recovery',
      moneyMoved: 'unknown',
    },
  );
}
