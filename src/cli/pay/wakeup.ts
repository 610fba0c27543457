import { setTimeout as pause } from 'node:timers/promises';

/** A wait that can be cut short; a ring before the wait counts for it. */
export class Wakeup {
  #rung = Promise.withResolvers<void>();

  ring(): void {
    this.#rung.resolve();
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const timer = pause(ms, undefined, { signal: AbortSignal.any([over.signal, signal]) }).catch(
      () => undefined,
    );
    await Promise.race([this.#rung.promise, timer]);
    over.abort();
    this.#rung = Promise.withResolvers<void>();
  }
}
