import { AppError, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';

/** A part of the daemon that was started and can be stopped. */
export interface Part {
  readonly name: string;
  stop(): void | Promise<void>;
}

/** Stops what was started, in reverse order, once. A part that fails to stop is logged; the other parts still stop. */
export class Lifecycle {
  readonly #parts: Part[] = [];
  readonly #log: Log;
  #stopped: Promise<void> | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Records a started part; parts stop in reverse order of these calls.
   * @throws SHUTTING_DOWN when the daemon is stopping already: the part is stopped with it, and the start must end.
   */
  started(name: string, stop: () => void | Promise<void>): void {
    const part = { name, stop };
    if (!this.#stopped) {
      this.#parts.push(part);
      return;
    }
    this.#stopped = this.#stopped.then(() => this.#stopOne(part));
    throw new AppError('SHUTTING_DOWN', 'tilld was told to stop while it started');
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<void> {
    for (const part of this.#parts.toReversed()) await this.#stopOne(part);
  }

  async #stopOne(part: Part): Promise<void> {
    try {
      await part.stop();
    } catch (error) {
      this.#log.error({ part: part.name, error: messageOf(error) }, 'part did not stop');
    }
  }
}
