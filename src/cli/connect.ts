import { DaemonClient } from './client.ts';
import type { GlobalOptions, Io } from './io.ts';
import { socketPath } from './socket-path.ts';

/** A client of the daemon that these options select; `timeoutMs` where the response waits for a terminal. @throws NO_DAEMON, USAGE */
export function connect(options: GlobalOptions, io: Io, timeoutMs?: number): DaemonClient {
  return new DaemonClient(socketPath(options, io), timeoutMs);
}
