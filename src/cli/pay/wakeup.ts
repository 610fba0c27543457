import { setTimeout as pause } from 'node:timers/promises';

/** A wait that can be cut short; a call of `notify()` before the wait counts for it. */
export class Wakeup {
  #notified = Promise.withResolvers<void>();

  notify(): void {
    this.#notified.resolve();
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const timer = pause(ms, undefined, { signal: AbortSignal.any([over.signal, signal]) }).catch(
      () => undefined,
    );
    await Promise.race([this.#notified.promise, timer]);
    over.abort();
    this.#notified = Promise.withResolvers<void>();
  }
}
