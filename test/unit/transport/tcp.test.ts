import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Link } from '../../../src/terminal/link.ts';
import { openTcpLink } from '../../../src/transport/tcp.ts';

const never = new AbortController().signal;
const running: Server[] = [];

afterEach(() => {
  for (const server of running.splice(0)) server.close();
});

async function listen(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function open(port: number, signal = never): Promise<Link> {
  return openTcpLink({ host: '127.0.0.1', port, connectTimeoutMs: 2000 })(signal);
}

async function readAll(link: Link): Promise<string> {
  let text = '';
  for await (const chunk of link.bytes) text += Buffer.from(chunk).toString('hex');
  return text;
}

describe('a TCP link', () => {
  it('carries bytes both ways and keeps their order', async () => {
    const port = await listen((socket) => socket.on('data', (data) => socket.write(data)));
    const link = await open(port);
    await link.write(Uint8Array.of(1, 2, 3));
    await link.write(Uint8Array.of(4));
    let heard = '';
    for await (const chunk of link.bytes) {
      heard += Buffer.from(chunk).toString('hex');
      if (heard.length >= 8) break;
    }
    expect(heard).toBe('01020304');
    await link.close();
    expect((await link.closed).reason).toBe('closed_by_us');
  });

  it('calls an orderly end closed_by_peer, after everything that was said before', async () => {
    const port = await listen((socket) => socket.end(Uint8Array.of(0x80, 0, 0)));
    const link = await open(port);
    expect(await readAll(link)).toBe('800000');
    expect((await link.closed).reason).toBe('closed_by_peer');
  });

  it('calls a reset an error and ends the bytes without throwing', async () => {
    const port = await listen((socket) => setTimeout(() => socket.resetAndDestroy(), 20));
    const link = await open(port);
    expect(await readAll(link)).toBe('');
    const loss = await link.closed;
    expect(loss.reason).toBe('error');
    expect(loss.detail).toContain('reset');
  });

  it('refuses to write after the end and says that no byte left', async () => {
    const port = await listen((socket) => socket.end());
    const link = await open(port);
    await link.closed;
    await expect(link.write(Uint8Array.of(6))).rejects.toMatchObject({
      code: 'LINK_CLOSED',
      moneyMoved: 'no',
    });
  });

  it('refuses to write after its own close, which may be called twice', async () => {
    const port = await listen(() => undefined);
    const link = await open(port);
    await Promise.all([link.close(), link.close()]);
    await expect(link.write(Uint8Array.of(6))).rejects.toMatchObject({ code: 'LINK_CLOSED' });
  });

  it('rejects a write that was still open when the link was closed, as possibly sent', async () => {
    const port = await listen((socket) => socket.pause());
    const link = await open(port);
    const write = link.write(new Uint8Array(64 * 1024 * 1024));
    const refused = expect(write).rejects.toMatchObject({ code: 'LINK_LOST', moneyMoved: 'unknown' });
    await link.close();
    await refused;
  });

  it('holds a talkative peer back instead of buffering all it says', async () => {
    let sent = 0;
    const port = await listen((socket) => {
      const chunk = new Uint8Array(256 * 1024);
      const more = () => {
        while (sent < 200 * chunk.length && socket.write(chunk)) sent += chunk.length;
      };
      socket.on('drain', more);
      more();
    });
    const link = await open(port);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(sent).toBeLessThan(40 * 256 * 1024);
    await link.close();
  });

  it('has the system ask a silent peer every second whether it is there, without a byte of ours', async () => {
    const accepted = Promise.withResolvers<Socket>();
    const link = await open(await listen(accepted.resolve));
    const { remotePort = 0 } = await accepted.promise;
    const ours = `:${remotePort.toString(16).toUpperCase().padStart(4, '0')}`;
    const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n');
    const columns = rows.map((line) => line.trim().split(/\s+/));
    // State 01 is established: an earlier connection of this port may still wait for its end.
    const row = columns.find(([, local, , state]) => state === '01' && local?.endsWith(ours));
    // Column "tr": 02 is the keepalive timer, and when it is due, in hundredths of a second.
    const [timer, due] = row?.[5]?.split(':') ?? [];
    expect(timer).toBe('02');
    expect(Number.parseInt(due ?? '', 16)).toBeLessThanOrEqual(100);
    await link.close();
  });

  it('says in words that nobody listens at the address, and that trying again is safe', async () => {
    const port = await listen(() => undefined);
    await new Promise((resolve) => running.splice(0)[0]?.close(resolve));
    const refused = open(port);
    await expect(refused).rejects.toMatchObject({ code: 'LINK_REFUSED', retry: 'safe', moneyMoved: 'no' });
    await expect(refused).rejects.toThrow(`127.0.0.1:${port}`);
  });

  it('rejects with the reason of its signal', async () => {
    const reason = new Error('stopped by the test');
    await expect(open(1, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('a connection that is abandoned', () => {
  it('is reset: what the kernel still held is never delivered', async () => {
    const arrived: Buffer[] = [];
    const ended = Promise.withResolvers<string>();
    const server = createServer({ pauseOnConnect: true }, (socket) => {
      socket.on('data', (data) => arrived.push(data));
      socket.on('error', (error) => ended.resolve('code' in error ? String(error.code) : 'error'));
      socket.on('end', () => ended.resolve('end'));
      setTimeout(() => socket.resume(), 200);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const link = await openTcpLink({ host: '127.0.0.1', port, connectTimeoutMs: 1000 })(
      new AbortController().signal,
    );
    const flood = link.write(new Uint8Array(32 * 1024 * 1024)).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await link.abandon();
    await link.abandon();
    await flood;
    expect(await ended.promise).toBe('ECONNRESET');
    expect(Buffer.concat(arrived).length).toBeLessThan(32 * 1024 * 1024);
    await expect(link.write(Uint8Array.of(1))).rejects.toMatchObject({ code: 'LINK_CLOSED' });
    server.close();
  });
});
