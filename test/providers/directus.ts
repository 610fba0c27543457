import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../support/daemon.ts';

const TOKEN = 'a-token-of-the-admin';

interface Field {
  readonly field: string;
  readonly type: string;
  readonly meta?: object;
  readonly schema?: object;
}

const stamped: readonly Field[] = [
  { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
  { field: 'status', type: 'string', schema: { default_value: 'published' } },
  { field: 'date_created', type: 'timestamp', meta: { special: ['date-created'] } },
  { field: 'date_updated', type: 'timestamp', meta: { special: ['date-updated'] } },
];

/** A running Directus over SQLite, as its own command starts it. */
export class Directus {
  readonly url: string;
  readonly token = TOKEN;
  readonly #process: ChildProcess;

  private constructor(url: string, process: ChildProcess) {
    this.url = url;
    this.#process = process;
  }

  /** @param site the folder of its database; the first start makes it */
  static async start(program: string, site: string, port: number, more: object = {}): Promise<Directus> {
    const env = { ...environmentOf(port), ...more };
    const cli = join(program, 'node_modules', 'directus', 'cli.js');
    const bootstrap = spawn(process.execPath, [cli, 'bootstrap'], { cwd: site, env, stdio: 'ignore' });
    const [code] = await once(bootstrap, 'exit');
    if (code !== 0) throw new Error(`directus bootstrap ended with ${code}`);
    const child = spawn(process.execPath, [cli, 'start'], { cwd: site, env, stdio: 'ignore' });
    const directus = new Directus(`http://127.0.0.1:${port}`, child);
    await eventually(() => directus.#answers(), 120_000);
    return directus;
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGKILL');
    if (this.#process.exitCode === null && this.#process.signalCode === null)
      await once(this.#process, 'exit');
  }

  /** @throws Error with the answer for anything but 2xx */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON it expects and fails when it is not there
  async call(method: string, path: string, body?: unknown): Promise<any> {
    const reply = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 300)}`);
    return text === '' ? null : JSON.parse(text);
  }

  async collection(name: string, fields: readonly Field[]): Promise<void> {
    await this.call('POST', '/collections', {
      collection: name,
      schema: {},
      meta: {},
      fields: [...stamped, ...fields],
    });
  }

  /** Adds these items, five hundred at a time. */
  async add(collection: string, items: readonly object[]): Promise<void> {
    for (let at = 0; at < items.length; at += 500)
      await this.call('POST', `/items/${collection}?fields=id`, items.slice(at, at + 500));
  }

  async #answers(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/server/ping`)).ok;
    } catch {
      return false;
    }
  }
}

/** A port that nothing listens at now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

function environmentOf(port: number): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: './data.db',
    SECRET: '0123456789abcdef0123456789abcdef',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'a-password-of-the-admin',
    ADMIN_TOKEN: TOKEN,
    SERVE_APP: 'false',
    TELEMETRY: 'false',
    CACHE_ENABLED: 'false',
    WEBSOCKETS_ENABLED: 'false',
    LOG_LEVEL: 'error',
    // A busy machine is not what is tested here.
    PRESSURE_LIMITER_ENABLED: 'false',
  };
}
