import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { AtWork, Reply } from './sandbox-at-work.ts';

/** A webhook receiver on loopback that remembers what came. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly { readonly headers: IncomingHttpHeaders; readonly body: string }[];
}

/** Starts one; `answer` does with each call what it likes, also nothing. It ends with the test. */
export async function aReceiver(
  answer: (response: ServerResponse) => void = (response) => void response.writeHead(200).end(),
): Promise<Receiver> {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return {
    received,
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook`,
  };
}

export async function register({ ask }: AtWork, url: string, events = ['terminal_payment.requested']) {
  return (await ask('POST', '/v2/webhook-endpoints', { body: { url, events } })).body.data;
}

/** The deliveries of an endpoint, newest first. */
export async function deliveriesTo({ ask }: AtWork, endpointId: string): Promise<Reply['body'][]> {
  return (await ask('GET', `/v2/webhook-deliveries?endpoint_id=${endpointId}`)).body.data;
}

/** Lets what is due fire, then waits until the newest delivery to the endpoint is as it should be. */
export async function until(
  at: AtWork,
  endpointId: string,
  isThere: (delivery: Reply['body']) => boolean,
): Promise<Reply['body']> {
  await at.clock.advance(0);
  for (;;) {
    await at.clock.settle();
    const [delivery] = await deliveriesTo(at, endpointId);
    if (delivery && isThere(delivery)) return delivery;
  }
}
