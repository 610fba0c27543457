import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type CleanRoot, ENVIRONMENT } from '../support/clean-root.ts';

const READY = /^tilld ready (?<url>http:\S+)$/;

/** The installed daemon, started as its unit would: its user, its groups, its credentials, no way to more rights. */
export class PackagedDaemon {
  readonly #root: CleanRoot;
  readonly #process: ChildProcess;
  readonly #lines: string[];
  /** Of the local interface. */
  readonly url: string;

  private constructor(root: CleanRoot, process: ChildProcess, lines: string[], url: string) {
    this.url = url;
    this.#root = root;
    this.#process = process;
    this.#lines = lines;
  }

  /** Starts it and waits until a payment could be taken. `more` follows the arguments of the unit. */
  static async start(root: CleanRoot, more: readonly string[] = []): Promise<PackagedDaemon> {
    const asUnit = ['setpriv', '--reuid=tilld', '--regid=tilld', '--init-groups', '--no-new-privs'];
    const environment = [
      '-C',
      '/var/lib/tilld',
      ...ENVIRONMENT,
      'CREDENTIALS_DIRECTORY=/run/credentials/tilld.service',
    ];
    const call = [root.path, '/usr/bin/env', '-i', ...environment, ...asUnit, ...unitCall(root), ...more];
    const process = spawn('chroot', call, { stdio: ['ignore', 'pipe', 'pipe'] });
    const lines: string[] = [];
    createInterface({ input: process.stderr }).on('line', (line) => lines.push(line));
    for await (const line of createInterface({ input: process.stdout })) {
      const url = READY.exec(line)?.groups?.['url'];
      if (url !== undefined) return new PackagedDaemon(root, process, lines, url);
    }
    throw new Error(`the daemon ended before it was ready:\n${lines.join('\n')}`);
  }

  get log(): string {
    return this.#lines.join('\n');
  }

  /** What the installed command line says, as the daemon's user. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON it expects and fails when it is not there
  async tillctl(words: string): Promise<any> {
    const { out, err } = await this.#root.sh(
      `setpriv --reuid=tilld --regid=tilld --init-groups tillctl --json --socket /var/lib/tilld/tilld.sock ${words}`,
    );
    if (out === '') throw new Error(`tillctl ${words}: ${err}\n${this.log}`);
    const document = JSON.parse(out);
    if (document.error) throw new Error(`tillctl ${words}: ${out}\n${this.log}`);
    return document;
  }

  /** What the installed doctor says when the pages ask for it. */
  async examined(): Promise<{
    readonly state: string;
    readonly findings: readonly { readonly id: string }[];
  }> {
    await this.#ask('POST');
    for (let tries = 0; tries < 120; tries += 1) {
      const { data } = JSON.parse(await this.#ask('GET'));
      if (data.state !== 'running') return data;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error(`the doctor is not done:\n${this.log}`);
  }

  /** Asks the doctor over the socket, as somebody who is signed in at the pages may. */
  #ask(method: 'GET' | 'POST'): Promise<string> {
    const options = {
      method,
      socketPath: this.#root.at('var/lib/tilld/tilld.sock'),
      path: '/v2/doctor',
      headers: { host: 'localhost', ...(method === 'POST' && { 'idempotency-key': randomUUID() }) },
    };
    return new Promise((resolve, reject) => {
      const asked = request(options, (answer) => resolve(text(answer)));
      asked.on('error', reject).end();
    });
  }

  /** The power goes, or somebody stops it. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    await ended;
  }
}

/** Its `ExecStart=`, on any free port. */
function unitCall(root: CleanRoot): readonly string[] {
  const unit = readFileSync(root.at('usr/lib/systemd/system/tilld.service'), 'utf8');
  const call = /^ExecStart=(?<call>.+)$/m.exec(unit)?.groups?.['call'];
  if (call === undefined) throw new Error('the unit starts nothing');
  return [...call.split(' '), '--listen', '127.0.0.1:0'];
}
