import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BenchShop } from './bench-shop.ts';
import { type BenchOptions, figuresOf, median, type Print, quantile } from './figure.ts';
import type { ReadersOptions, ReadersSaw } from './stream-readers.ts';

const READERS = join(import.meta.dirname, 'stream-readers.ts');
const CLIENTS = 199;
const MOST_PAYMENTS = 100;

/** How long it takes until the end of a payment is with all of two hundred readers of the event stream, and what a payment costs then. */
export async function stream({ times }: BenchOptions, print: Print): Promise<void> {
  const figure = figuresOf('stream', print);
  const count = Math.min(times, MOST_PAYMENTS);
  const shop = await BenchShop.open({ terminals: 1, over: 'tcp' });
  try {
    const alone = await cpuPerPayment(shop, count, 0);
    const readers = fork(READERS, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    readers.send({ socketPath: shop.daemon.socket, clients: CLIENTS } satisfies ReadersOptions);
    await once(readers, 'message');
    const rss = shop.daemon.rss();
    const crowded = await cpuPerPayment(shop, count, count);
    readers.send('report');
    const [saw] = (await once(readers, 'message')) as [ReadersSaw];
    readers.disconnect();
    figure('readers', CLIENTS + 1, 'readers');
    figure('events missing at any reader', saw.missing, 'events');
    figure('first reader to last reader, p50', median(saw.spreadsMs), 'ms');
    figure('first reader to last reader, p99', quantile(saw.spreadsMs, 0.99), 'ms');
    figure('processor time per payment', crowded, 'ms', { name: 'with one reader', value: alone });
    figure('RSS with them', rss / 1024 / 1024, 'MiB');
  } finally {
    await shop.close();
  }
}

async function cpuPerPayment(shop: BenchShop, count: number, from: number): Promise<number> {
  const before = shop.daemon.cpuMs();
  for (let no = 0; no < count; no += 1) await shop.till.pay(shop.devices[0] ?? '', 1_000 + from + no);
  return (shop.daemon.cpuMs() - before) / count;
}
