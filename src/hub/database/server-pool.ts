import { userInfo } from 'node:os';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { type ClientBase, defaults, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { AppError, messageOf } from '../../base/errors.ts';

/** How long a connection may take, also where all are in use. */
const CONNECT_MS = 5_000;
const IDLE_MS = 60_000;
/** As psql has it: who runs the program, where neither the URL nor PGUSER says another one. pg would take USER, which `su` and `setpriv` leave as it was, or none. */
defaults.user = systemUser();

export interface ServerPoolOptions {
  /** At most so many at once. */
  readonly connections: number;
  /** How long a statement, other than a cursor, may go without its answer; without it, for ever. Then its connection is ended: a machine that is gone says nothing. */
  readonly answerMs?: number;
}

/**
 * Connections to PostgreSQL: to one server, or to that one of several which takes entries.
 * Why: `pg` connects to one host. A server becomes a primary or a standby between two connections only, so each new one asks once.
 */
export class ServerPool implements PostgresPool {
  readonly options = {};
  readonly #pools: readonly Pool[];
  readonly #answerMs: number | undefined;
  #current = 0;

  /** @param servers a URL of each */
  constructor(servers: readonly string[], options: ServerPoolOptions) {
    const more = servers.length > 1 ? { onConnect: requirePrimary } : {};
    this.#answerMs = options.answerMs;
    this.#pools = servers.map((server) => poolOf(server, options, more));
  }

  /** @throws what the server said; of several, DATABASE_AWAY with what each said */
  async connect(): Promise<PostgresPoolClient> {
    const first = this.#current;
    const errors: unknown[] = [];
    for (const turn of this.#pools.keys()) {
      const index = (first + turn) % this.#pools.length;
      const client = await this.#pools[index]?.connect().catch((error: unknown) => void errors.push(error));
      if (!client) continue;
      this.#current = index;
      return new Connection(client, this.#answerMs);
    }
    if (errors.length === 1) throw errors[0];
    throw new AppError('DATABASE_AWAY', errors.map(messageOf).join('; '));
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }
}

function poolOf(server: string, { connections }: ServerPoolOptions, more: PoolConfig): Pool {
  // 64-bit counters are far below 2^53 here.
  const getTypeParser = ((oid: number, format?: 'text') =>
    oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser;
  const pool = new Pool({
    ...more,
    connectionString: server,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    types: { getTypeParser },
  });
  // A connection that breaks says so to its statement, too; without a listener each of these would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** undefined: this user has no name here, as in some containers. */
function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

async function requirePrimary(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
  if (rows[0]?.standby !== false) throw new Error('a server of the URL is a standby');
}

/** One that is ended where an answer does not come: what is asked next would wait for it, too. */
class Connection implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #answerMs: number | undefined;

  constructor(client: PoolClient, answerMs: number | undefined) {
    this.#client = client;
    this.#answerMs = answerMs;
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(asked: string | PostgresCursor<R>, parameters: readonly unknown[] = []) {
    const client: PostgresPoolClient = this.#client;
    if (typeof asked !== 'string') return client.query(asked);
    const answer = client.query<R>(asked, parameters);
    if (this.#answerMs === undefined) return answer;
    const timer = setTimeout(() => void this.#client.end(), this.#answerMs);
    return answer.finally(() => clearTimeout(timer));
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy);
  }
}
