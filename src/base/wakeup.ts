/** Wakes one loop. A call of `notify()` while the loop does not wait is remembered, so that work added just before the wait is not missed. */
export class Wakeup {
  #isNotified = false;
  #waiter: (() => void) | null = null;

  notify(): void {
    this.#isNotified = true;
    this.#waiter?.();
  }

  /** Resolves at the next `notify()`, at once if it was called since the last wait, or when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    if (!this.#isNotified && !signal.aborted) {
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
    this.#isNotified = false;
  }
}
