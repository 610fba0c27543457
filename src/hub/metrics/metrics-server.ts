import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { messageOf } from '../../base/errors.ts';
import type { HubMetrics } from './hub-metrics.ts';

/** `GET /metrics` on an address of its own, which only the machine of the hub reaches: it asks for no token. @returns once it listens */
export async function serveMetrics(
  metrics: HubMetrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('GET /metrics\n');
      return;
    }
    metrics.read().then(
      ({ text, mediaType }) => response.writeHead(200, { 'content-type': mediaType }).end(text),
      (error: unknown) =>
        response.writeHead(500, { 'content-type': 'text/plain' }).end(`${messageOf(error)}\n`),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
