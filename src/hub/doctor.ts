import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { messageOf } from '../base/errors.ts';
import { connect, type Database, ROLE } from './database/connect.ts';
import { requireMigrated } from './database/migrate.ts';
import { print } from './printing.ts';
import { CONNECTIONS, databaseUrl, type ServeOptions } from './serve.ts';

const OLDEST = 150_000;
const CLOCK_MS = 5_000;
const DAY_MS = 86_400_000;
const RENEW_DAYS = 14;

/** What one look came to. */
export interface Finding {
  readonly id: string;
  readonly level: 'ok' | 'warning' | 'failure';
  readonly what: string;
  /** What to do; null where nothing is amiss. */
  readonly next: string | null;
}

type DoctorOptions = Pick<ServeOptions, 'database' | 'tlsCert'> & { readonly json?: boolean };
type Look = (database: Database) => Promise<Finding>;

/** `tillhub doctor`: looks at the database and the certificate, and ends with 1 where something fails. Like a hub's start it makes the next months of the journal. */
export async function doctor(options: DoctorOptions): Promise<void> {
  const database = connect(databaseUrl(options), { connections: 1 });
  try {
    const findings = [
      ...(await examine(database, Date.now())),
      ...certificateOf(options.tlsCert, Date.now()),
    ];
    if (options.json) print(JSON.stringify({ data: { findings } }));
    else for (const finding of findings) print(line(finding));
    if (findings.some(({ level }) => level === 'failure')) process.exitCode = 1;
  } finally {
    await database.destroy();
  }
}

/** @param now of this machine, epoch ms. Without a primary with the tables of this release nothing else is looked at. */
export async function examine(database: Database, now: number): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const begun: readonly Look[] = [reached, primary, upToDate];
  for (const look of begun) {
    const finding = await look(database);
    findings.push(finding);
    if (finding.level === 'failure') return findings;
  }
  const looks: readonly Look[] = [durable, isolated, clockOf(now), connectionsLeft];
  for (const look of looks) findings.push(await look(database));
  return findings;
}

async function reached(database: Database): Promise<Finding> {
  const id = 'database';
  try {
    const { version, number } = await oneRow<{ version: string; number: number }>(
      database,
      sql`SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number`,
    );
    if (number >= OLDEST) return ok(id, `PostgreSQL ${version} answers`);
    return failure(id, `PostgreSQL ${version} is too old`, 'upgrade it to 15 or later');
  } catch (error) {
    return failure(
      id,
      `PostgreSQL does not answer: ${messageOf(error)}`,
      'look at the address, the user and the password in --database or TILLHUB_DATABASE, and whether it runs',
    );
  }
}

async function upToDate(database: Database): Promise<Finding> {
  try {
    await requireMigrated(database);
    return ok('tables', 'the tables are those of this release, and the next months of the journal are there');
  } catch (error) {
    return failure('tables', messageOf(error), 'tillhub migrate, as the user who owns the tables');
  }
}

const primary: Look = async (database) => {
  const { standby } = await oneRow<{ standby: boolean }>(
    database,
    sql`SELECT pg_is_in_recovery() AS standby`,
  );
  return standby
    ? failure(
        'primary',
        'this server is a standby and takes no entries',
        'name all servers in the URL, like postgres://USER@db1.example,db2.example/tillhub: the hub finds the primary',
      )
    : ok('primary', 'the server takes entries');
};

const durable: Look = async (database) => {
  const { rows } = await sql<{ name: string }>`SELECT name FROM pg_settings
    WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off' ORDER BY name`.execute(
    database,
  );
  const off = rows.map(({ name }) => name).join(', ');
  return off === ''
    ? ok('durability', 'what was stored outlives a power cut')
    : failure('durability', `${off} is off: a power cut loses entries`, `set it to on in postgresql.conf`);
};

const isolated: Look = async (database) => {
  const { rows } = await sql<{ name: string }>`SELECT c.relname AS name FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
    WHERE c.relkind IN ('r', 'p') AND has_table_privilege(${ROLE}, c.oid, 'SELECT')
      AND NOT (c.relrowsecurity AND c.relforcerowsecurity) ORDER BY c.relname`.execute(database);
  const { unbound } = await oneRow<{ unbound: boolean }>(
    database,
    sql`SELECT rolsuper OR rolbypassrls AS unbound FROM pg_roles WHERE rolname = ${ROLE}`,
  );
  const open = [
    ...rows.map(({ name }) => `table ${name} has no row-level security`),
    ...(unbound ? [`role ${ROLE} passes over it`] : []),
  ].join(', ');
  return open === ''
    ? ok('isolation', 'row-level security hides every tenant from the others')
    : failure(
        'isolation',
        `merchants could see one another: ${open}`,
        `the rights were changed by hand; back: ALTER TABLE … FORCE ROW LEVEL SECURITY, ALTER ROLE ${ROLE} NOSUPERUSER NOBYPASSRLS`,
      );
};

const clockOf =
  (now: number): Look =>
  async (database) => {
    const { at } = await oneRow<{ at: Date }>(database, sql`SELECT clock_timestamp() AS at`);
    const apart = Math.abs(at.getTime() - now);
    return apart <= CLOCK_MS
      ? ok('clock', 'this machine and the server agree on the time')
      : warning(
          'clock',
          `this machine and the server are ${Math.round(apart / 1000)} s apart`,
          'set both by NTP: sessions, invitations and exported periods go by these clocks',
        );
  };

const connectionsLeft: Look = async (database) => {
  const { most, used } = await oneRow<{ most: number; used: number }>(
    database,
    sql`SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`,
  );
  const text = `${used} of ${most} connections of the server are used; a hub takes up to ${CONNECTIONS}`;
  return most - used >= CONNECTIONS
    ? ok('connections', text)
    : warning('connections', text, 'raise max_connections, or end what else uses them');
};

/** Of the certificate that `serve` is given; nothing where a proxy ends TLS. */
export function certificateOf(file: string | undefined, now: number): readonly Finding[] {
  if (file === undefined) return [];
  const id = 'certificate';
  try {
    const { validTo } = new X509Certificate(readFileSync(file));
    const days = Math.floor((Date.parse(validTo) - now) / DAY_MS);
    if (days < 0) return [failure(id, `it ended on ${validTo}: agents refuse the hub`, 'renew it')];
    if (days < RENEW_DAYS)
      return [
        warning(id, `it ends in ${days} days`, 'renew it, and restart the hub: it reads it at its start'),
      ];
    return [ok(id, `it is good for ${days} days`)];
  } catch (error) {
    return [
      failure(id, `${file} is no certificate that can be read: ${messageOf(error)}`, 'name a PEM file'),
    ];
  }
}

async function oneRow<T>(database: Database, query: ReturnType<typeof sql>): Promise<T> {
  const { rows } = await query.execute(database);
  return rows[0] as T;
}

const ok = (id: string, what: string): Finding => ({ id, level: 'ok', what, next: null });
const warning = (id: string, what: string, next: string): Finding => ({ id, level: 'warning', what, next });
const failure = (id: string, what: string, next: string): Finding => ({ id, level: 'failure', what, next });

const MARKS = { ok: 'ok', warning: 'WARN', failure: 'FAIL' } as const;

function line({ id, level, what, next }: Finding): string {
  return `${MARKS[level].padEnd(4)}  ${id}: ${what}${next === null ? '' : `\n      Next: ${next}`}`;
}
