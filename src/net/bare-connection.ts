import { connect, isIP } from 'node:net';

/** What a connection lacks: a name, a way, or somebody who takes it. */
export type MissingLayer = 'name_resolution' | 'line' | 'service';

/** A try to connect, with nothing said. */
export interface BareConnection {
  /** What it lacks so far, or in the end; null: the peer took it. */
  readonly missing: MissingLayer | null;
  /** When it is decided, or was closed. */
  readonly ended: Promise<void>;
  close(): void;
}

/**
 * Connects to an address and hangs up: shows whether there is a name, a way and a listener, and costs nothing of the budget of a key.
 * A refused connection reached a machine, so what it lacks is the service.
 * @param url http or https
 */
export function bareConnection(url: string): BareConnection {
  const { hostname, protocol, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  let missing: MissingLayer | null = isIP(host) ? 'line' : 'name_resolution';
  const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)) });
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.once('lookup', (error: Error | null) => {
    if (!error) missing = 'line';
  });
  socket.once('connect', () => {
    missing = null;
    socket.destroy();
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET') missing = 'service';
  });
  return {
    get missing() {
      return missing;
    },
    ended,
    close: () => socket.destroy(),
  };
}
