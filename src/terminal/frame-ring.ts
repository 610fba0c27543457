import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Transcript } from './ports.ts';

/** A dialogue with printing has about 60 frames; a long one a few hundred. */
const MAX_FRAMES = 400;

interface Frame {
  readonly at: number;
  readonly direction: 'sent' | 'received';
  readonly summary: string;
}

/**
 * The newest frames of one terminal, masked by its driver, kept until the dialogue is stored.
 * Above `MAX_FRAMES` the oldest are dropped.
 */
export class FrameRing implements Transcript {
  readonly #clock: Clock;
  readonly #log: Log;
  #frames: Frame[] = [];

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  record(direction: 'sent' | 'received', summary: string): void {
    this.#frames.push({ at: this.#clock.now(), direction, summary });
    if (this.#frames.length > MAX_FRAMES) this.#frames.shift();
    this.#log.trace({ direction, frame: summary }, 'frame');
  }

  /** All frames since the last call, oldest first. */
  take(): readonly Frame[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }
}
