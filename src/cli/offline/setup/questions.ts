import { AppError } from '../../../base/errors.ts';
import type { Io } from '../../io.ts';
import { plain } from '../../show/plain.ts';
import { type InputLine, inputLines } from '../input-lines.ts';

const LONGEST_ANSWER = 1_000;

/** What is asked. */
export interface Question<T> {
  readonly words: string;
  /** Taken for an empty answer; absent: an answer is needed. */
  readonly otherwise?: string;
  /** The option that answers it beforehand. */
  readonly given: string | undefined;
  /** The value of an answer. @throws why it is none */
  readonly read: (answer: string) => T;
}

/** Asks one question after the other on standard error, and reads an answer a line. */
export class Questions {
  readonly #io: Io;
  readonly #lines: AsyncIterator<InputLine>;
  #endIsEmpty = false;

  constructor(io: Io) {
    this.#io = io;
    this.#lines = inputLines(io.input, LONGEST_ANSWER);
  }

  /** From now on something is changed: where the input ends, the rest is answered as by empty lines. */
  goOnWithoutInput(): void {
    this.#endIsEmpty = true;
  }

  /** @throws USAGE when an option is no answer, or when the input ends before something was changed */
  async ask<T>({ words, otherwise, given, read }: Question<T>): Promise<T> {
    if (given !== undefined) return read(given);
    for (;;) {
      this.#io.err(`${words}${otherwise ? ` [${plain(otherwise)}]` : ''}: `);
      const { value: line, done } = await this.#lines.next();
      if (done && this.#endIsEmpty && otherwise !== undefined) return read(otherwise);
      if (done) throw new AppError('USAGE', 'the input ended before the last question: nothing was changed');
      const answer = line.kind === 'line' ? line.text.trim() : '';
      try {
        return read(answer === '' && otherwise !== undefined ? otherwise : answer);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        this.#io.err(`${error.message}\n`);
      }
    }
  }
}

/** Small and large letters are the same. @throws USAGE */
export function oneOf<const T extends string>(values: readonly T[], answer: string): T {
  const found = values.find((value) => value === answer.toLowerCase());
  if (found !== undefined) return found;
  throw new AppError('USAGE', `it must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);
}
