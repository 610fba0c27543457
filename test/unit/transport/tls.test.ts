import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer as createPlain, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Link } from '../../../src/terminal/link.ts';
import { openTcpLink } from '../../../src/transport/tcp.ts';
import { type TerminalTls, wrapped } from '../../../src/transport/tls.ts';
import { type Certificate, lackOfOpenssl, makeCertificate } from '../../security/certificate.ts';
import { aFolder } from '../../support/money-database.ts';

const lack = lackOfOpenssl();
const never = new AbortController().signal;

/** A terminal that speaks TLS with this certificate; `heard` is what reached it after the handshake. */
async function aTerminal(
  { certificatePath, keyPath }: Certificate,
  onSocket: (socket: TLSSocket) => void = () => undefined,
) {
  const heard: Buffer[] = [];
  const keys = { cert: readFileSync(certificatePath), key: readFileSync(keyPath) };
  const server = createServer(keys, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => heard.push(data));
    onSocket(socket);
  });
  server.on('tlsClientError', () => undefined);
  return { port: await portOf(server), heard };
}

async function portOf(server: ReturnType<typeof createPlain>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function open(port: number, tls: TerminalTls, signal = never): Promise<Link> {
  return openTcpLink({ host: '127.0.0.1', port, connectTimeoutMs: 1500, tls })(signal);
}

const fingerprintOf = ({ pem }: Certificate) => new X509Certificate(pem).fingerprint256;

describe.skipIf(lack !== null)(`a terminal with TLS${lack === null ? '' : ` (skipped: ${lack})`}`, () => {
  it.each<readonly [string, (certificate: Certificate) => TerminalTls]>([
    ['by its fingerprint', (certificate) => ({ fingerprint: fingerprintOf(certificate) })],
    ['by its authority', (certificate) => ({ ca: certificate.certificatePath })],
  ])('is known %s; bytes pass both ways, and an orderly end is one', async (_by, tlsOf) => {
    const certificate = makeCertificate(aFolder());
    const { port } = await aTerminal(certificate, (socket) =>
      socket.on('data', (data) => socket.end(Buffer.concat([data, data]))),
    );
    const link = await open(port, tlsOf(certificate));
    await link.write(Uint8Array.of(6, 1));
    let text = '';
    for await (const chunk of link.bytes) text += Buffer.from(chunk).toString('hex');
    expect(text).toBe('06010601');
    expect((await link.closed).reason).toBe('closed_by_peer');
  });

  it.each<readonly [string, (ours: Certificate) => TerminalTls, RegExp]>([
    [
      'by the fingerprint',
      (ours) => ({ fingerprint: fingerprintOf(ours) }),
      /not the one of "tls.fingerprint"/,
    ],
    ['by the authority', (ours) => ({ ca: ours.certificatePath }), /certificate/],
    ['by public authorities', () => ({}), /self-signed certificate/],
  ])('another machine in its place is refused %s, and hears not one byte', async (_by, tlsOf, words) => {
    const ours = makeCertificate(aFolder());
    const { port, heard } = await aTerminal(makeCertificate(aFolder()));
    await expect(open(port, tlsOf(ours))).rejects.toMatchObject({
      code: 'LINK_REFUSED',
      message: expect.stringMatching(words),
    });
    expect(heard).toEqual([]);
  });

  it('a machine that speaks no TLS is refused, at once or when the time is over', async () => {
    const tls = { fingerprint: fingerprintOf(makeCertificate(aFolder())) };
    const loud = await portOf(createPlain((socket) => socket.on('error', () => undefined).end('060F00')));
    await expect(open(loud, tls)).rejects.toMatchObject({ code: 'LINK_REFUSED' });
    const silent = await portOf(createPlain((socket) => void socket.on('error', () => undefined)));
    await expect(open(silent, tls)).rejects.toMatchObject({ code: 'LINK_REFUSED' });
    const stopped = open(silent, tls, AbortSignal.timeout(50));
    await expect(stopped).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('a stop while the authority file is read ends the handshake, also with a machine that is silent', async () => {
    const silent = await portOf(createPlain((socket) => void socket.on('error', () => undefined)));
    const socket = connect(silent, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    const stop = new AbortController();
    const { certificatePath: ca } = makeCertificate(aFolder());
    const opened = wrapped(socket, '127.0.0.1', { ca }, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(opened).rejects.toThrow('stopped');
  });

  it('a connection that is reset while the authority file is read is an error of its own, not of the process', async () => {
    const met = Promise.withResolvers<Socket>();
    const port = await portOf(createPlain((socket) => met.resolve(socket.on('error', () => undefined))));
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const ca = join(aFolder(), 'slow');
    execFileSync('mkfifo', [ca]);
    const opened = expect(wrapped(socket, '127.0.0.1', { ca }, AbortSignal.timeout(5000))).rejects.toThrow();
    (await met.promise).resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    writeFileSync(ca, makeCertificate(aFolder()).pem, { flag: 'r+' });
    await opened;
  });

  it('a silent machine is named after the time, and a reset of an open link is a loss, not an end', async () => {
    const certificate = makeCertificate(aFolder());
    const silent = await portOf(createPlain((socket) => void socket.on('error', () => undefined)));
    await expect(open(silent, { fingerprint: fingerprintOf(certificate) })).rejects.toThrow(
      'no TLS answer within 1500 ms',
    );
    const { port } = await aTerminal(certificate);
    const met = Promise.withResolvers<Socket>();
    const between = createPlain((socket) => {
      const on = connect(port, '127.0.0.1');
      socket.pipe(on).pipe(socket);
      on.on('error', () => undefined);
      socket.on('error', () => undefined);
      met.resolve(socket);
    });
    const link = await open(await portOf(between), { fingerprint: fingerprintOf(certificate) });
    (await met.promise).resetAndDestroy();
    expect((await link.closed).reason).toBe('error');
    await expect(link.write(Uint8Array.of(6, 1))).rejects.toMatchObject({ code: 'LINK_CLOSED' });
  });

  it('a lost authority file is named', async () => {
    const { port } = await aTerminal(makeCertificate(aFolder()));
    await expect(open(port, { ca: '/nowhere/ca.pem' })).rejects.toMatchObject({
      code: 'LINK_REFUSED',
      message: expect.stringContaining('/nowhere/ca.pem'),
    });
  });

  it('a link that is abandoned is reset: what the kernel still held is never delivered', async () => {
    const certificate = makeCertificate(aFolder());
    const { port } = await aTerminal(certificate);
    const met = Promise.withResolvers<Socket>();
    const ended = Promise.withResolvers<string>();
    const between = createPlain((socket) => {
      const on = connect(port, '127.0.0.1');
      socket.pipe(on).pipe(socket);
      on.on('error', () => undefined);
      socket.on('error', (error) => ended.resolve('code' in error ? String(error.code) : 'error'));
      socket.on('end', () => ended.resolve('end'));
      met.resolve(socket);
    });
    const link = await open(await portOf(between), { fingerprint: fingerprintOf(certificate) });
    const socket = await met.promise;
    socket.unpipe();
    socket.pause();
    const flood = link.write(new Uint8Array(32 * 1024 * 1024)).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await link.abandon();
    await flood;
    socket.resume();
    expect(await ended.promise).toBe('ECONNRESET');
    expect((await link.closed).reason).toBe('closed_by_us');
  });
});
