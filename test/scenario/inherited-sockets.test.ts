import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenFds } from '../../src/runtime/listen-fds.ts';
import { aWorld, type World } from '../support/daemon.ts';

const ROOT = join(import.meta.dirname, '../..');
const ACTIVATE = 'systemd-socket-activate';
const lack =
  spawnSync('which', [ACTIVATE]).status === 0 ? '' : ` (needs ${ACTIVATE}: apt-get install systemd)`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** The daemon as systemd starts it: at the first connection, with sockets that are open already. */
function activated(world: World, sockets: readonly string[], listen: string) {
  const listening = sockets.flatMap((socket) => ['-l', socket]);
  const daemon = [process.execPath, join(ROOT, 'src/main.ts'), '--config', world.config];
  const call = [
    ...listening,
    '-E',
    'PATH',
    ...daemon,
    '--state-dir',
    join(world.folder, 'state'),
    '--listen',
    listen,
  ];
  const child = spawn(ACTIVATE, call, { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] });
  const log: string[] = [];
  child.stderr.on('data', (data) => log.push(String(data)));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, log };
}

async function health(at: { readonly port: number } | { readonly socketPath: string }): Promise<string> {
  const where = 'port' in at ? { host: '127.0.0.1', ...at } : at;
  for (let tries = 0; ; tries += 1) {
    try {
      const asked = request({ ...where, path: '/healthz', timeout: 20_000 }).end();
      const [reply] = await once(asked, 'response');
      return await text(reply);
    } catch (error) {
      if (tries > 100) throw error;
      await wait(50);
    }
  }
}

describe.skipIf(lack !== '')(`sockets that the service manager opened${lack}`, () => {
  it('are served: the first connection waited for the start', async () => {
    const world = await aWorld();
    const port = await freePort();
    const socketPath = join(world.folder, 'given.sock');
    activated(world, [`127.0.0.1:${port}`, socketPath], `127.0.0.1:${port}`);
    expect(await health({ port })).toContain('can_sell');
    expect(await health({ socketPath })).toContain('can_sell');
    expect(await health({ socketPath: join(world.folder, 'state/tilld.sock') })).toContain('can_sell');
  }, 60_000);

  it('at another address than the configured one are served beside it', async () => {
    const world = await aWorld();
    const [given, own] = [await freePort(), await freePort()];
    activated(world, [`127.0.0.1:${given}`], `127.0.0.1:${own}`);
    expect(await health({ port: given })).toContain('can_sell');
    expect(await health({ port: own })).toContain('can_sell');
  }, 60_000);

  it('beyond this machine need a certificate as well', async () => {
    const world = await aWorld();
    const port = await freePort();
    const { child, log } = activated(world, [`0.0.0.0:${port}`], '127.0.0.1:0');
    const ended = once(child, 'exit');
    await health({ port }).catch(() => undefined);
    expect((await ended)[0]).toBe(2);
    expect(log.join('')).toContain('0.0.0.0 is beyond this machine');
  }, 60_000);
});

it('are counted only where they are meant for this process', () => {
  expect(listenFds({ LISTEN_PID: '7', LISTEN_FDS: '2' }, 7)).toEqual([3, 4]);
  for (const env of [{}, { LISTEN_PID: '8', LISTEN_FDS: '2' }, { LISTEN_PID: '7', LISTEN_FDS: '-1' }])
    expect(listenFds(env, 7)).toEqual([]);
  for (const LISTEN_FDS of ['many', '17', '1.5', ''])
    expect(listenFds({ LISTEN_PID: '7', LISTEN_FDS }, 7)).toEqual([]);
});
