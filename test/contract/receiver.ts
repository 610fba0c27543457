import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hold } from './breach.ts';
import type { Side } from './sides/side.ts';

/** A webhook as it arrived, its body byte for byte. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
}

/** Somebody who registered a webhook endpoint, on a real socket of this machine. */
export interface Receiver {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** The status of the next answers; 200 at first. A redirect leads back here. */
  answer: number;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const { method = '', url: path = '', headers } = request;
      arrivals.push({ method, path, headers, raw: Buffer.concat(chunks).toString('utf8') });
      const isRedirect = receiver.answer >= 300 && receiver.answer < 400;
      response.writeHead(receiver.answer, isRedirect ? { location: '/elsewhere' } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    arrivals,
    answer: 200,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

/** Runs `scenario` with a receiver, and closes it. */
export async function withReceiver(scenario: (receiver: Receiver) => Promise<void>): Promise<void> {
  const receiver = await openReceiver();
  try {
    await scenario(receiver);
  } finally {
    await receiver.close();
  }
}

/** The arrival with that number, from 0; waits for it. @throws Breach when it does not come */
export async function arrival(side: Side, { arrivals }: Receiver, index: number): Promise<Arrival> {
  await side.until(`arrival ${index + 1}`, () => arrivals.length > index);
  const found = arrivals[index];
  hold(found !== undefined, () => `there is no arrival ${index + 1}`);
  return found;
}
