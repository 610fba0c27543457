import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { BenchShop } from './bench-shop.ts';
import { type BenchOptions, figuresOf, median, type Print } from './figure.ts';
import { samplesOf, shareOf } from './latency.ts';
import { fillStore } from './store-builder.ts';

const SMALL = 10_000;
/** The timelines of 400 days of a busy shop; those of all older payments are in the archive. */
const LIVE = 120_000;
const READINGS = 60;
/** Of the first payment of a round: beyond those that were in the store before, and others in each round. */
const FIRST_AMOUNT = 50_000;
/** Both stores take turns, so that whatever else the machine does meets both; the first round only warms up. */
const ROUNDS = 4;

/** By the clock and of the daemon's processor, in ms. */
interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

const WHAT = {
  start: 'spawn to ready',
  revived: 'spawn to ready after a kill',
  payment: 'a payment',
  toTerminal: 'request to first byte at the terminal',
  toClient: 'last byte to the waiting client',
  beyondSyncs: 'both, beyond the syncs and the terminal',
  newest: 'newest payments, a page of 100',
  deep: 'a page of 100 in the middle',
  filtered: 'a page of 100 declined ones of a device',
  succeeded: 'a page of 100 that succeeded, of a device',
  ofNewDevice: 'what a device without payments has',
  events: 'events after the newest but 100',
  reports: 'a page of reports that are owed',
  status: 'status',
  explain: 'explain of an old payment',
  rest: 'at rest for a second',
} as const;
type What = keyof typeof WHAT;
type Costs = Readonly<Partial<Record<What, Cost>>>;

/** The same shop with ten thousand payments in its store and with very many: what grows with them is a fault. */
export async function growth({ attempts, times }: BenchOptions, print: Print): Promise<void> {
  const figure = figuresOf('growth', print);
  const small = await grown(Math.min(SMALL, attempts));
  const large = await grown(attempts);
  const taken: { readonly small: Costs[]; readonly large: Costs[] } = { small: [], large: [] };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const both = [await aged(small, times, round), await aged(large, times, round)] as const;
      if (round === 0) continue;
      taken.small.push(both[0]);
      taken.large.push(both[1]);
    }
    taken.small.push(...(await revived(small, times)));
    taken.large.push(...(await revived(large, times)));
    figure('payments', attempts, 'payments');
    figure('size of the database', statSync(moneyOf(large)).size / 1024 / 1024, 'MiB');
    const archive = statSync(join(large.stateDir, 'archive.db'), { throwIfNoEntry: false });
    figure('size of the archive', (archive?.size ?? 0) / 1024 / 1024, 'MiB');
    for (const what of Object.keys(WHAT) as What[]) {
      for (const by of ['wall', 'cpu'] as const) {
        const [now, before] = [medianOf(taken.large, what, by), medianOf(taken.small, what, by)];
        if (Number.isNaN(now)) continue;
        const words = by === 'cpu' ? `${WHAT[what]}, processor time` : WHAT[what];
        figure(words, now, 'ms', { name: `with ${SMALL} payments`, value: before });
      }
    }
    await large.whileDown(() => keep(large, attempts));
  } finally {
    await Promise.all([small.close(), large.close()]);
  }
}

function medianOf(rounds: readonly Costs[], what: What, of: keyof Cost): number {
  return median(
    rounds.map((costs) => costs[what]?.[of] ?? Number.NaN).filter((value) => !Number.isNaN(value)),
  );
}

/** A shop that has taken so many payments. */
async function grown(count: number): Promise<BenchShop> {
  const shop = await BenchShop.open({ terminals: 1, over: 'tcp', counted: true });
  const kept = positionOf(count);
  if (kept !== null && existsSync(kept)) {
    await shop.whileDown(() => {
      rmSync(shop.stateDir, { recursive: true });
      renameSync(kept, shop.stateDir);
    });
    return shop;
  }
  await shop.till.pay(shop.devices[0] ?? '', 1_000);
  await shop.whileDown(() => void fillStore(moneyOf(shop), count, false, Math.min(count, LIVE)));
  return shop;
}

/** Where a store of this size is kept, so that ten million payments are written once and measured twice; null: it is not. */
function positionOf(count: number): string | null {
  const folder = process.env['TILLD_BENCH_STORES'];
  return folder === undefined || count <= SMALL ? null : join(folder, String(count));
}

function keep(shop: BenchShop, count: number): void {
  const place = positionOf(count);
  if (place === null) return;
  mkdirSync(dirname(place), { recursive: true });
  renameSync(shop.stateDir, place);
  mkdirSync(shop.stateDir);
}

function moneyOf(shop: BenchShop): string {
  return join(shop.stateDir, 'money.db');
}

async function aged(shop: BenchShop, times: number, round: number): Promise<Costs> {
  await shop.restart();
  const start = { wall: shop.daemon.readyMs, cpu: shop.daemon.cpuMs() };
  const paying = await payments(shop, times, FIRST_AMOUNT * (round + 1));
  const { daemon } = shop;
  const middle = idInTheMiddle(moneyOf(shop));
  const device = shop.devices[0];
  const page = (query: string) => () => daemon.ask('GET', `/v2/terminal-payments?limit=100&${query}`);
  const newest = (await daemon.ask('GET', '/v2/events?limit=100')) as { data: { id: string }[] };
  const asked = {
    newest: page(''),
    deep: page(`starting_after=${middle}`),
    filtered: page(`status=declined&device_id=${device}`),
    succeeded: page(`status=succeeded&device_id=${device}`),
    ofNewDevice: page('status=succeeded&device_id=0199c0de-0000-7000-8000-00000000ffff'),
    events: () => daemon.ask('GET', `/v2/events?limit=100&starting_after=${newest.data.at(-1)?.id}`),
    reports: () => daemon.ask('GET', '/v2/outbox?limit=100'),
    status: () => daemon.ask('GET', '/v2/status'),
    explain: () => daemon.ask('GET', `/v2/terminal-payments/${middle}/explain`),
  };
  const costs: Partial<Record<What, Cost>> = {};
  for (const [what, ask] of Object.entries(asked)) costs[what as What] = await costOf(shop, READINGS, ask);
  const rest = await costOf(shop, 1, () => new Promise((resolve) => setTimeout(resolve, 1_000)));
  return { ...costs, ...paying, start, rest };
}

/** Last of all: what such a start leaves to be read later would be read beside whatever else is measured. */
async function revived(shop: BenchShop, times: number): Promise<readonly Costs[]> {
  const costs: Costs[] = [];
  for (let no = 0; no < times; no += 1) {
    await shop.revive();
    costs.push({ revived: { wall: shop.daemon.readyMs, cpu: shop.daemon.cpuMs() } });
  }
  rmSync(join(shop.stateDir, 'unread-pages'), { force: true });
  return costs;
}

/** What the whole payment costs the processor; each part of it by the clock alone. */
async function payments(shop: BenchShop, times: number, amount: number): Promise<Costs> {
  const before = shop.daemon.cpuMs();
  const samples = await samplesOf(shop, times, { amount });
  const cpu = (shop.daemon.cpuMs() - before) / times;
  const one = (numbers: readonly number[]): Cost => ({ wall: median(numbers), cpu: Number.NaN });
  return {
    payment: { wall: Number.NaN, cpu },
    toTerminal: one(samples.map(({ toTerminal }) => toTerminal)),
    toClient: one(samples.map(({ toClient }) => toClient)),
    beyondSyncs: one(samples.map(shareOf)),
  };
}

/** The median by the clock, the mean of the processor: its time comes in steps of 10 ms. */
async function costOf(shop: BenchShop, times: number, ask: () => Promise<unknown>): Promise<Cost> {
  const wall: number[] = [];
  const before = shop.daemon.cpuMs();
  for (let no = 0; no < times; no += 1) {
    const from = performance.now();
    await ask();
    wall.push(performance.now() - from);
  }
  return { wall: median(wall), cpu: (shop.daemon.cpuMs() - before) / times };
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
