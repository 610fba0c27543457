import { connect, createServer, type Server, type Socket } from 'node:net';
import { messageOf } from '../../../base/errors.ts';
import { usage } from './settings.ts';

/** A listener for other machines, in front of a terminal that listens on this one. */
export interface Relay {
  readonly port: number;
  close(): void;
}

/**
 * Listens on `host` and forwards every connection to the terminal's own port, byte for byte; the end of one side ends both.
 * @throws USAGE when the address cannot be listened on.
 */
export async function openRelay(host: string, port: number, terminalPort: number): Promise<Relay> {
  const open = new Set<Socket>();
  const server = createServer((till) => {
    const terminal = connect({ host: '127.0.0.1', port: terminalPort });
    join(till, terminal, open);
    join(terminal, till, open);
  });
  await listening(server, host, port);
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

function join(from: Socket, to: Socket, open: Set<Socket>): void {
  open.add(from);
  from
    .on('error', () => undefined)
    .on('close', () => {
      open.delete(from);
      to.destroySoon();
    });
  from.pipe(to);
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(usage(`cannot listen on ${host}:${port}: ${messageOf(cause)}`)));
    server.listen({ host, port }, resolve);
  });
}
