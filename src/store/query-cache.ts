import type { Database } from './database.ts';

/** Most answers of one query that are cached at once. */
const MOST_ANSWERS = 100;

/**
 * Caches the answers of a query until any write or rollback: between two commits the core asks the same again and again, and a change is always read
 * from the database. Callers share an answer, and must not change it.
 */
export function remembered<T>(database: Database, read: (key: string) => T): (key: string) => T {
  const answers = new Map<string, { readonly answer: T }>();
  let readAt = database.writeCounter;
  return (key) => {
    if (readAt !== database.writeCounter || answers.size >= MOST_ANSWERS) answers.clear();
    readAt = database.writeCounter;
    const known = answers.get(key) ?? { answer: read(key) };
    answers.set(key, known);
    return known.answer;
  };
}
