import { InvalidArgumentError } from 'commander';
import type { ExitCode } from '../exit-code.ts';
import type { GlobalOptions, Io } from '../io.ts';

/** The implementation of a verb; loaded only when it is called. */
export type Verb<Options> = (options: Options & GlobalOptions, io: Io) => Promise<ExitCode>;

/** Builds the action of a command: `positional` names its arguments. */
export type Does = <Options>(
  load: () => Promise<Verb<Options>>,
  positional?: (args: readonly unknown[]) => object,
) => (...args: readonly unknown[]) => Promise<void>;

/** The single argument of a command, under the verb's name for it. */
export function named(name: string): (args: readonly unknown[]) => object {
  return ([value]) => ({ [name]: value });
}

/** Parses an option that is a whole number. */
export function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** Collects an option that may occur several times. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
