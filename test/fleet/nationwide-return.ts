import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { sql } from 'kysely';
import { Agent as Connections, request } from 'undici';
import { connect, type Database } from '../../src/hub/database/connect.ts';
import { migrate } from '../../src/hub/database/migrate.ts';
import { batch, entries } from './hub.ts';
import { startHub } from './hub-process.ts';
import { newDatabase } from './postgres.ts';

const AGENTS = Number(process.env['FLEET_AGENTS'] ?? 10_000);
const ENTRIES = 50;
const BAR_S = 120;
/** Of the answers; the agent does not know whether its request was done. */
const LOST = 0.02;
const TWICE = 0.05;
/** Agents that notice the end of an outage come within this time, each at another moment. */
const SPREAD_MS = 20_000;

interface ReturningAgent {
  readonly issuer: string;
  readonly key: KeyObject;
}

interface Counts {
  requests: number;
  lost: number;
  twice: number;
  refused: number;
  withoutRetryAfter: number;
}

/**
 * All shops come back after an outage, each with 50 entries; some answers are lost, some requests come twice. Every row must be there exactly once.
 * @returns whether it took no longer than the bar
 */
export async function nationwideReturn(server: string): Promise<boolean> {
  const url = await newDatabase(server);
  const database = connect(url);
  await migrate(database);
  const agents = await enrolled(database);
  const hub = await startHub(url);
  const connections = new Connections({ connections: 512, pipelining: 1 });
  const counts: Counts = { requests: 0, lost: 0, twice: 0, refused: 0, withoutRetryAfter: 0 };
  const began = performance.now();
  try {
    await Promise.all(agents.map((agent) => comesBack(agent, hub.url, connections, counts)));
    const wall = (performance.now() - began) / 1000;
    const rows = await booksOf(database);
    const isWhole =
      rows.entries === AGENTS * ENTRIES && rows.distinct === rows.entries && rows.branches === 0;
    const result = { agents: AGENTS, ...counts, ...rows, wall_s: Math.round(wall), bar_s: BAR_S };
    const isMet = isWhole && wall <= BAR_S && counts.withoutRetryAfter === 0;
    process.stdout.write(`${JSON.stringify({ test: 'return', ...result, met: isMet })}\n`);
    return isMet;
  } finally {
    await connections.destroy();
    await hub.kill();
    await database.destroy();
  }
}

/** Rows of agents that joined earlier; joining itself is another test. */
async function enrolled(database: Database): Promise<readonly ReturningAgent[]> {
  const tenant = randomUUID();
  await database.insertInto('tenant').values({ id: tenant, name: 'Bakery' }).execute();
  const shop = await database
    .insertInto('shop')
    .values({ tenant_id: tenant, name: 'All' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const agents = Array.from({ length: AGENTS }, () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    return { id: randomUUID(), key: privateKey, x: String(privateKey.export({ format: 'jwk' }).x) };
  });
  for (let from = 0; from < agents.length; from += 1_000) {
    const rows = agents
      .slice(from, from + 1_000)
      .map(({ id, x }) => ({ id, tenant_id: tenant, shop_id: shop.id, public_key: x, version: '1' }));
    await database.insertInto('agent').values(rows).execute();
  }
  return agents.map(({ id, key }) => ({ issuer: `${tenant}/${id}`, key }));
}

async function comesBack(
  agent: ReturningAgent,
  url: string,
  connections: Connections,
  counts: Counts,
): Promise<void> {
  await pause(Math.random() * SPREAD_MS);
  const body = JSON.stringify(batch(entries(ENTRIES), 1, ENTRIES));
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokenOf(agent, body)}` };
  const send = async () => {
    counts.requests += 1;
    const reply = await request(`${url}/v1/journal`, {
      method: 'POST',
      headers,
      body,
      dispatcher: connections,
    });
    await reply.body.dump();
    return reply;
  };
  for (;;) {
    const { statusCode, headers: answered } = await send().catch(() => ({ statusCode: 0, headers: {} }));
    if (statusCode === 200 && Math.random() >= LOST) break;
    if (statusCode === 200) counts.lost += 1;
    else {
      counts.refused += 1;
      const wait = Number('retry-after' in answered ? answered['retry-after'] : Number.NaN);
      if (!Number.isFinite(wait)) counts.withoutRetryAfter += 1;
      await pause(1000 * (Number.isFinite(wait) ? wait : 1));
    }
  }
  if (Math.random() < TWICE) {
    counts.twice += 1;
    await send();
  }
}

/** A signed request, made without the library that the hub checks it by. */
function tokenOf({ issuer, key }: ReturningAgent, body: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const digest = createHash('sha256').update(body).digest('base64url');
  const claims = { iss: issuer, htm: 'POST', htu: '/v1/journal', digest };
  const signed = `${part({ alg: 'EdDSA' })}.${part(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

async function booksOf(database: Database) {
  const { rows } = await sql<{
    entries: number;
    distinct: number;
    branches: number;
  }>`SELECT count(*) AS entries,
    count(DISTINCT (agent_id, epoch, branch, seq)) AS distinct, count(*) FILTER (WHERE branch > 0) AS branches
    FROM journal`.execute(database);
  const [books] = rows;
  if (books === undefined) throw new Error('no count');
  return books;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
