import type { Arbitrary } from 'fast-check';

/** One parser under fire. */
export interface Target {
  /** `zvt-decode`: unique, stable; what `--target` takes. */
  readonly name: string;
  /** What it holds the parser to, in one sentence. */
  readonly promise: string;
  /** Inputs worth trying: valid messages, mutated ones, raw bytes. */
  readonly inputs: Arbitrary<Uint8Array>;
  /**
   * Feeds one input and looks at what comes out. Everything it does follows from the bytes alone, so that the bytes are the replay.
   * @throws whatever is wrong: an {@link Oddity}, or an error that the parser may not throw.
   */
  readonly check: (bytes: Uint8Array) => void | Promise<void>;
}

/** A broken promise of a parser, in words. */
export class Oddity extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Oddity';
  }
}
