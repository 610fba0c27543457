/** Wakes one loop. A wake-up that comes while the loop is not waiting is remembered, so that work added just before the wait is not missed. */
export class Wakeup {
  #rung = false;
  #waiter: (() => void) | null = null;

  notify(): void {
    this.#rung = true;
    this.#waiter?.();
  }

  /** Resolves at the next `ring()`, at once if `ring()` was called since the last wait, or when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    if (!this.#rung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          signal.removeEventListener('abort', done);
          this.#waiter = null;
          resolve();
        };
        this.#waiter = done;
        signal.addEventListener('abort', done, { once: true });
      });
    }
    this.#rung = false;
  }
}
