import type { Verdict } from '../terminal/ports.ts';

/** The result codes of a protocol: what each one certainly means, and its words for staff. */
export interface ResultCodes {
  readonly has: (code: string) => boolean;
  /** Unclear for a code that is not on the list: no charge is reported as a refusal. */
  readonly verdictOf: (code: string) => Verdict;
  /** Text for staff. */
  readonly wordsOf: (code: string) => string;
}

/** @param unlisted the words of a code that is not on the list */
export function resultCodes(
  rows: Readonly<Record<string, readonly [verdict: Verdict, words: string]>>,
  unlisted = (code: string) => `code ${code}, which is not on the list`,
): ResultCodes {
  const listed = new Map(Object.entries(rows));
  return {
    has: (code) => listed.has(code),
    verdictOf: (code) => listed.get(code)?.[0] ?? 'unclear',
    wordsOf: (code) => listed.get(code)?.[1] ?? unlisted(code),
  };
}
