import { PGlite, types } from '@electric-sql/pglite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Database } from '../../src/hub/database/connect.ts';
import type { Tables } from '../../src/hub/database/tables.ts';

/** PostgreSQL compiled to WebAssembly, in memory: the hub's own statements and functions, without a server. */
export async function openPglite(): Promise<Database> {
  const pglite = await PGlite.create({ parsers: { [types.INT8]: Number } });
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new PgliteDriver(pglite),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

/** There is one connection: who asks for it while another has it waits. */
class PgliteDriver implements Driver {
  readonly #pglite: PGlite;
  readonly #connection: DatabaseConnection;
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        if (parameters.length > 0) {
          const { rows, affectedRows } = await pglite.query<R>(sql, [...parameters]);
          return { rows, numAffectedRows: BigInt(affectedRows ?? 0) };
        }
        const results = await pglite.exec(sql);
        return { rows: (results.at(-1)?.rows ?? []) as R[] };
      },
      async *streamQuery<R>(query: CompiledQuery) {
        yield await this.executeQuery<R>(query);
      },
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('BEGIN'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('COMMIT'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('ROLLBACK'));
  }

  async destroy(): Promise<void> {
    await this.#pglite.close();
  }
}
