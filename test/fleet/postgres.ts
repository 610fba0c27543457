import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';

export interface Cluster {
  /** `postgres://USER@HOST:PORT`. */
  readonly server: string;
  stop(): Promise<void>;
}

/** A real PostgreSQL on loopback in a temporary folder, owned by a user who is not root. It is stopped by its id. */
export async function startPostgres(): Promise<Cluster> {
  const bin = binaries();
  const folder = await mkdtemp('/tmp/tilld-pg-');
  const user = await ordinaryUser();
  await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  await run(join(bin, 'initdb'), ['-D', data, '-U', 'owner', '--auth=trust', '-E', 'UTF8', '--locale=C'], {
    ...user,
    cwd: folder,
  });
  const port = await freePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'wal_level=replica',
  ];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn(join(bin, 'postgres'), args, { ...user, cwd: folder, stdio: 'ignore' });
  const url = `postgres://owner@127.0.0.1:${port}`;
  await answers(`${url}/postgres`);
  return {
    server: url,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      if (server.exitCode === null && server.kill('SIGINT')) await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @returns the URL of a new, empty database of this server */
export async function newDatabase(server: string): Promise<string> {
  const name = `hub_${randomUUID().replaceAll('-', '')}`;
  await asOwner(`${server}/postgres`, (client) => client.query(`CREATE DATABASE ${name}`));
  return `${server}/${name}`;
}

/** The newest PostgreSQL that Debian has installed. @throws with the words how to install it */
export function binaries(): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  if (found === undefined)
    throw new Error('There is no PostgreSQL here. Debian, Ubuntu: apt-get install -y postgresql');
  return found;
}

/** PostgreSQL refuses to run as root. */
export async function ordinaryUser(): Promise<{ readonly uid: number; readonly gid: number }> {
  const [own, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (own !== 0) return { uid: own, gid: group };
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

export async function asOwner(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client(url);
  // A server that ends says so to its idle connections.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

export async function answers(url: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await asOwner(url, (client) => client.query('SELECT 1'));
      return;
    } catch (error) {
      if (tries > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
