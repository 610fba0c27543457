import { fork } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { BenchShop } from './bench-shop.ts';
import type { ProbeLine } from './commit-probe.ts';
import { type BenchOptions, figuresOf, type Print, quantile } from './figure.ts';
import type { Received } from './lean-service.ts';
import { audited } from './load-books.ts';
import { SOURCES } from './program.ts';
import { answerOf, startLeanService } from './service-beside.ts';
import { fillStore } from './store-builder.ts';

const TERMINALS = 8;
const PER_SECOND = 50;
/** Two reports of each payment, and half as many again for those that are pending. */
const REQUESTS_PER_MINUTE = PER_SECOND * 3 * 60;
/** Amounts that no payment has that was in the store before: it would be taken for the same sale. */
const FIRST_AMOUNT = 50_000;
const MOST_ROWS = 100_000;
const LOOK_MS = 100;
/** See `mxFrame` in https://sqlite.org/walformat.html. */
const FRAMES_AT = 16;
const FRAME_BYTES = 4096 + 24;
/** The first minutes fill caches; when the run is shorter, a fifth of it does. */
const WARM_S = 120;
const MOST_WAL = 8;
const MOST_HEAP_GROWTH = 2;
const MOST_COMMIT = 3;
const MIB = 1024 * 1024;
const KEY = 'rk_sandbox_bench';

/** Fifty payments a second on eight terminals, beside a list that is read again and an outbox that is full. */
export async function load({ rows: atMost, attempts, seconds }: BenchOptions, print: Print): Promise<void> {
  const rows = Math.min(atMost, MOST_ROWS);
  const { service, url } = await startLeanService({ customers: rows });
  const shop = await shopOf(url);
  const figure = figuresOf('load', print);
  try {
    await mirrored(shop, rows);
    await shop.till.pay(shop.devices[0] ?? '', 1_000);
    await shop.whileDown(() => void fillStore(join(shop.stateDir, 'money.db'), attempts / 2, true));
    const ran = await underLoad(shop, seconds);
    const received = await answerOf<Received>(service, 'received');
    await shop.whileDown(() => {
      const { reported, pending, wrong } = audited(join(shop.stateDir, 'money.db'), ran.paid, received);
      figure('reports of these payments at the service', reported, 'reports');
      figure('reports of these payments in the outbox', pending, 'reports');
      figure('payments or reports that are lost or doubled', wrong.length, 'payments');
      if (wrong.length > 0) throw new Error(`load: ${wrong.slice(0, 5).join('; ')}`);
    });
    report(ran, figure, { rows, attempts, seconds });
  } finally {
    await shop.close();
    service.disconnect();
  }
}

function report(
  ran: Ran,
  figure: ReturnType<typeof figuresOf>,
  options: Pick<BenchOptions, 'rows' | 'attempts' | 'seconds'>,
) {
  const { paid, disk, early, late, wal, walUsed, mirrorWal, rss, read, times, cpuMs } = ran;
  const bar = (name: string, value: number) => ({ name, value });
  figure('customers of the list', options.rows, 'rows');
  figure('reports in the outbox at the beginning', options.attempts, 'reports');
  figure('records of the list read meanwhile', read, 'records');
  figure('payments', paid.length, 'payments');
  figure('rate', paid.length / ran.seconds, 'payments/s', bar('what was asked for', PER_SECOND));
  figure('processor time of the daemon for each', cpuMs / paid.length, 'ms');
  figure('processor time of the daemon, of one core', (cpuMs / ran.seconds / 1_000) * 100, '%');
  figure('payment from request to outcome, p50', quantile(times, 0.5), 'ms');
  figure('payment from request to outcome, p99', quantile(times, 0.99), 'ms');
  figure('commit, p50', late.p50, 'ms', bar('a sync of the disk meanwhile, p50', quantile(disk, 0.5)));
  figure('commit, p99', late.p99, 'ms', bar('a sync of the disk meanwhile, p99', quantile(disk, 0.99)));
  figure(
    'commit p99 in syncs of the disk',
    late.p99 / quantile(disk, 0.99),
    '×',
    bar('the bar', MOST_COMMIT),
  );
  figure('commit, longest', late.max, 'ms');
  figure('log of the money database, longest', wal / MIB, 'MiB', bar('the bar', MOST_WAL));
  figure('what the log of the money database held, most', walUsed / MIB, 'MiB', bar('the bar', MOST_WAL));
  figure('log of the mirror, longest', mirrorWal / MIB, 'MiB', bar('the bar', MOST_WAL));
  const grown = (late.heap - early.heap) / MIB;
  figure('heap behind a collection, at the end', late.heap / MIB, 'MiB', bar('early', early.heap / MIB));
  figure('heap behind a collection, grown', grown, 'MiB', bar('the bar', MOST_HEAP_GROWTH));
  figure('RSS, most', rss / MIB, 'MiB');
}

interface Ran {
  readonly paid: readonly string[];
  /** Of each payment, ms. */
  readonly times: readonly number[];
  readonly seconds: number;
  readonly disk: readonly number[];
  readonly early: ProbeLine;
  readonly late: ProbeLine;
  /** The longest that the file of the log was; room for what follows is kept in it. */
  readonly wal: number;
  /** The most that was in it. */
  readonly walUsed: number;
  readonly mirrorWal: number;
  readonly rss: number;
  /** Processor time of the daemon, ms. */
  readonly cpuMs: number;
  readonly read: number;
}

async function underLoad(shop: BenchShop, seconds: number): Promise<Ran> {
  const disk = fork(fileURLToPath(new URL('disk-watch.ts', import.meta.url)));
  const most = { wal: 0, walUsed: 0, mirrorWal: 0, rss: 0 };
  const watch = setInterval(() => {
    most.wal = Math.max(most.wal, bytesOf(join(shop.stateDir, 'money.db-wal')));
    most.walUsed = Math.max(most.walUsed, walUsedIn(join(shop.stateDir, 'money.db-shm')));
    most.mirrorWal = Math.max(most.mirrorWal, bytesOf(join(shop.stateDir, 'mirror.db-wal')));
    most.rss = Math.max(most.rss, shop.daemon.rss());
  }, LOOK_MS);
  const before = readRecords(shop);
  const cpuBefore = shop.daemon.cpuMs();
  const from = performance.now();
  const until = from + seconds * 1_000;
  const probed = wait(Math.min(WARM_S, seconds / 5) * 1_000).then(() => probe(shop));
  const perDevice = await Promise.all(shop.devices.map((device, index) => lane(shop, device, index, until)));
  const lasted = (performance.now() - from) / 1_000;
  const cpuMs = shop.daemon.cpuMs() - cpuBefore;
  const late = await probe(shop);
  clearInterval(watch);
  const all = perDevice.flat();
  return {
    ...most,
    paid: all.map(({ id }) => id),
    times: all.map(({ ms }) => ms),
    seconds: lasted,
    disk: await answerOf<readonly number[]>(disk, 'times'),
    early: await probed,
    late,
    cpuMs,
    read: readRecords(shop) - before,
  };
}

/** One terminal: a payment every so often, or as soon as the one before it is done. */
async function lane(shop: BenchShop, device: string, index: number, until: number) {
  const everyMs = (TERMINALS * 1_000) / PER_SECOND;
  const paid: { readonly id: string; readonly ms: number }[] = [];
  let due = performance.now() + (index * everyMs) / TERMINALS;
  for (let no = 0; due < until && performance.now() < until; no += 1) {
    await wait(Math.max(0, due - performance.now()));
    due = Math.max(due + everyMs, performance.now());
    const { id, status, askedAt, visibleAt } = await shop.till.pay(
      device,
      FIRST_AMOUNT + no * TERMINALS + index,
    );
    if (status !== 'succeeded') throw new Error(`load: a payment ended ${status}`);
    paid.push({ id, ms: visibleAt - askedAt });
  }
  return paid;
}

function shopOf(url: string): Promise<BenchShop> {
  const preload = fileURLToPath(new URL('commit-probe.ts', import.meta.url));
  return BenchShop.open({
    terminals: TERMINALS,
    over: 'tcp',
    service: { url, key: KEY },
    config: {
      mirror: { lists: ['customers'], interval_s: 60 },
      service: { url, requests_per_minute: REQUESTS_PER_MINUTE, burst: 100, create_local: 'on' },
    },
    program: { ...SOURCES, args: ['--import', preload, ...SOURCES.args] },
    probed: true,
  });
}

/** The list is there once, so that what runs beside the payments reads it again. */
async function mirrored(shop: BenchShop, rows: number): Promise<void> {
  while (lastRun(shop)?.outcome !== 'complete') await wait(LOOK_MS);
  const { read } = lastRun(shop) ?? { read: 0 };
  if (read < rows) throw new Error(`load: ${read} customers instead of ${rows}`);
}

function lastRun(shop: BenchShop): { readonly outcome: string; readonly read: number } | undefined {
  return ofMirror(shop, 'SELECT outcome, read FROM runs ORDER BY no DESC LIMIT 1');
}

function readRecords(shop: BenchShop): number {
  return ofMirror<{ n: number }>(shop, 'SELECT sum(read) AS n FROM runs')?.n ?? 0;
}

function ofMirror<T>(shop: BenchShop, sql: string): T | undefined {
  const path = join(shop.stateDir, 'mirror.db');
  if (!existsSync(path)) return undefined;
  const sqlite = new Sqlite(path, { readonly: true });
  try {
    return sqlite.prepare<[], T>(sql).get();
  } finally {
    sqlite.close();
  }
}

/** What the daemon says of its commits and its memory, behind a collection of garbage. */
async function probe(shop: BenchShop): Promise<ProbeLine> {
  const lines = () =>
    existsSync(shop.probeFile) ? readFileSync(shop.probeFile, 'utf8').trimEnd().split('\n') : [];
  const before = lines().length;
  process.kill(shop.daemon.pid, 'SIGUSR2');
  while (lines().length === before) await wait(LOOK_MS);
  return JSON.parse(lines().at(-1) ?? '') as ProbeLine;
}

/** From the index of the log: how many frames of it count. */
function walUsedIn(index: string): number {
  return existsSync(index) ? readFileSync(index).readUInt32LE(FRAMES_AT) * FRAME_BYTES : 0;
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
