import { connect, isIP } from 'node:net';

/** The missing layer of a connection: a name, a route, or a listener. */
export type MissingLayer = 'name_resolution' | 'line' | 'service';

/** A connection attempt without a request. */
export interface BareConnection {
  /** The missing layer so far, or in the end; null: the peer accepted the connection. */
  readonly missing: MissingLayer | null;
  /** Resolves when the result is known, or after `close`. */
  readonly ended: Promise<void>;
  close(): void;
}

/**
 * Connects to an address and closes at once: shows whether there is a name, a route and a listener, and costs nothing of a key's budget.
 * A refused connection reached a machine, so the missing layer is the service.
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
