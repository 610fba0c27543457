import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { AppError, messageOf } from '../base/errors.ts';
import { isLoopback } from '../base/loopback.ts';
import type { Api } from './api.ts';
import { ApiContext } from './context.ts';
import { createApi, SERVER_LIMITS, type ServerLimits, type Tls } from './create-api.ts';
import type { ApiDeps, ApiRules } from './deps.ts';
import { kindOfSocket } from './inherited-socket.ts';
import { type LanOptions, listenLan, type RunningLan } from './lan/listen-lan.ts';
import { claimSocketPath, restrictSocket } from './unix-socket.ts';

export interface ApiOptions extends ApiRules {
  /** Address to listen on; beyond loopback only with `tls`. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** null: no unix socket. */
  readonly socketPath: string | null;
  /** Descriptors of sockets that the service manager listens on for tilld: served as well. One at `host` and `port` stands for that address. */
  readonly inherited?: readonly number[];
  /** Waits before another try where the port is taken; absent: LISTEN_PORT_TAKEN. */
  readonly portTaken?: () => Promise<void>;
  readonly tls?: Tls | null;
  readonly limits?: Partial<ServerLimits>;
  /** Time for requests in progress when it stops; default 2000. */
  readonly stopWithinMs?: number;
}

export interface RunningApi {
  /** `http://127.0.0.1:8480`, no trailing slash. */
  readonly url: string;
  /** Uses another certificate for new connections; without TLS it does nothing. @throws when it is invalid */
  renewTls(tls: Tls): void;
  /** Serves the network of the shop as well. @throws what `listen` throws; it may be called again then */
  listenLan(lan: LanOptions): Promise<RunningLan>;
  /** Stops listening, ends the streams, lets requests in progress finish, then cuts; idempotent. */
  stop(): Promise<void>;
}

/**
 * Serves the local interface on TCP, on a unix socket, and on the sockets of the service manager.
 * @throws LISTEN_NEEDS_TLS, LISTEN_PORT_TAKEN, LISTEN_FAILED, SOCKET_PATH_TOO_LONG, SOCKET_PATH_TAKEN, SOCKET_IN_USE;
 * nothing listens afterwards.
 */
export async function startApi(options: ApiOptions, deps: ApiDeps): Promise<RunningApi> {
  const tls = options.tls ?? null;
  const host = addressOf(options.host);
  if (!tls && !isLoopback(host)) throw beyond(host);
  const allowedHosts = [...(options.allowedHosts ?? []), hostHeaderOf(host)];
  const context = new ApiContext({ ...options, allowedHosts }, deps);
  const limits = { ...SERVER_LIMITS, ...options.limits };
  const servers: Api[] = [];
  const stop = onlyOnce(async () => {
    context.close();
    context.streams.stop();
    await Promise.all(servers.map((server) => stopServer(server, deps, options.stopWithinMs ?? 2_000)));
  });
  const open = (via: 'tcp' | 'socket') => {
    const server = createApi(context, { via, limits, tls: via === 'tcp' ? tls : null });
    servers.push(server);
    return server;
  };
  try {
    let url: string | null = null;
    for (const fd of options.inherited ?? []) {
      const address = await listenInherited({ api: open(kindOfSocket(fd)), fd }, tls !== null);
      if (address?.port === options.port && address.address === host)
        url = `${tls ? 'https' : 'http'}://${hostHeaderOf(host)}:${options.port}`;
    }
    if (options.socketPath !== null) await listenSocket(open('socket'), options.socketPath);
    url ??= await listenTcp(open('tcp'), options);
    context.listening(url);
    const renewTls = (next: Tls) => {
      for (const { server } of servers) if (server instanceof TlsServer) server.setSecureContext({ ...next });
    };
    const inLan = async (lan: LanOptions) => {
      const running = await listenLan(context, lan, limits, (server) => servers.push(server));
      if (context.isClosing) await servers.at(-1)?.close();
      return running;
    };
    return { url, renewTls, listenLan: inLan, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function addressOf(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host;
}

function beyond(host: string): AppError {
  return new AppError(
    'LISTEN_NEEDS_TLS',
    `${host} is beyond this machine: give a certificate, or listen on 127.0.0.1`,
  );
}

/** The name of the listening address in a client's Host header; only an IPv6 address has a colon. */
function hostHeaderOf(host: string): string {
  return (host.includes(':') ? `[${host}]` : host).toLowerCase();
}

async function listenTcp(server: Api, { port, portTaken, ...options }: ApiOptions): Promise<string> {
  const host = addressOf(options.host);
  for (;;) {
    try {
      return await server.listen({ host, port });
    } catch (cause) {
      if (!isErrno(cause, 'EADDRINUSE'))
        throw new AppError('LISTEN_FAILED', `Cannot listen on ${host}:${port}: ${messageOf(cause)}`, {
          cause,
        });
      if (!portTaken)
        throw new AppError(
          'LISTEN_PORT_TAKEN',
          `Port ${port} on ${host} is taken: choose another one, or 0 for any`,
          { cause },
        );
    }
    await portTaken();
  }
}

/**
 * Fastify cannot listen on a descriptor of a unix socket: its server does.
 * @returns the address; null: a unix socket. @throws LISTEN_NEEDS_TLS, LISTEN_FAILED
 */
async function listenInherited({ api, fd }: InheritedSocket, isTls: boolean): Promise<AddressInfo | null> {
  await api.ready();
  const listening = once(api.server, 'listening');
  try {
    api.server.listen({ fd });
    await listening;
  } catch (cause) {
    throw new AppError('LISTEN_FAILED', `Cannot use the service manager's socket: ${messageOf(cause)}`, {
      cause,
    });
  }
  const address = api.server.address();
  if (address === null || typeof address === 'string') return null;
  if (!isTls && !isLoopback(address.address)) throw beyond(address.address);
  return address;
}

interface InheritedSocket {
  readonly api: Api;
  readonly fd: number;
}

async function listenSocket(server: Api, path: string): Promise<void> {
  await claimSocketPath(path);
  try {
    await server.listen({ path });
    await restrictSocket(path);
  } catch (cause) {
    throw new AppError('LISTEN_FAILED', `Cannot listen on ${path}: ${messageOf(cause)}`, { cause });
  }
}

async function stopServer(server: Api, { clock }: ApiDeps, withinMs: number): Promise<void> {
  const cut = clock.timer('api stop', withinMs, () => server.server.closeAllConnections());
  try {
    await server.close();
  } finally {
    cut.stop();
  }
}

function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
