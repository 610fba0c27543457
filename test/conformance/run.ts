import { AppError } from '../../src/base/errors.ts';
import { Breach } from './breach.ts';
import { exemptionOf, type Scenario } from './scenario.ts';
import type { Subject } from './subject.ts';

/** What one row comes to for one driver. */
export type Verdict =
  | { readonly kind: 'green' }
  | { readonly kind: 'red'; readonly words: string }
  /** The protocol's own reason. */
  | { readonly kind: 'exempt'; readonly words: string };

/** Plays one scenario with one subject; never rejects. */
export async function play(scenario: Scenario, subject: Subject): Promise<Verdict> {
  const reason = exemptionOf(scenario, subject);
  if (reason !== null) return { kind: 'exempt', words: reason };
  try {
    await scenario.run(subject);
    return { kind: 'green' };
  } catch (error) {
    return { kind: 'red', words: wordsOf(error) };
  }
}

/** Of an error of the driver its code and where it comes from: rows that fail of the same are one note. */
function wordsOf(error: unknown): string {
  if (error instanceof Breach) return error.message;
  if (error instanceof AppError) return `${error.code} ${error.message}${placeOf(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The first line of its stack. */
function placeOf({ stack = '' }: Error): string {
  const place = /\n\s+(at .*)/.exec(stack)?.[1];
  return place === undefined ? '' : ` (${place})`;
}
