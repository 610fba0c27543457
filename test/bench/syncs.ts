import { setTimeout as wait } from 'node:timers/promises';
import { BenchShop, deviceId } from './bench-shop.ts';
import type { Family } from './bench-terminal.ts';
import { syncLimit } from './disk-limit.ts';
import { type BenchOptions, figuresOf, type Print } from './figure.ts';
import { startWorld } from './world.ts';

const KEY = 'rk_sandbox_bench';
const WARM_UP = 5;
/** The terminal is free again when the next one comes; behind another payment an attempt has a sync of its own. */
const CUSTOMERS_APART_MS = 150;
/** Until the last report is done. */
const REPORTED_MS = 1_500;

/** What the product promises: three where the terminal can take an approval back. */
const BARS: Readonly<Record<Family, number>> = { zvt: 3.1, ecr17: 2.1, transbank: 2.1 };

/** How often a payment makes the disk wait, counted below libc: alone, and with what tells the service of it. */
export async function syncs({ times }: BenchOptions, print: Print): Promise<void> {
  const figure = figuresOf('syncs', print);
  figure('write + fdatasync of one frame, median', syncLimit(), 'ms');
  for (const family of ['zvt', 'ecr17', 'transbank'] as const) {
    const { log, other, ms, bytes } = await counted(family, times);
    const bar = { name: 'the bar', value: BARS[family] };
    figure(`${family}: syncs per payment`, log + other, 'syncs', bar);
    figure(`${family}: written to the log per payment`, bytes / 1024, 'KiB');
    figure(`${family}: time in syncs per payment`, ms, 'ms');
  }
  const reported = await counted('zvt', times, true);
  figure('zvt: syncs per payment with its two reports', reported.log + reported.other, 'syncs');
}

async function counted(family: Family, times: number, isReported = false) {
  const terminals = 1;
  const options = { key: KEY, deviceIds: [deviceId(0)], customers: 0 };
  const other = isReported ? await startWorld(options) : null;
  const service = other ? { service: { url: other.places.serviceUrl, key: KEY } } : {};
  const shop = await BenchShop.open({
    terminals,
    over: family === 'transbank' ? 'pty' : 'tcp',
    family,
    counted: true,
    ...service,
  });
  try {
    return await perPayment(shop, times, isReported);
  } finally {
    await shop.close();
    other?.world.disconnect();
  }
}

async function perPayment(shop: BenchShop, times: number, isReported: boolean) {
  const { till, counter, devices } = shop;
  const device = devices[0] ?? '';
  if (!counter) throw new Error('this shop is counted');
  for (let no = 0; no < WARM_UP; no += 1) await till.pay(device, 100 + no);
  const before = counter.read();
  for (let no = 0; no < times; no += 1) {
    const { status } = await till.pay(device, 1_000 + no);
    await wait(CUSTOMERS_APART_MS);
    if (status !== 'succeeded') throw new Error(`a payment ended ${status}`);
  }
  if (isReported) await wait(REPORTED_MS);
  const after = counter.read();
  const per = (from: number, to: number) => (to - from) / times;
  return {
    log: per(before.log, after.log),
    other: per(before.other, after.other),
    ms: per(before.ms, after.ms),
    bytes: per(before.logBytes, after.logBytes),
  };
}
