import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Daemon } from './daemon.ts';

const TILLCTL = join(import.meta.dirname, '../../src/cli/tillctl.ts');

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON it expects and fails when it is not there
  readonly body: any;
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `tillctl` as a person does, in a process of its own. */
export function tillctl(daemon: Pick<Daemon, 'socket'>, ...args: readonly string[]): Promise<CommandResult> {
  return new Promise((resolve) => {
    const command = [TILLCTL, '--socket', daemon.socket, ...args];
    execFile(process.execPath, command, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

export interface LinkNow {
  readonly state: string;
  readonly code: string | null;
  readonly environment: string | null;
  readonly reason: string | null;
}

/** How the daemon's way to the service is now, as `tillctl status` tells it, without a process of its own. */
export async function linkOf(daemon: Daemon): Promise<LinkNow> {
  return (await statusOf(daemon)).link;
}

/** What `tillctl status --json` tells, without a process of its own. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON it expects and fails when it is not there
export function statusOf(daemon: Pick<Daemon, 'socket'>): Promise<any> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: daemon.socket, path: '/v2/status' }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve(JSON.parse(text).data));
    });
    asked.once('error', reject).end();
  });
}

/** Till software that speaks HTTP with an API key, as `curl` does. */
export class Till {
  readonly #daemon: Daemon;
  readonly #key: string;

  private constructor(daemon: Daemon, key: string) {
    this.#daemon = daemon;
    this.#key = key;
  }

  static async at(daemon: Daemon): Promise<Till> {
    const scopes = ['payments:read', 'payments:write', 'webhooks:read', 'webhooks:write'].flatMap((scope) => [
      '--scope',
      scope,
    ]);
    const { stdout } = await tillctl(daemon, 'keys', 'create', ...scopes, '--json');
    return new Till(daemon, JSON.parse(stdout).data.key);
  }

  /** The same till at a daemon that was started again. */
  moved(daemon: Daemon): Till {
    return new Till(daemon, this.#key);
  }

  /** Asks again after a 429, as a till does: whoever waits by asking uses up the key's rate. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    for (;;) {
      const reply = await this.#askOnce(method, path, body, headers);
      if (reply.status !== 429) return reply;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async #askOnce(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Reply> {
    const response = await fetch(`${this.#daemon.url}/v2${path}`, {
      method,
      headers: {
        'x-api-key': this.#key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  }
}
