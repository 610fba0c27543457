/**
 * Runs tasks one after the other, in the order of their arrival.
 * Why: one terminal has one wire, and two dialogues must never overlap on it.
 *
 * INVARIANTS:
 * - at most one task runs at a time;
 * - a task that throws rejects its own promise and does not stop the next one.
 */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #length = 0;

  /** Tasks running or waiting. */
  get length(): number {
    return this.#length;
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    this.#length += 1;
    const result = this.#tail.then(task).finally(() => {
      this.#length -= 1;
    });
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
