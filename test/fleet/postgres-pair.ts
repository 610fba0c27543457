import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answers, asOwner, binaries, freePort, ordinaryUser } from './postgres.ts';

const run = promisify(execFile);

type User = Awaited<ReturnType<typeof ordinaryUser>>;

interface Server {
  readonly port: number;
  readonly data: string;
  process: ChildProcess | null;
}

/** A primary and its asynchronous standby, each real, on loopback. */
export class PostgresPair {
  readonly #bin = binaries();
  readonly #folder: string;
  readonly #user: User;
  #primary: Server;
  #standby: Server;

  private constructor(folder: string, user: User, ports: readonly [number, number]) {
    this.#folder = folder;
    this.#user = user;
    const server = (name: string, port: number): Server => ({
      port,
      data: join(folder, name),
      process: null,
    });
    this.#primary = server('one', ports[0]);
    this.#standby = server('two', ports[1]);
  }

  static async start(): Promise<PostgresPair> {
    const folder = await mkdtemp('/tmp/tilld-pg-');
    const user = await ordinaryUser();
    await chown(folder, user.uid, user.gid);
    const pair = new PostgresPair(folder, user, [await freePort(), await freePort()]);
    const trust = ['-U', 'owner', '--auth=trust', '-E', 'UTF8', '--locale=C'];
    await pair.#tool('initdb', '-D', pair.#primary.data, ...trust);
    pair.#start(pair.#primary);
    await answers(pair.#urlOf(pair.#primary));
    await pair.#follows();
    return pair;
  }

  /** Names both servers. @param first the one that is named first */
  url(database: string, first: 'primary' | 'standby' = 'primary'): string {
    const servers = first === 'primary' ? [this.#primary, this.#standby] : [this.#standby, this.#primary];
    const hosts = servers.map(({ port }) => `127.0.0.1:${port}`);
    return `postgres://owner@${hosts.join(',')}/${database}`;
  }

  async createDatabase(name: string): Promise<void> {
    await asOwner(this.#urlOf(this.#primary), (client) => client.query(`CREATE DATABASE ${name}`));
  }

  /** Until the standby has what the primary has committed by now. */
  async caughtUp(): Promise<void> {
    await asOwner(this.#urlOf(this.#primary), async (client) => {
      const { rows: here } = await client.query('SELECT pg_current_wal_lsn() AS at');
      for (let looks = 0; looks < 600; looks += 1) {
        const { rows } = await client.query(
          'SELECT bool_or(replay_lsn >= $1) AS has FROM pg_stat_replication',
          [here[0].at],
        );
        if (rows[0].has) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error('the standby does not follow');
    });
  }

  /** The primary is killed, and its standby promoted, as a tool for high availability does it. What the standby had not got yet is gone. */
  async failOver(): Promise<void> {
    const former = this.#primary;
    await killed(former);
    await this.#tool('pg_ctl', 'promote', '-w', '-D', this.#standby.data);
    this.#primary = this.#standby;
    this.#standby = former;
  }

  /** The former primary comes back as a standby of the present one. */
  async rejoin(): Promise<void> {
    await rm(this.#standby.data, { recursive: true, force: true });
    await this.#follows();
  }

  async stop(): Promise<void> {
    await killed(this.#standby);
    await killed(this.#primary);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #follows(): Promise<void> {
    const from = ['-h', '127.0.0.1', '-p', String(this.#primary.port), '-U', 'owner'];
    await this.#tool('pg_basebackup', '-D', this.#standby.data, ...from, '-R', '-X', 'stream', '-c', 'fast');
    this.#start(this.#standby);
    await answers(this.#urlOf(this.#standby));
  }

  #start(server: Server): void {
    const sockets = join(this.#folder, `sockets-${server.port}`);
    const settings = [
      `port=${server.port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${sockets}`,
      'wal_level=replica',
      'max_connections=200',
    ];
    const args = ['-D', server.data, ...settings.flatMap((setting) => ['-c', setting])];
    server.process = spawn(
      'sh',
      ['-c', `mkdir -p ${sockets} && exec "$@"`, 'sh', join(this.#bin, 'postgres'), ...args],
      {
        ...this.#user,
        cwd: this.#folder,
        stdio: 'ignore',
      },
    );
  }

  #urlOf({ port }: Server): string {
    return `postgres://owner@127.0.0.1:${port}/postgres`;
  }

  async #tool(name: string, ...args: readonly string[]): Promise<void> {
    await run(join(this.#bin, name), [...args], { ...this.#user, cwd: this.#folder });
  }
}

async function killed(server: Server): Promise<void> {
  const { process } = server;
  server.process = null;
  if (process === null || process.exitCode !== null || process.signalCode !== null) return;
  const gone = once(process, 'exit');
  process.kill('SIGKILL');
  await gone;
}
