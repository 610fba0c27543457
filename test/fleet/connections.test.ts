import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAway } from '../../src/hub/database/away.ts';
import { asTenant, connect, type Database } from '../../src/hub/database/connect.ts';
import { migrate } from '../../src/hub/database/migrate.ts';
import { newDatabase } from './postgres.ts';

const SERVER = process.env['TILLHUB_TEST_SERVER'];
const TENANT = '00000000-0000-4000-8000-000000000001';

describe.runIf(SERVER !== undefined)('connections to PostgreSQL (needs it)', () => {
  const opened: Database[] = [];
  let url = '';
  let owner: Client;

  beforeAll(async () => {
    url = await newDatabase(String(SERVER));
    owner = new Client(url);
    await owner.connect();
    const database = connect(url, { connections: 1 });
    await migrate(database);
    await database.destroy();
  });

  afterAll(async () => {
    for (const database of opened) await database.destroy();
    await owner.end();
  });

  const open = (connections: number, answerMs?: number): Database => {
    const database = connect(url, { connections, ...(answerMs === undefined ? {} : { answerMs }) });
    opened.push(database);
    return database;
  };
  const sleep = sql`SELECT pg_sleep(60)`;
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => 'no failure',
      (error: unknown) => (isAway(error) ? 'away' : error),
    );
  const endAll = () =>
    owner.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  const answer = async (database: Database) =>
    (await sql<{ answer: number }>`SELECT 1 AS answer`.execute(database)).rows[0]?.answer;

  it('are given up when an answer does not come, inside a transaction and outside, and the next statement gets another', async () => {
    const database = open(1, 500);
    expect(await failure(sleep.execute(database))).toBe('away');
    expect(await answer(database)).toBe(1);
    expect(await failure(asTenant(database, TENANT, (transaction) => sleep.execute(transaction)))).toBe(
      'away',
    );
    expect(await answer(database)).toBe(1);
  });

  it('may break while they are idle, or busy: what was asked fails, and nothing else', async () => {
    const database = open(4);
    for (let round = 0; round < 20; round += 1) {
      const busy = Promise.all([
        failure(sleep.execute(database)),
        failure(asTenant(database, TENANT, (transaction) => sleep.execute(transaction))),
      ]);
      expect(await answer(database)).toBe(1);
      let isOver = false;
      void busy.then(() => {
        isOver = true;
      });
      while (!isOver) await endAll();
      expect(await busy).toEqual(['away', 'away']);
      // One that ended while it was idle may be given out before its end has come here.
      while ((await failure(answer(database))) === 'away');
      expect(await answer(database)).toBe(1);
    }
  });

  it('are not waited for without end when all are in use', async () => {
    const database = open(1);
    const busy = failure(sleep.execute(database));
    expect(await failure(sql`SELECT 1`.execute(database))).toBe('away');
    await endAll();
    expect(await busy).toBe('away');
  });

  it('count in 64 bits as numbers, keep JSON that is text, and instants', async () => {
    const { rows } = await sql<Record<string, unknown>>`SELECT 9007199254740991::bigint AS most,
      ${'{"a": [1]}'}::jsonb AS json, ${new Date(1_764_000_000_123)}::timestamptz AS at, ${['a', '"{},\\', null]}::text[] AS list`.execute(
      open(1),
    );
    expect(rows).toEqual([
      {
        most: Number.MAX_SAFE_INTEGER,
        json: { a: [1] },
        at: new Date(1_764_000_000_123),
        list: ['a', '"{},\\', null],
      },
    ]);
  });
});
