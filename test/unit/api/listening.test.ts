import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer as createTcp, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startApi } from '../../../src/api/server.ts';
import { ask, openShop, sale, startShop } from './shop.ts';

const OPTIONS = {
  host: '127.0.0.1',
  port: 0,
  socketPath: null,
  environment: 'sandbox',
  version: '0.1.0',
  stopWithinMs: 100,
} as const;
function freshPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-api-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'tilld.sock');
}

function listen(server: Server, where: number | string): Promise<void> {
  return new Promise((resolve) => {
    server.listen(typeof where === 'string' ? { path: where } : { port: where, host: '127.0.0.1' }, resolve);
  });
}

describe('listening', () => {
  it('names its address, serves both doors, and leaves nothing behind when it stops', async () => {
    const { api, socketPath } = await startShop();
    expect(api.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(statSync(socketPath).mode & 0o777).toBe(0o660);
    await api.stop();
    await api.stop();
    expect(existsSync(socketPath)).toBe(false);
    await expect(ask(api.url, { path: '/healthz' })).rejects.toThrow(/ECONNREFUSED/);
  });

  it('says that the port is taken, and holds nothing', async () => {
    const { api } = await startShop();
    const port = Number(new URL(api.url).port);
    const socketPath = freshPath();
    await expect(startApi({ ...OPTIONS, port, socketPath }, openShop().deps)).rejects.toMatchObject({
      code: 'LISTEN_PORT_TAKEN',
    });
    expect(existsSync(socketPath)).toBe(false);
    await api.stop();
  });

  it.each(['0.0.0.0', '::', '192.0.2.1', 'till.shop'])(
    'does not listen on %s without a certificate',
    async (host) => {
      await expect(startApi({ ...OPTIONS, host }, openShop().deps)).rejects.toMatchObject({
        code: 'LISTEN_NEEDS_TLS',
      });
    },
  );

  it('replaces the socket file of a daemon that died', async () => {
    const path = freshPath();
    const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', script]);
    expect(existsSync(path)).toBe(true);
    const api = await startApi({ ...OPTIONS, socketPath: path }, openShop().deps);
    expect((await ask(path, { path: '/v2/status', key: null })).status).toBe(200);
    await api.stop();
  });

  it('does not push a living daemon aside, nor a file that is no socket', async () => {
    const path = freshPath();
    const living = createTcp();
    await listen(living, path);
    await expect(startApi({ ...OPTIONS, socketPath: path }, openShop().deps)).rejects.toMatchObject({
      code: 'SOCKET_IN_USE',
    });
    living.close();
    const file = freshPath();
    writeFileSync(file, 'mine');
    await expect(startApi({ ...OPTIONS, socketPath: file }, openShop().deps)).rejects.toMatchObject({
      code: 'SOCKET_PATH_TAKEN',
    });
    expect(existsSync(file)).toBe(true);
  });

  it('refuses a path that the system would cut, by bytes', async () => {
    const socketPath = `/tmp/${'ü'.repeat(52)}`;
    await expect(startApi({ ...OPTIONS, socketPath }, openShop().deps)).rejects.toMatchObject({
      code: 'SOCKET_PATH_TOO_LONG',
    });
  });
});

describe('slow and greedy clients', () => {
  const limits = { headersTimeoutMs: 100, requestTimeoutMs: 200, checkEveryMs: 20 };

  function speak(url: string, text: string): Promise<string> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(text));
      let heard = '';
      socket.on('data', (chunk) => {
        heard += chunk;
      });
      socket.on('error', () => undefined);
      socket.once('close', () => resolve(heard));
    });
  }

  it.each([
    ['says nothing', ''],
    ['never finishes its headers', 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow: '],
    [
      'never finishes its body',
      'POST /v2/terminal-payments HTTP/1.1\r\nhost: localhost\r\nx-api-key: rk_sandbox_FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    ],
  ])('a client that %s is let go, and nothing is written', async (_name, text) => {
    const { api, shop } = await startShop({ limits });
    const heard = await speak(api.url, text);
    expect(heard === '' || heard.startsWith('HTTP/1.1 408 ')).toBe(true);
    expect(shop.payments.attempts).toEqual([]);
    expect((await ask(api.url, { path: '/healthz' })).status).toBe(200);
    await api.stop();
  });

  it('connections beyond the cap are closed at once, and the unix socket still sells', async () => {
    const { api, socketPath } = await startShop({ limits: { maxConnections: 5 } });
    const { hostname, port } = new URL(api.url);
    let closed = 0;
    const sockets = Array.from({ length: 40 }, () => connect(Number(port), hostname));
    await new Promise<void>((resolve) => {
      for (const socket of sockets) {
        socket.on('error', () => undefined);
        socket.once('close', () => {
          closed += 1;
          if (closed === 35) resolve();
        });
      }
    });
    const path = '/v2/terminal-payments';
    expect((await ask(socketPath, { method: 'POST', path, body: sale(), key: null })).status).toBe(201);
    expect(closed).toBe(35);
    for (const socket of sockets) socket.destroy();
    await api.stop();
  });

  it('a body without end is cut off, and the next client is served', async () => {
    const { api, shop } = await startShop();
    const answer = await ask(api.url, {
      method: 'POST',
      path: '/v2/terminal-payments',
      body: Buffer.alloc(30_000_000, 0x20),
    }).catch((error: NodeJS.ErrnoException) => error.code);
    if (typeof answer === 'object') expect(answer).toMatchObject({ status: 413 });
    else expect(['EPIPE', 'ECONNRESET']).toContain(answer);
    expect(shop.payments.attempts).toEqual([]);
    expect((await ask(api.url, { path: '/healthz' })).status).toBe(200);
    await api.stop();
  });
});
