import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { AppError } from '../../base/errors.ts';
import { type Database, ROLE } from './connect.ts';
import { up as shopsAgentsJournal } from './migrations/0001-shops-agents-journal.ts';
import { up as operators } from './migrations/0002-operators.ts';
import { up as damagedEntries } from './migrations/0003-damaged-entries.ts';
import { up as commands } from './migrations/0004-commands.ts';
import { up as releasesAndRuns } from './migrations/0005-releases-and-runs.ts';
import { up as alertRules } from './migrations/0006-alert-rules.ts';
import { up as tasks } from './migrations/0007-tasks.ts';
import { up as rollouts } from './migrations/0008-rollouts.ts';

/** In order; what has been released is never changed. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-shops-agents-journal': { up: shopsAgentsJournal },
  '0002-operators': { up: operators },
  '0003-damaged-entries': { up: damagedEntries },
  '0004-commands': { up: commands },
  '0005-releases-and-runs': { up: releasesAndRuns },
  '0006-alert-rules': { up: alertRules },
  '0007-tasks': { up: tasks },
  '0008-rollouts': { up: rollouts },
};

/**
 * Brings the tables up to date, once, however many hubs start at a time. The user of the connection becomes their owner.
 * @returns the names of the migrations that ran
 * @throws OWNER_IS_ROLE when the user is the role that shall own nothing
 */
export async function migrate(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ user: string }>`SELECT current_user AS user`.execute(database);
  if (rows[0]?.user === ROLE)
    throw new AppError(
      'OWNER_IS_ROLE',
      `${ROLE} is the role that owns nothing: connect as another user, like tillhubd (createuser --createrole tillhubd)`,
    );
  const { error, results } = await migratorOf(database).migrateToLatest();
  if (error !== undefined) throw error;
  await makeJournalMonths(database);
  return (results ?? []).map(({ migrationName }) => migrationName);
}

function migratorOf(db: Database): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
}

/**
 * A hub begins only on the tables that it knows; `tillhub migrate` brings older ones up to date.
 * @throws DATABASE_NOT_MIGRATED
 */
export async function requireMigrated(database: Database): Promise<void> {
  const all = await migratorOf(database).getMigrations();
  const missing = all.filter(({ executedAt }) => executedAt === undefined);
  if (missing.length > 0)
    throw new AppError(
      'DATABASE_NOT_MIGRATED',
      'the tables of this database are not up to date: tillhub migrate',
    );
  await makeJournalMonths(database);
}

/** Partitions of the journal for this month and the next two: a hub calls it at its start and once a day. */
export async function makeJournalMonths(database: Database): Promise<void> {
  await sql`SELECT make_journal_months()`.execute(database);
}
