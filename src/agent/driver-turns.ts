import { setImmediate as soon } from 'node:timers';
import type { Log } from '../base/log.ts';

/** A driver that holds the event loop for longer is named: no request is answered meanwhile, and no other terminal. */
const BLOCKED_MS = 1000;

interface Turn {
  readonly deviceId: string;
  readonly at: number;
}

/**
 * Measures how long the code of a driver holds the event loop. A busy loop in this process cannot be interrupted, but the driver that ran is
 * known: everything that it waits for comes through a port of ours, so each entry is seen. What the core does in between is not counted.
 */
export class DriverTurns {
  readonly #log: Log;
  readonly #now: () => number;
  readonly #afterThisTurn: (then: () => void) => void;
  #turn: Turn | null = null;
  /** Time that the core took in the present turn, in ms. */
  #coreMs = 0;
  #isWatched = false;

  constructor(
    log: Log,
    now: () => number = () => performance.now(),
    afterThisTurn: (then: () => void) => void = (then) => void soon(then),
  ) {
    this.#log = log;
    this.#now = now;
    this.#afterThisTurn = afterThisTurn;
  }

  /** The driver of this device runs from now on. */
  enter(deviceId: string): void {
    this.#leave();
    this.#turn = { deviceId, at: this.#now() };
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.#afterThisTurn(() => {
      this.#isWatched = false;
      this.#leave();
    });
  }

  /** Runs a callback of the core inside of a driver. */
  inCore<T>(callback: () => T): T {
    const from = this.#now();
    try {
      return callback();
    } finally {
      this.#coreMs += this.#now() - from;
    }
  }

  #leave(): void {
    const turn = this.#turn;
    const coreMs = this.#coreMs;
    this.#turn = null;
    this.#coreMs = 0;
    if (!turn) return;
    const blockedMs = Math.round(this.#now() - turn.at - coreMs);
    if (blockedMs > BLOCKED_MS)
      this.#log.error({ device: turn.deviceId, blocked_ms: blockedMs }, 'driver held the event loop');
  }
}
