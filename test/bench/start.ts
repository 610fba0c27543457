import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchShop } from './bench-shop.ts';
import { type BenchOptions, figuresOf, median, type Print } from './figure.ts';
import { type Program, packaged, SOURCES } from './program.ts';
import { seventhOfACore } from './seventh.ts';

const STARTS = 7;
const BARE_STARTS = 15;
const SETTLED_MS = 5_000;
const LONGEST_WATCH_S = 60;
const MIB = 1024 * 1024;
/** Between two looks whether the interface answers, in ms. */
const LOOK_MS = 2;
/** What was promised: ms from spawn until the interface answers, MiB at rest, share of a processor at rest, ms at a seventh of a core. */
const BARS = { ready: 450, rss: 125, idle: 0.002, seventh: 3_200 };

/** From the spawn to the first payment that could be taken, and what it costs to be there: with one terminal over TCP and an existing store. */
export async function start({ seconds }: BenchOptions, print: Print): Promise<void> {
  const figure = figuresOf('start', print);
  const bare = { name: 'bare node, spawn to exit', value: await bareNode() };
  figure(bare.name, bare.value, 'ms');
  const found = packaged();
  for (const program of found ? [SOURCES, found] : [SOURCES]) {
    await measured(program, Math.min(seconds, LONGEST_WATCH_S), print, bare.value);
  }
  if (!found) process.stderr.write('there is no packaged build in dist/: only the sources were measured\n');
}

async function measured(program: Program, seconds: number, print: Print, bare: number): Promise<void> {
  const figure = figuresOf('start', print);
  const shop = await BenchShop.open({ terminals: 1, over: 'tcp', program });
  try {
    await shop.till.pay(shop.devices[0] ?? '', 1_000);
    const answers: number[] = [];
    const ready: number[] = [];
    const cpu: number[] = [];
    for (let no = 0; no < STARTS; no += 1) {
      answers.push(await answeringAfter(shop));
      ready.push(shop.daemon.readyMs);
      cpu.push(shop.daemon.cpuMs());
    }
    const name = program.name;
    figure(`${name}: spawn until the interface answers`, median(answers), 'ms', {
      name: 'the bar',
      value: BARS.ready,
    });
    figure(`${name}: spawn until a payment could be taken`, median(ready), 'ms', {
      name: 'bare node',
      value: bare,
    });
    figure(`${name}: processor time until ready`, median(cpu), 'ms');
    await wait(SETTLED_MS);
    const before = shop.daemon.cpuMs();
    await wait(seconds * 1_000);
    const idle = (shop.daemon.cpuMs() - before) / (seconds * 1_000);
    figure(`${name}: processor at rest`, idle * 100, '%', { name: 'the bar', value: BARS.idle * 100 });
    figure(`${name}: RSS at rest`, shop.daemon.rss() / MIB, 'MiB', { name: 'the bar', value: BARS.rss });
  } finally {
    await shop.close();
  }
  await atASeventh(program, print);
}

async function atASeventh(program: Program, print: Print): Promise<void> {
  const seventh = seventhOfACore();
  if (!seventh) return;
  const { wrapper } = seventh;
  try {
    const shop = await BenchShop.open({ terminals: 1, over: 'tcp', program, wrapper });
    const answers: number[] = [];
    const ready: number[] = [];
    for (let no = 0; no < 3; no += 1) {
      answers.push(await answeringAfter(shop));
      ready.push(shop.daemon.readyMs);
    }
    await shop.close();
    const figure = figuresOf('start', print);
    const bar = { name: 'the bar', value: BARS.seventh };
    const at = 'at a seventh of a core';
    figure(`${program.name}: spawn until the interface answers ${at}`, median(answers), 'ms', bar);
    figure(`${program.name}: spawn until a payment could be taken ${at}`, median(ready), 'ms', bar);
  } finally {
    seventh.remove();
  }
}

/** Starts the daemon of a shop again. @returns ms from its spawn to the first answer of the local interface */
async function answeringAfter(shop: BenchShop): Promise<number> {
  const { socket } = shop.daemon;
  const first: { answer?: Promise<number> } = {};
  await shop.whileDown(() => {
    const from = performance.now();
    first.answer = answered(socket).then(() => performance.now() - from);
  });
  return first.answer ?? Number.NaN;
}

async function answered(socketPath: string): Promise<void> {
  for (;;) {
    const status = await new Promise<number>((resolve) => {
      const asked = request({ socketPath, path: '/healthz' }, (reply) => {
        reply.resume();
        resolve(reply.statusCode ?? 0);
      });
      asked.once('error', () => resolve(0)).end();
    });
    if (status > 0) return;
    await wait(LOOK_MS);
  }
}

async function bareNode(): Promise<number> {
  const taken: number[] = [];
  for (let no = 0; no < BARE_STARTS; no += 1) {
    const from = performance.now();
    await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
    taken.push(performance.now() - from);
  }
  return median(taken);
}
