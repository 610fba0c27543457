import { InvalidArgumentError } from 'commander';
import type { ExitCode } from '../exit-code.ts';
import type { GlobalOptions, Io } from '../io.ts';

/** What a verb does with its options; loaded when it is called and not before. */
export type Verb<Options> = (options: Options & GlobalOptions, io: Io) => Promise<ExitCode>;

/** Makes the action of a command: `positional` names its arguments. */
export type Does = <Options>(
  load: () => Promise<Verb<Options>>,
  positional?: (args: readonly unknown[]) => object,
) => (...args: readonly unknown[]) => Promise<void>;

/** The one argument of a command, under the name that its verb knows. */
export function named(name: string): (args: readonly unknown[]) => object {
  return ([value]) => ({ [name]: value });
}

/** Reads an option that is a whole number. */
export function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** Gathers an option that may stand several times. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
