import { connect, type Socket } from 'node:net';
import { AppError, messageOf } from '../base/errors.ts';
import type { Link, LinkLoss, OpenLink } from '../terminal/link.ts';
import { StreamLink } from './stream-link.ts';
import { type TerminalTls, wrapped } from './tls.ts';

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
  readonly connectTimeoutMs: number;
  /** Absent: plain TCP. */
  readonly tls?: TerminalTls;
}

/** How long an orderly end may take before the socket is destroyed. */
const LINGER_MS = 300;
/**
 * After this much silence the system probes the other machine every second, without a byte for the terminal; after ten probes without an answer the
 * connection is lost. Only this detects a cable that is pulled in the middle of a payment.
 */
const KEEPALIVE_MS = 1000;
/** A terminal reads at once; the frames are short. */
const WRITE_MS = 10_000;

/**
 * Opens terminals on the network.
 * The socket sends at once (no Nagle); `closed_by_peer` is an orderly FIN, a reset is `error`.
 * @throws LINK_REFUSED (retry safe) when no peer answers at the address in time, or its certificate is not the terminal's; the signal's reason
 *   when it aborts.
 */
export function openTcpLink(address: TcpAddress): OpenLink {
  return async (signal) => {
    signal.throwIfAborted();
    const socket = await connected(address, signal);
    const where = `${address.host}:${address.port}`;
    if (!address.tls) return linkOver(socket, socket, where);
    const { host, tls } = address;
    const within = AbortSignal.any([signal, AbortSignal.timeout(address.connectTimeoutMs)]);
    try {
      return linkOver(await wrapped(socket, host, tls, within), socket, where);
    } catch (error) {
      socket.destroy();
      signal.throwIfAborted();
      const why = within.aborted
        ? `no TLS answer within ${address.connectTimeoutMs} ms`
        : reasonOf(asError(error));
      throw refused(address, why, error);
    }
  };
}

function connected(address: TcpAddress, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: address.host,
      port: address.port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEPALIVE_MS,
    });
    const timeUp = AbortSignal.timeout(address.connectTimeoutMs);
    const giveUp = (error: unknown) => {
      release();
      socket.on('error', () => undefined);
      socket.destroy();
      reject(error);
    };
    const onAbort = () => giveUp(signal.reason);
    const onTimeUp = () => giveUp(refused(address, `no answer within ${address.connectTimeoutMs} ms`));
    const onError = (error: Error) => giveUp(refused(address, reasonOf(error), error));
    const onConnect = () => {
      release();
      resolve(socket);
    };
    const release = () => {
      signal.removeEventListener('abort', onAbort);
      timeUp.removeEventListener('abort', onTimeUp);
      socket.off('error', onError).off('connect', onConnect);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    timeUp.addEventListener('abort', onTimeUp, { once: true });
    socket.once('error', onError).once('connect', onConnect);
  });
}

/** @param socket the TCP connection under the stream, or the stream itself */
function linkOver(stream: Socket, socket: Socket, where: string): Link {
  return new StreamLink(stream, {
    kind: 'tcp',
    where,
    isOpen: () => stream.writable && !stream.destroyed,
    end: () => {
      const timer = setTimeout(() => socket.destroy(), LINGER_MS);
      stream.once('close', () => clearTimeout(timer));
      stream.end();
    },
    writeMs: () => WRITE_MS,
    // After a plain close the kernel would still send its buffer, for minutes.
    drop: () => {
      socket.resetAndDestroy();
      stream.destroy();
    },
    lossOf: (_argument, error) => lossOf(where, error),
  });
}

function lossOf(where: string, error: Error | undefined): LinkLoss {
  if (error) return { reason: 'error', detail: `${where}: ${reasonOf(error)}` };
  return { reason: 'closed_by_peer', detail: `${where} closed the connection` };
}

function refused(address: TcpAddress, why: string, cause?: unknown): AppError {
  const message = `cannot reach ${address.host}:${address.port}: ${why}`;
  return new AppError('LINK_REFUSED', message, { retry: 'safe', moneyMoved: 'no', cause });
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused (is the terminal on, and is this its port?)',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  EHOSTUNREACH: 'no route to this address',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'no answer',
  ENOTFOUND: 'this name is unknown',
};

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function reasonOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  return WORDS[code] ?? messageOf(error);
}
