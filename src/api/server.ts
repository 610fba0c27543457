import { Server as TlsServer } from 'node:tls';
import { AppError, messageOf } from '../base/errors.ts';
import { isLoopback } from '../base/loopback.ts';
import type { Api } from './api.ts';
import { ApiContext } from './context.ts';
import { createApi, SERVER_LIMITS, type ServerLimits, type Tls } from './create-api.ts';
import type { ApiDeps, ApiRules } from './deps.ts';
import { claimSocketPath, restrictSocket } from './unix-socket.ts';

export interface ApiOptions extends ApiRules {
  /** Address to listen on; beyond loopback only with `tls`. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** null: no unix socket. */
  readonly socketPath: string | null;
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
  /** Stops listening, ends the streams, lets requests in progress finish, then cuts; idempotent. */
  stop(): Promise<void>;
}

/**
 * Serves the local interface on TCP and on a unix socket.
 * @throws LISTEN_NEEDS_TLS, LISTEN_PORT_TAKEN, LISTEN_FAILED, SOCKET_PATH_TOO_LONG, SOCKET_PATH_TAKEN, SOCKET_IN_USE;
 * nothing listens afterwards.
 */
export async function startApi(options: ApiOptions, deps: ApiDeps): Promise<RunningApi> {
  const tls = options.tls ?? null;
  const host = options.host === 'localhost' ? '127.0.0.1' : options.host;
  if (!tls && !isLoopback(host)) {
    throw new AppError(
      'LISTEN_NEEDS_TLS',
      `${host} is beyond this machine: give a certificate, or listen on 127.0.0.1`,
    );
  }
  const allowedHosts = [...(options.allowedHosts ?? []), hostHeaderOf(host)];
  const context = new ApiContext({ ...options, allowedHosts, scheme: tls ? 'https' : 'http' }, deps);
  const limits = { ...SERVER_LIMITS, ...options.limits };
  const servers: Api[] = [];
  const stop = once(async () => {
    context.close();
    context.streams.stop();
    await Promise.all(servers.map((server) => stopServer(server, deps, options.stopWithinMs ?? 2_000)));
  });
  try {
    const tcp = createApi(context, { via: 'tcp', limits, tls });
    servers.push(tcp);
    const url = await listenTcp(tcp, host, options.port);
    context.listening(url);
    if (options.socketPath !== null) {
      const socket = createApi(context, { via: 'socket', limits });
      servers.push(socket);
      await listenSocket(socket, options.socketPath);
    }
    const renewTls = (next: Tls) => {
      if (tcp.server instanceof TlsServer) tcp.server.setSecureContext({ ...next });
    };
    return { url, renewTls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The name of the listening address in a client's Host header; only an IPv6 address has a colon. */
function hostHeaderOf(host: string): string {
  return (host.includes(':') ? `[${host}]` : host).toLowerCase();
}

async function listenTcp(server: Api, host: string, port: number): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (cause) {
    if (isErrno(cause, 'EADDRINUSE')) {
      throw new AppError(
        'LISTEN_PORT_TAKEN',
        `Port ${port} on ${host} is taken: choose another one, or 0 for any`,
        { cause },
      );
    }
    throw new AppError('LISTEN_FAILED', `Cannot listen on ${host}:${port}: ${messageOf(cause)}`, { cause });
  }
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

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
