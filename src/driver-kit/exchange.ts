import type { Clock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Link } from '../terminal/link.ts';
import { Inbox, type TimeLimit } from './inbox.ts';

/** How an exchange turns bytes into frames. */
export interface FrameSource<Frame> {
  /**
   * Accepts bytes in any segmentation and returns the complete frames.
   * @throws AppError when the stream can no longer be read; it ends the exchange, and the other frames of the same chunk are lost.
   */
  push(bytes: Uint8Array): readonly Frame[];
  /** The frames that the orderly end of the link completes, where its end is one. @throws AppError, as `push` */
  end?(): readonly Frame[];
  /** Why the stream can no longer be read after the frames that `push` returned; checked after each chunk. It ends the exchange. */
  readonly broken?: AppError | undefined;
}

/**
 * Reads one link into a queue of frames and lets one dialogue wait for them.
 * Why: a frame may come before, between or after the waits of a dialogue, and none may be lost.
 * It never repeats anything: the protocol decides what may be repeated, and when.
 *
 * INVARIANTS:
 * - `start` is called once and before anything is written, so that no answer can come too early;
 * - the end of the link is reported only after the frames that came before it.
 */
export class Exchange<Frame> {
  readonly #link: Link;
  readonly #source: FrameSource<Frame>;
  readonly #frames: Inbox<Frame>;

  constructor(link: Link, clock: Clock, source: FrameSource<Frame>) {
    this.#link = link;
    this.#source = source;
    this.#frames = new Inbox<Frame>(clock);
  }

  /** Starts reading. */
  start(): void {
    void this.#read().catch((error: unknown) => this.#frames.fail(asAppError(error)));
  }

  /**
   * The next frame.
   * @throws TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, the source's error, or the signal's reason.
   */
  next(timeLimit: TimeLimit, signal: AbortSignal): Promise<Frame> {
    return this.#frames.next(timeLimit, signal);
  }

  /** Drops the unsolicited frames; returns how many. */
  drain(): number {
    return this.#frames.drain();
  }

  async #read(): Promise<void> {
    for await (const piece of this.#link.bytes) {
      for (const frame of this.#source.push(piece)) this.#frames.offer(frame);
      if (this.#source.broken) throw this.#source.broken;
    }
    const loss = await this.#link.closed;
    if (loss.reason === 'closed_by_peer')
      for (const frame of this.#source.end?.() ?? []) this.#frames.offer(frame);
    this.#frames.fail(linkLost(`${loss.reason}: ${loss.detail}`));
  }
}

/** The link ended while the dialogue still expected a frame. */
export function linkLost(detail: string): AppError {
  return new AppError('TERMINAL_LINK_LOST', `the connection to the terminal was lost (${detail})`, {
    retry: 'after_recovery',
    moneyMoved: 'unknown',
  });
}

function asAppError(error: unknown): AppError {
  return error instanceof AppError ? error : linkLost(messageOf(error));
}
