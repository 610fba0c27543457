import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import type { SinkWrite } from '../../../src/integration/ports.ts';
import type { ServiceSink } from '../../simulation/sync/service-sink.ts';

/** The service as an import meets it, over HTTP; it outlives whoever talks to it. */
export class SinkServer {
  readonly #server: Server;

  constructor(service: ServiceSink) {
    const { sink } = service;
    this.#server = createServer(async (request, response) => {
      if (sink.kind === 'local') return;
      try {
        const batch = JSON.parse(await text(request)) as readonly SinkWrite[];
        response.end(JSON.stringify(await sink.write(batch, new AbortController().signal)));
      } catch {
        // Who asked was killed in the middle of it.
        response.destroy();
      }
    });
  }

  start(): Promise<string> {
    return new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', () => {
        const address = this.#server.address();
        resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/rows`);
      });
    });
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
