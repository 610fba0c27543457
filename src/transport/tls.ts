import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';

/** How a terminal proves that it is itself. With neither key its certificate must be valid for its host by a public authority. */
export interface TerminalTls {
  /** SHA-256 of its certificate, in capitals with colons. */
  readonly fingerprint?: string | undefined;
  /** Path of a PEM file with the authority that signed its certificate. */
  readonly ca?: string | undefined;
}

/** The oldest version that terminals in the field still have. */
const OLDEST = 'TLSv1.2';

const NO_TLS = 'it ended the connection instead of speaking TLS';

/**
 * TLS over a connection to a terminal; resolves once the terminal has proved that it is itself, so that not one byte goes to anything else.
 * @throws Error with words for people; the signal's reason when it aborts
 */
export async function wrapped(
  socket: Socket,
  host: string,
  { fingerprint, ca }: TerminalTls,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const stream = streamOf(socket);
  const authority = ca === undefined ? {} : { ca: await readFile(ca) };
  signal.throwIfAborted();
  if (stream.destroyed) throw stream.errored ?? new Error(NO_TLS);
  const secure = connect({
    socket: stream,
    host,
    ...(isName(host) ? { servername: host } : {}),
    ...authority,
    minVersion: OLDEST,
    // A certificate that is pinned alone is compared below: it may be self-signed and for any name.
    rejectUnauthorized: fingerprint === undefined || ca !== undefined,
  });
  await handshakeOf(secure, signal);
  const seen = secure.getPeerX509Certificate()?.fingerprint256;
  if (fingerprint === undefined || seen === fingerprint) return secure;
  secure.on('error', () => undefined).destroy();
  throw new Error(
    `its certificate has the fingerprint ${seen ?? 'of none'}, not the one of "tls.fingerprint": another machine may answer there`,
  );
}

/**
 * The bytes of a socket as a stream. Why: TLS takes the handle of a plain socket over, and Node 24 ends with a segmentation fault when such a
 * socket is reset; a link that is given up must be, or the system would go on sending what it has not sent yet.
 */
function streamOf(socket: Socket): Duplex {
  const stream = new Duplex({
    allowHalfOpen: false,
    read: () => void socket.resume(),
    write: (bytes: Buffer, _encoding, done) => void socket.write(bytes, done),
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (bytes) => stream.push(bytes) || socket.pause());
  socket.once('end', () => stream.push(null));
  socket.on('error', (error) => stream.destroy(error));
  socket.once('close', () => stream.destroy());
  // It may be lost before TLS listens to it.
  stream.on('error', () => undefined);
  return stream;
}

function handshakeOf(secure: TLSSocket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const release = () => {
      signal.removeEventListener('abort', onAbort);
      secure.off('error', fail).off('close', onClose);
    };
    const fail = (error: unknown) => {
      release();
      secure.on('error', () => undefined);
      secure.destroy();
      reject(error);
    };
    const onAbort = () => fail(signal.reason);
    const onClose = () => fail(new Error(NO_TLS));
    signal.addEventListener('abort', onAbort, { once: true });
    secure.once('error', fail);
    secure.once('close', onClose);
    secure.once('secureConnect', () => {
      release();
      resolve();
    });
  });
}

/** A name is sent to the terminal; an address is not (RFC 6066). */
function isName(host: string): boolean {
  return !/^[\d.]+$|:/.test(host);
}
