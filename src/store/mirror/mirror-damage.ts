import { z } from 'zod';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Database } from '../database.ts';

/**
 * Errors of statements that work on a sound file: a table or an index is not there, or not as tilld made it. SQLITE_CONSTRAINT_CHECK is none of
 * them: the table itself rejects a state of more than 4 KiB.
 */
const OF_DAMAGE = /^SQLITE_(CORRUPT|NOTADB|ERROR|SCHEMA|MISMATCH|FORMAT|INTERNAL|CONSTRAINT(?!_CHECK))/;

/**
 * What an error of a call says of the mirror: in words, when the file cannot be used any more; null: it says nothing of the file (no disk space, a
 * busy file, a lost lease). A row that is not what tilld writes counts, too: no page of it need be malformed.
 */
export function mirrorDamage(error: unknown, { failure }: Pick<Database, 'failure'>): string | null {
  if (failure !== null) return failure.message;
  if (error instanceof z.ZodError || error instanceof SyntaxError)
    return 'a row of it is not what tilld writes';
  if (!(error instanceof AppError)) return null;
  if (error.code === 'STORAGE_DAMAGED') return error.message;
  return OF_DAMAGE.test(String(error.context['sqlite'])) ? messageOf(error) : null;
}
