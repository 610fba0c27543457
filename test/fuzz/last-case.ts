import { LONGEST_INPUT } from './mutations.ts';

/** Bytes that text targets and shrinking may add to the longest input. */
const ROOM = LONGEST_INPUT + 64 * 1024;

/**
 * The input that a worker is trying, in memory that survives the worker: a parser that hangs or eats all memory cannot tell which
 * input it was.
 */
export class LastCase {
  readonly memory: SharedArrayBuffer;
  readonly #head: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(16 + ROOM)) {
    this.memory = memory;
    this.#head = new Int32Array(memory, 0, 4);
    this.#bytes = new Uint8Array(memory, 16);
  }

  /** Notes an input; `target` is its index in the list of the worker. */
  note(target: number, bytes: Uint8Array): void {
    const kept = bytes.subarray(0, this.#bytes.length);
    this.#bytes.set(kept);
    Atomics.store(this.#head, 1, target);
    Atomics.store(this.#head, 2, kept.length);
    Atomics.add(this.#head, 0, 1);
  }

  /** Grows with every input. */
  get count(): number {
    return Atomics.load(this.#head, 0);
  }

  get target(): number {
    return Atomics.load(this.#head, 1);
  }

  get bytes(): Uint8Array {
    return this.#bytes.slice(0, Atomics.load(this.#head, 2));
  }
}
