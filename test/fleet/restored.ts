import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent as Connections, request } from 'undici';
import { z } from 'zod';
import { connect } from '../../src/hub/database/connect.ts';
import { migrate } from '../../src/hub/database/migrate.ts';
import { batch, entries } from './hub.ts';
import { type HubProcess, startHub } from './hub-process.ts';
import { AGENTS, booksOf, enrolled, type ReturningAgent, tokenOf } from './nationwide-return.ts';
import { asOwner, newDatabase } from './postgres.ts';

/** Rows of each agent at the backup, when the hub is lost, and when it is back. */
const [AT_BACKUP, AT_LOSS, AT_RETURN] = [25, 50, 60] as const;
const MOST_ROWS = 50;
const ALL = entries(AT_RETURN);
const BAR_S = 120;
const AT_ONCE = 256;

/**
 * The database of a hub is lost, and yesterday's is put in its place: agents that know nothing of it go on from the cursor that they get.
 * @returns whether every row of every agent is there once, no later than the bar
 */
export async function restored(server: string): Promise<boolean> {
  const url = await newDatabase(server);
  const before = connect(url, { connections: 4 });
  await migrate(before);
  const agents = await enrolled(before, false);
  await before.destroy();
  const connections = new Connections({ connections: AT_ONCE, pipelining: 1 });
  try {
    await withHub(url, (hub) => report(agents, hub, connections, AT_BACKUP));
    const yesterday = `${url}_yesterday`;
    const name = (of: string) => new URL(of).pathname.slice(1);
    await asOwner(`${server}/postgres`, (client) =>
      client.query(`CREATE DATABASE ${name(yesterday)} TEMPLATE ${name(url)}`),
    );
    await withHub(url, (hub) => report(agents, hub, connections, AT_LOSS));
    const began = performance.now();
    await withHub(yesterday, (hub) => report(agents, hub, connections, AT_RETURN));
    const wall = (performance.now() - began) / 1_000;
    const database = connect(yesterday, { connections: 1 });
    const rows = await booksOf(database);
    await database.destroy();
    const isWhole =
      rows.entries === AGENTS * AT_RETURN && rows.distinct === rows.entries && rows.branches === 0;
    const met = isWhole && wall <= BAR_S;
    const figures = { agents: AGENTS, lost_rows: AGENTS * (AT_LOSS - AT_BACKUP), ...rows };
    process.stdout.write(
      `${JSON.stringify({ test: 'restored', ...figures, wall_s: Math.round(wall), bar_s: BAR_S, met })}\n`,
    );
    return met;
  } finally {
    await connections.destroy();
  }
}

async function withHub(database: string, work: (hub: HubProcess) => Promise<void>): Promise<void> {
  const hub = await startHub(database);
  try {
    await work(hub);
  } finally {
    await hub.kill();
  }
}

/** Every agent has so many rows, and sends what its hub lacks. */
async function report(
  agents: readonly ReturningAgent[],
  hub: HubProcess,
  connections: Connections,
  rows: number,
): Promise<void> {
  const next = agents.values();
  const inTurn = async () => {
    for (const agent of next) await reportOne(agent, hub, connections, rows);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, inTurn));
}

const Cursor = z.object({ data: z.object({ journal: z.object({ next_seq: z.int() }).nullable() }) });
const Stored = z.object({ data: z.object({ next_seq: z.int() }) });

async function reportOne(
  agent: ReturningAgent,
  hub: HubProcess,
  connections: Connections,
  rows: number,
): Promise<void> {
  const send = (path: string, message: object) => sent(agent, `${hub.url}${path}`, message, connections);
  const run = { epoch: 'e1', run_id: randomUUID(), exchange: 1, now: Date.now(), version: '1' };
  let next = Cursor.parse(await send('/v1/exchange', run)).data.journal?.next_seq ?? 1;
  while (next <= rows) {
    const last = Math.min(rows, next + MOST_ROWS - 1);
    next = Stored.parse(await send('/v1/journal', batch(ALL, next, last))).data.next_seq;
  }
}

/** Again after each 429. @throws for another refusal */
async function sent(
  agent: ReturningAgent,
  url: string,
  message: object,
  dispatcher: Connections,
): Promise<unknown> {
  const body = JSON.stringify(message);
  const authorization = `Bearer ${tokenOf(agent, new URL(url).pathname, body)}`;
  const headers = { 'content-type': 'application/json', authorization };
  for (;;) {
    const reply = await request(url, { method: 'POST', headers, body, dispatcher });
    if (reply.statusCode === 200) return await reply.body.json();
    const text = await reply.body.text();
    if (reply.statusCode !== 429) throw new Error(`${reply.statusCode}: ${text}`);
    await pause(200 + Math.random() * 800);
  }
}
