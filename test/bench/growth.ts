import { statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { BenchShop } from './bench-shop.ts';
import { figuresOf, median, type Print, type Wish } from './figure.ts';
import { samplesOf, shareOf } from './latency.ts';
import { fillStore } from './store-builder.ts';

const SMALL = 10_000;
const STARTS = 3;
const READINGS = 30;

/** What is asked of both stores; medians, in ms. */
interface Ages {
  readonly start: number;
  readonly toTerminal: number;
  readonly toClient: number;
  readonly beyondSyncs: number;
  readonly newest: number;
  readonly deep: number;
  readonly filtered: number;
  readonly events: number;
  readonly explain: number;
}

const WHAT: Readonly<Record<keyof Ages, string>> = {
  start: 'spawn to ready',
  toTerminal: 'request to first byte at the terminal',
  toClient: 'last byte to the waiting client',
  beyondSyncs: 'both, beyond the syncs and the terminal',
  newest: 'newest payments, a page of 100',
  deep: 'a page of 100 in the middle',
  filtered: 'a page of 100 declined ones of a device',
  events: 'events after the newest but 100',
  explain: 'explain of an old payment',
};

/** The same shop with ten thousand payments in its store and with very many: what grows with them is a fault. */
export async function growth({ attempts, times }: Wish, print: Print): Promise<void> {
  const figure = figuresOf('growth', print);
  const shops = await Promise.all([SMALL, attempts].map((count) => grown(Math.min(count, attempts))));
  try {
    const [small, large] = [await aged(shops[0], times), await aged(shops[1], times)];
    const bytes = statSync(join(shops[1]?.stateDir ?? '', 'money.db')).size;
    figure('payments', attempts, 'payments');
    figure('size of the database', bytes / 1024 / 1024, 'MiB');
    for (const [key, words] of Object.entries(WHAT)) {
      const name = key as keyof Ages;
      figure(words, large[name], 'ms', { name: `with ${SMALL} payments`, value: small[name] });
    }
  } finally {
    await Promise.all(shops.map((shop) => shop.close()));
  }
}

/** A shop that has taken so many payments. */
async function grown(count: number): Promise<BenchShop> {
  const shop = await BenchShop.open({ terminals: 1, over: 'tcp', counted: true });
  await shop.till.pay(shop.devices[0] ?? '', 1_000);
  await shop.whileDown(() => void fillStore(join(shop.stateDir, 'money.db'), count));
  return shop;
}

async function aged(shop: BenchShop | undefined, times: number): Promise<Ages> {
  if (!shop) throw new Error('there is no shop');
  const starts: number[] = [];
  for (let no = 0; no < STARTS; no += 1) {
    await shop.restart();
    starts.push(shop.daemon.readyMs);
  }
  const samples = await samplesOf(shop, times);
  const { daemon } = shop;
  const middle = idInTheMiddle(join(shop.stateDir, 'money.db'));
  const asked = (path: string) => medianOf(READINGS, () => daemon.ask('GET', path));
  const device = shop.devices[0];
  const recent = ((await daemon.ask('GET', '/v2/events?limit=100')) as { data: { id: string }[] }).data.at(
    -1,
  )?.id;
  return {
    start: median(starts),
    toTerminal: median(samples.map((sample) => sample.toTerminal)),
    toClient: median(samples.map((sample) => sample.toClient)),
    beyondSyncs: median(samples.map(shareOf)),
    newest: await asked('/v2/terminal-payments?limit=100'),
    deep: await asked(`/v2/terminal-payments?limit=100&starting_after=${middle}`),
    filtered: await asked(`/v2/terminal-payments?limit=100&status=declined&device_id=${device}`),
    events: await asked(`/v2/events?limit=100&starting_after=${recent}`),
    explain: await asked(`/v2/terminal-payments/${middle}/explain`),
  };
}

function idInTheMiddle(path: string): string {
  const sqlite = new Sqlite(path, { readonly: true });
  try {
    const sql = 'SELECT id FROM attempts WHERE seq > (SELECT max(seq) / 2 FROM attempts) LIMIT 1';
    return String(sqlite.prepare(sql).pluck().get());
  } finally {
    sqlite.close();
  }
}

async function medianOf(times: number, ask: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let no = 0; no < times; no += 1) {
    const from = performance.now();
    await ask();
    taken.push(performance.now() - from);
  }
  return median(taken);
}
