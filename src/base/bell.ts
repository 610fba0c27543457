/**
 * Wakes one loop. A ring that nobody waits for is remembered, so that work added just before the wait is not missed.
 */
export class Bell {
  #rung = false;
  #waiter: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#waiter?.();
  }

  /** Resolves at the next ring, or at once if it rang since the last wait, or when the signal aborts. */
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
