import { createHash, randomBytes } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import type { DaemonProcess } from './process.ts';
import { speak } from './wire.ts';

const ALL = ['payments:read', 'payments:write', 'webhooks:read', 'webhooks:write', 'settings:read'];
const WANTED = {
  /** The honest till. */
  till: { scopes: ALL },
  /** A key in the wrong hands: good for everything. */
  full: { scopes: ALL },
  other: { scopes: ALL },
  flood: { scopes: ALL },
  reader: { scopes: ['payments:read'] },
  writer: { scopes: ['payments:write'] },
  listener: { scopes: ['webhooks:read'] },
  expired: { scopes: ALL },
  revoked: { scopes: ALL },
  rolled: { scopes: ALL },
  live: { scopes: ALL },
  elsewhere: { scopes: ALL, allow: ['10.0.0.0/8', 'fd00::/8', '192.0.2.7'] },
} as const;

/** The keys of a field, by what is special about them. */
export type Keys = Readonly<Record<keyof typeof WANTED | 'unknown', string>>;

/** Makes the keys over the unix socket, revokes and rolls away what is to be over, stops the daemon, and ages the rest. */
export async function makeKeys(daemon: DaemonProcess): Promise<Keys> {
  const made: [string, string][] = [];
  for (const [name, wanted] of Object.entries(WANTED)) made.push([name, await create(daemon, name, wanted)]);
  await daemon.stop();
  const keys = Object.fromEntries(made) as Keys;
  const live = `rk_live_${secret()}`;
  const database = new Sqlite(daemon.databasePath);
  const set = (column: string, value: number | string, key: string) =>
    database.prepare(`UPDATE api_keys SET ${column} = ? WHERE hash = ?`).run(value, hashOf(key)).changes;
  const changed = set('expires_at', Date.now() - 1000, keys.expired) + set('hash', hashOf(live), keys.live);
  database.close();
  if (changed !== 2) throw new Error('the rows of the keys are not where they were expected');
  return { ...keys, live, unknown: `rk_sandbox_${secret()}` };
}

async function create(daemon: DaemonProcess, name: string, wanted: object): Promise<string> {
  const made = await post(daemon, '/v2/keys', { name, ...wanted });
  const key = /"key":"(rk_sandbox_[0-9A-Za-z]{32})"/.exec(made)?.[1];
  const id = /"id":"([0-9a-f-]{36})"/.exec(made)?.[1];
  if (key === undefined || id === undefined) throw new Error(`no key was made: ${made}`);
  if (name === 'revoked') await post(daemon, `/v2/keys/${id}/revoke`, {});
  if (name === 'rolled') await post(daemon, `/v2/keys/${id}/roll`, { overlap_hours: 0 });
  return key;
}

async function post(daemon: DaemonProcess, path: string, content: object): Promise<string> {
  const body = JSON.stringify(content);
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const { answers, text } = await speak({ path: daemon.socketPath }, head + body);
  if (answers[0]?.status !== 200 && answers[0]?.status !== 201) throw new Error(`${path}: ${text}`);
  return answers[0].body;
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** 32 letters and digits that nobody has. */
function secret(): string {
  return randomBytes(16).toString('hex');
}
