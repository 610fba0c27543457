import { setTimeout as wait } from 'node:timers/promises';
import { BenchShop } from './bench-shop.ts';
import { type BenchOptions, figuresOf, type Print, quantile } from './figure.ts';
import { readsBeside } from './reads-beside.ts';
import { type Seventh, seventhOfACore } from './seventh.ts';

const WARM_UP = 5;
/** Our share in ms at the 99th percentile, by the number of terminals; and of one terminal at a seventh of a core. */
const BARS: Readonly<Record<number, number>> = { 1: 8, 8: 12 };
const SEVENTH_BAR = 60;
/** A read beside payments, in ms at the 99th percentile, whatever a sync takes. */
const READ_BAR = 10;

/**
 * Terminals, and how long each is left alone between two payments, on average, in ms: eight of them not at all, which tells how they wait for
 * each other; or a second, which no shop does.
 */
const COURSES = [
  [1, 0],
  [8, 0],
  [8, 1_000],
] as const;

/** ZVT on a serial line: a money command waits until the line has been silent for T1. */
const QUIET_MS = 200;

/** Of one payment, in ms. */
interface Sample {
  /** From the till's request to the first byte of the money command at the terminal. */
  readonly toTerminal: number;
  /** From the terminal's last byte to the end at a client that waits. */
  readonly toClient: number;
  /** What the terminal took to answer before its money command came. */
  readonly answering: number;
  /** What the process waited for the disk in both. */
  readonly syncs: number;
}

/**
 * How long a customer waits for us: with one terminal and with eight, over TCP and over a pty; on a slower disk or a smaller processor, where that
 * is asked for.
 */
export async function latency(options: BenchOptions, print: Print): Promise<void> {
  const seventh = options.seventh ? seventhOfACore() : null;
  if (options.seventh && !seventh) return;
  try {
    for (const over of ['tcp', 'pty'] as const) {
      for (const [terminals, pauseMs] of COURSES)
        await measured({ over, terminals, pauseMs, seventh }, options, print);
    }
  } finally {
    seventh?.remove();
  }
}

interface Course {
  readonly over: 'tcp' | 'pty';
  readonly terminals: number;
  readonly pauseMs: number;
  readonly seventh: Seventh | null;
}

async function measured(
  { over, terminals, pauseMs, seventh }: Course,
  { times, syncMs }: BenchOptions,
  print: Print,
): Promise<void> {
  const shop = await BenchShop.open({ terminals, over, counted: true, syncMs, ...(seventh ?? {}) });
  const figure = figuresOf('latency', print);
  const reads = readsBeside(shop.daemon.socket);
  try {
    const samples = await samplesOf(shop, times, { pauseMs });
    const conditions = [
      ...(pauseMs === 0 ? [] : [`${pauseMs / 1_000} s apart`]),
      ...(syncMs === 0 ? [] : [`${syncMs} ms more per sync`]),
      ...(seventh ? ['a seventh of a core'] : []),
    ];
    const where = [`${terminals} × ${over}`, ...conditions].join(', ');
    const printQuantiles = (what: string, numbers: readonly number[]) => {
      figure(`${where}: ${what}, p50`, quantile(numbers, 0.5), 'ms');
      figure(`${where}: ${what}, p99`, quantile(numbers, 0.99), 'ms');
      figure(`${where}: ${what}, max`, Math.max(...numbers), 'ms');
    };
    printQuantiles(
      'request to first byte at the terminal',
      samples.map(({ toTerminal }) => toTerminal),
    );
    printQuantiles(
      'last byte to the waiting client',
      samples.map(({ toClient }) => toClient),
    );
    const quiet = over === 'pty' ? QUIET_MS : 0;
    const shares = samples.map((sample) => Math.max(0, shareOf(sample) - quiet));
    figure(`${where}: both, beyond the syncs and the terminal, p50`, quantile(shares, 0.5), 'ms');
    const bar = { name: 'the bar', value: seventh ? SEVENTH_BAR : (BARS[terminals] ?? Number.NaN) };
    figure(`${where}: both, beyond the syncs and the terminal, p99`, quantile(shares, 0.99), 'ms', bar);
    const readMs = await reads.end();
    figure(`${where}: a read beside payments, p50`, quantile(readMs, 0.5), 'ms');
    const readBar = { name: 'the bar', value: READ_BAR };
    figure(`${where}: a read beside payments, p99`, quantile(readMs, 0.99), 'ms', readBar);
  } finally {
    await reads.end();
    await shop.close();
  }
}

/** What is left of both ways without the disk and the terminal. */
export function shareOf({ toTerminal, toClient, syncs, answering }: Sample): number {
  return toTerminal + toClient - syncs - answering;
}

/** `amount`: of the first; no two may have the same within half a minute. `pauseMs`: between two payments of a terminal, on average. */
interface DeviceLoad {
  readonly amount?: number;
  readonly pauseMs?: number;
}

/** Each terminal takes one payment after the other; all of them at once. */
export async function samplesOf(
  shop: BenchShop,
  times: number,
  { amount = 1_000, pauseMs = 0 }: DeviceLoad = {},
): Promise<readonly Sample[]> {
  const each = Math.max(1, Math.ceil(times / shop.devices.length)) + WARM_UP;
  const perDevice = shop.devices.map((_, index) => laneOf(shop, index, each, { amount, pauseMs }));
  return (await Promise.all(perDevice)).flatMap((samples) => samples.slice(WARM_UP));
}

async function laneOf(
  shop: BenchShop,
  index: number,
  times: number,
  { amount, pauseMs }: Required<DeviceLoad>,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const device = shop.devices[index] ?? '';
  const terminal = shop.terminals[index];
  const waited = () => shop.counter?.read().ms ?? 0;
  if (!terminal) return samples;
  for (let no = 0; no < times; no += 1) {
    if (pauseMs > 0) await wait(Math.random() * 2 * pauseMs);
    const before = waited();
    const during = { first: 0, last: 0, answering: 0 };
    const answeredBefore = terminal.answeringMs;
    terminal.onMoney = () => {
      during.first = waited();
      during.answering = terminal.answeringMs - answeredBefore;
    };
    terminal.onEnd = () => {
      during.last = waited();
    };
    const { askedAt, visibleAt, status } = await shop.till.pay(device, amount + no * 8 + index);
    const syncs = during.first - before + (waited() - during.last);
    if (status !== 'succeeded') throw new Error(`a payment ended ${status}`);
    if (terminal.moneyAt < askedAt) throw new Error('a money command came unseen');
    samples.push({
      toTerminal: terminal.moneyAt - askedAt,
      toClient: visibleAt - terminal.endAt,
      syncs,
      answering: during.answering,
    });
  }
  return samples;
}
