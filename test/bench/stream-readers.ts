import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

export interface ReadersOptions {
  readonly socketPath: string;
  readonly clients: number;
}

/** What many readers saw of the same events. */
export interface ReadersSaw {
  /** Between the first reader and the last, per event. */
  readonly spreadsMs: readonly number[];
  readonly missing: number;
}

const ID = /^id: (\S+)$/gm;

/** Reads the event stream many times over; at a message it reports what came when, and it ends with its parent. */
async function main({ socketPath, clients }: ReadersOptions): Promise<void> {
  const seen = new Map<string, number[]>();
  await Promise.all(Array.from({ length: clients }, () => reader(socketPath, seen)));
  process.send?.('open');
  await once(process, 'message');
  const times = [...seen.values()];
  const spreadsMs = times.map((at) => Math.max(...at) - Math.min(...at));
  const missing = times.reduce((sum, at) => sum + clients - at.length, 0);
  process.send?.({ spreadsMs, missing } satisfies ReadersSaw);
}

async function reader(socketPath: string, seen: Map<string, number[]>): Promise<void> {
  const asked = request({ socketPath, path: '/v2/events/stream', headers: { accept: 'text/event-stream' } });
  asked.end();
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  if (reply.statusCode !== 200) throw new Error(`a reader was refused: ${reply.statusCode}`);
  reply.setEncoding('utf8').on('data', (piece: string) => {
    const at = performance.now();
    for (const [, id = ''] of piece.matchAll(ID)) {
      const times = seen.get(id) ?? [];
      times.push(at);
      seen.set(id, times);
    }
  });
}

process.once('message', (options) => void main(options as ReadersOptions));
process.on('disconnect', () => process.exit(0));
