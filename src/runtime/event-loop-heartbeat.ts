import { setImmediate as soon } from 'node:timers';
import type { Clock, Timer } from '../base/clock.ts';
import type { Heartbeat } from '../base/heartbeat.ts';

const EVERY_MS = 5000;

/**
 * Shows that the event loop turns: a timer, followed by a whole turn that serves sockets and files. Timers alone also fire in a loop that never
 * reaches its sockets.
 */
export class EventLoopHeartbeat implements Heartbeat {
  readonly name = 'event loop';
  readonly #clock: Clock;
  readonly #turn: (then: () => void) => void;
  #timer: Timer | null = null;
  #dueBy: number;

  constructor(clock: Clock, turn: (then: () => void) => void = (then) => void soon(then)) {
    this.#clock = clock;
    this.#turn = turn;
    this.#dueBy = clock.monotonic() + EVERY_MS;
  }

  dueBy(): number {
    return this.#dueBy;
  }

  start(): void {
    this.#timer = this.#clock.timer('loop sign', EVERY_MS, () => {
      this.start();
      this.#turn(() => {
        this.#dueBy = this.#clock.monotonic() + EVERY_MS;
      });
    });
  }

  stop(): void {
    this.#timer?.stop();
  }
}
