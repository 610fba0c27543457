import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { sql } from 'kysely';
import { Agent as Connections, type Dispatcher, request } from 'undici';
import { connect, type Database } from '../../src/hub/database/connect.ts';
import { migrate } from '../../src/hub/database/migrate.ts';
import { batch, entries } from './hub.ts';
import { type HubProcess, startHub } from './hub-process.ts';
import { newDatabase } from './postgres.ts';
import { PostgresPair } from './postgres-pair.ts';

export const AGENTS = Number(process.env['FLEET_AGENTS'] ?? 10_000);
const ENTRIES = 50;
const BAR_S = 120;
/** Of the answers; the agent does not know whether its request was done. */
const LOST = 0.02;
const TWICE = 0.05;
/** Agents that notice the end of an outage come within this time, each at another moment. */
const SPREAD_MS = 20_000;
const KILL_EVERY_MS = 3_000;
const KILLS = 20;
const FAILOVERS = 10;
/** Work goes on while ten primaries die. */
const LONG_SPREAD_MS = 100_000;
const FAILOVER_BAR_S = 240;
/** From the death of a primary to the next entries that are stored. */
const BACK_BAR_S = 60;
/** So many answers show that agents are served again. */
const SERVED = 20;

/** Every twentieth clock is wrong by so much, one way or the other. */
const WRONG_CLOCK_MS = 400 * 86_400_000;
const WRONG_CLOCKS = 20;

export interface ReturningAgent {
  readonly issuer: string;
  readonly key: KeyObject;
  /** How far its clock is ahead of the hub's, ms. */
  readonly aheadMs: number;
}

interface Counts {
  requests: number;
  stored: number;
  lost: number;
  twice: number;
  refused: number;
  unanswered: number;
  withoutRetryAfter: number;
}

interface Return {
  readonly test: string;
  readonly url: string;
  readonly spreadMs: number;
  readonly barS: number;
  /** Called again and again until all are back, so often at most. */
  readonly disturb: (hub: RestartedHub, counts: Counts) => Promise<void>;
  readonly times: number;
  /** What the hub has stored may be lost with a primary. */
  readonly losesRows?: boolean;
  /** Some clocks are wrong: each agent says what time it has. */
  readonly wrongClocks?: boolean;
}

/** All shops come back after an outage. @returns whether every row is there exactly once, no later than the bar */
export async function nationwideReturn(server: string): Promise<boolean> {
  const url = await newDatabase(server);
  const disturb = async () => undefined;
  return await comingBack({ test: 'return', url, spreadMs: SPREAD_MS, barS: BAR_S, disturb, times: 0 });
}

/** The same with clocks that are wrong by 400 days: every row is there once, at the time at which the hub got it, and an alert says which clocks are wrong. */
export async function wrongClocks(server: string): Promise<boolean> {
  const url = await newDatabase(server);
  const disturb = async () => undefined;
  const of = { test: 'wrong-clocks', url, spreadMs: SPREAD_MS, barS: BAR_S, disturb, times: 0 };
  return await comingBack({ ...of, wrongClocks: true });
}

/** The same while the only hub is killed, again and again. */
export async function hubKilled(server: string): Promise<boolean> {
  const url = await newDatabase(server);
  const disturb = async (hub: RestartedHub) => {
    await pause(KILL_EVERY_MS);
    await hub.again();
  };
  return await comingBack({
    test: 'hub-killed',
    url,
    spreadMs: SPREAD_MS,
    barS: BAR_S,
    disturb,
    times: KILLS,
  });
}

/** The same while the primary is killed ten times and its asynchronous standby promoted; the former primary comes back as the standby. */
export async function failover(): Promise<boolean> {
  const pair = await PostgresPair.start();
  const back: number[] = [];
  try {
    await pair.createDatabase('hub');
    const disturb = async (_: RestartedHub, counts: Counts) => {
      await pause(KILL_EVERY_MS);
      const began = performance.now();
      await pair.failOver();
      const served = counts.stored + SERVED;
      while (counts.stored < served && performance.now() - began < 2_000 * BACK_BAR_S) await pause(50);
      back.push((performance.now() - began) / 1_000);
      await pair.rejoin();
    };
    const of = { test: 'failover', url: pair.url('hub'), spreadMs: LONG_SPREAD_MS, barS: FAILOVER_BAR_S };
    const isWhole = await comingBack({ ...of, disturb, times: FAILOVERS, losesRows: true });
    const [longest, met] = [Math.max(...back), isWhole && back.length === FAILOVERS];
    const figures = {
      test: 'failover-back',
      failovers: back.length,
      longest_s: Math.round(longest),
      bar_s: BACK_BAR_S,
    };
    process.stdout.write(`${JSON.stringify({ ...figures, met: met && longest <= BACK_BAR_S })}\n`);
    return met && longest <= BACK_BAR_S;
  } finally {
    await pair.stop();
  }
}

/** All shops come back, each with 50 entries; some answers are lost, some requests come twice. */
async function comingBack({
  test,
  url,
  spreadMs,
  barS,
  disturb,
  times,
  losesRows,
  wrongClocks = false,
}: Return): Promise<boolean> {
  const database = connect(url, { connections: 4 });
  await migrate(database);
  const agents = await enrolled(database, wrongClocks);
  const hub = await RestartedHub.start(url);
  const connections = new Connections({ connections: 512, pipelining: 1 });
  const counts: Counts = {
    requests: 0,
    stored: 0,
    lost: 0,
    twice: 0,
    refused: 0,
    unanswered: 0,
    withoutRetryAfter: 0,
  };
  const began = performance.now();
  try {
    let isOver = false;
    const disturbing = (async () => {
      for (let no = 0; no < times && !isOver; no += 1) await disturb(hub, counts);
    })();
    const way = { hub, connections, counts, exchanges: wrongClocks };
    await Promise.all(agents.map((agent) => comesBack(agent, { ...way, spreadMs })));
    const wall = (performance.now() - began) / 1000;
    isOver = true;
    await disturbing;
    // What a standby had not got when it was promoted: an agent learns it from the hub's cursor, and sends it again.
    if (losesRows) await Promise.all(agents.map((agent) => comesBack(agent, { ...way, spreadMs: 5_000 })));
    const rows = await booksOf(database);
    const clocks = await clocksOf(database);
    const isWhole =
      rows.entries === AGENTS * ENTRIES && rows.distinct === rows.entries && rows.branches === 0;
    const isKnown =
      clocks.misdated === 0 && clocks.alerts === agents.filter(({ aheadMs }) => aheadMs !== 0).length;
    const result = {
      agents: AGENTS,
      hub_killed: hub.killed,
      hub_failed: hub.failed - hub.killed,
      ...counts,
      ...rows,
      ...(wrongClocks ? { clock_alerts: clocks.alerts, misdated: clocks.misdated } : {}),
      wall_s: Math.round(wall),
      bar_s: barS,
    };
    const isMet = isWhole && isKnown && wall <= barS && counts.withoutRetryAfter === 0;
    process.stdout.write(`${JSON.stringify({ test, ...result, met: isMet })}\n`);
    return isMet;
  } finally {
    await connections.destroy();
    await hub.kill();
    await database.destroy();
  }
}

/** A hub at one address, whatever happens to its process: one that ends by itself starts again, as systemd has it. */
class RestartedHub {
  readonly #database: string;
  #hub: HubProcess;
  #isStopping = false;
  killed = 0;
  /** How often it has ended by itself. */
  failed = 0;

  private constructor(database: string, hub: HubProcess) {
    this.#database = database;
    this.#hub = hub;
    this.#watch(hub);
  }

  static async start(database: string): Promise<RestartedHub> {
    return new RestartedHub(database, await startHub(database));
  }

  get url(): string {
    return this.#hub.url;
  }

  /** Kills the process; another one starts. */
  async again(): Promise<void> {
    this.killed += 1;
    await this.#hub.kill();
  }

  async kill(): Promise<void> {
    this.#isStopping = true;
    await this.#hub.kill();
  }

  #watch(hub: HubProcess): void {
    void hub.ended.then(() => this.#restart(hub.url));
  }

  async #restart(url: string): Promise<void> {
    this.failed += 1;
    while (!this.#isStopping) {
      const started = await startHub(this.#database, Number(new URL(url).port)).catch(() => null);
      if (started === null) {
        await pause(500);
        continue;
      }
      this.#hub = started;
      if (this.#isStopping) await started.kill();
      else this.#watch(started);
      return;
    }
  }
}

/** Rows of agents that joined earlier; joining itself is another test. */
export async function enrolled(database: Database, wrongClocks: boolean): Promise<readonly ReturningAgent[]> {
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
  return agents.map(({ id, key }, index) => {
    const isWrong = wrongClocks && index % WRONG_CLOCKS === 0;
    const aheadMs = isWrong ? WRONG_CLOCK_MS * (index % (2 * WRONG_CLOCKS) === 0 ? 1 : -1) : 0;
    return { issuer: `${tenant}/${id}`, key, aheadMs };
  });
}

interface Way {
  readonly hub: RestartedHub;
  readonly connections: Connections;
  readonly counts: Counts;
  readonly spreadMs: number;
  /** Each agent says what time it has before it sends rows. */
  readonly exchanges: boolean;
}

async function comesBack(agent: ReturningAgent, way: Way): Promise<void> {
  await pause(Math.random() * way.spreadMs);
  const run = { epoch: 'e1', run_id: randomUUID(), version: '1' };
  const exchange = (number: number) => ({ ...run, exchange: number, now: Date.now() + agent.aheadMs });
  // An exchange that is repeated is refused, because it is numbered: an agent makes another one.
  let number = 0;
  let isKnown = !way.exchanges;
  while (!isKnown) {
    number += 1;
    isKnown = (await sentOnce(agent, way, exchange(number))) === 200;
  }
  await sendsRows(agent, way);
}

/** @returns the status; 0: no answer */
async function sentOnce(agent: ReturningAgent, way: Way, message: object): Promise<number> {
  const body = JSON.stringify(message);
  const reply = await post(agent, way, '/v1/exchange', body).catch(() => null);
  if (reply?.statusCode !== 200) await pause(waitAfter(reply, way.counts));
  return reply?.statusCode ?? 0;
}

async function post(
  agent: ReturningAgent,
  { hub, connections, counts }: Way,
  path: string,
  body: string,
): Promise<Dispatcher.ResponseData> {
  counts.requests += 1;
  const authorization = `Bearer ${tokenOf(agent, path, body)}`;
  const reply = await request(`${hub.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body,
    dispatcher: connections,
  });
  await reply.body.dump();
  return reply;
}

async function sendsRows(agent: ReturningAgent, way: Way): Promise<void> {
  const { counts } = way;
  const body = JSON.stringify(batch(entries(ENTRIES), 1, ENTRIES));
  const send = () => post(agent, way, '/v1/journal', body);
  for (;;) {
    const reply = await send().catch(() => null);
    if (reply?.statusCode === 200) counts.stored += 1;
    if (reply?.statusCode === 200 && Math.random() >= LOST) break;
    await pause(waitAfter(reply, counts));
  }
  if (Math.random() < TWICE) {
    counts.twice += 1;
    await send().catch(() => undefined);
  }
}

/** How long an agent waits before it sends again, in ms. */
function waitAfter(reply: Dispatcher.ResponseData | null, counts: Counts): number {
  if (reply === null) {
    counts.unanswered += 1;
    return 500 + Math.random() * 4_500;
  }
  if (reply.statusCode === 200) {
    counts.lost += 1;
    return 0;
  }
  counts.refused += 1;
  const seconds = Number(reply.headers['retry-after'] ?? Number.NaN);
  if (Number.isFinite(seconds)) return 1_000 * seconds;
  counts.withoutRetryAfter += 1;
  return 1_000;
}

/** A signed request, made without the library that the hub checks it by. */
export function tokenOf({ issuer, key }: ReturningAgent, path: string, body: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const digest = createHash('sha256').update(body).digest('base64url');
  const claims = { iss: issuer, htm: 'POST', htu: path, digest };
  const signed = `${part({ alg: 'EdDSA' })}.${part(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

export async function booksOf(database: Database) {
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

/** Alerts of clocks that are open, and rows that are not of the hub's own time. */
async function clocksOf(database: Database) {
  const { rows } = await sql<{
    alerts: number;
    misdated: number;
  }>`SELECT (SELECT count(*)::int FROM alert WHERE kind = 'clock_wrong' AND ended_at IS NULL) AS alerts,
    (SELECT count(*)::int FROM journal WHERE abs(extract(epoch FROM received_at - now())) > 3600) AS misdated`.execute(
    database,
  );
  const [clocks] = rows;
  if (clocks === undefined) throw new Error('no count');
  return clocks;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
