import type { Database } from './database.ts';

/** The most answers of one question that are kept at once. */
const MOST_ANSWERS = 100;

/**
 * Keeps the answers of a question until anything is written or rolled back: between two commits the core asks the same again and
 * again, and a change is always read from the database. An answer is shared by who asks, and must not be altered.
 */
export function remembered<T>(database: Database, read: (key: string) => T): (key: string) => T {
  const answers = new Map<string, { readonly answer: T }>();
  let edition = database.edition;
  return (key) => {
    if (edition !== database.edition || answers.size >= MOST_ANSWERS) answers.clear();
    edition = database.edition;
    const known = answers.get(key) ?? { answer: read(key) };
    answers.set(key, known);
    return known.answer;
  };
}
