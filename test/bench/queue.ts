import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIBRARY, OURS, QUEUES } from '../crash/compare/contestants.ts';
import { installPeers, missing, programOf, versionOf } from '../crash/compare/install.ts';
import { type BenchOptions, figuresOf, type Print } from './figure.ts';
import { besideEachOther, type Entrant, type Raced } from './queue-race.ts';
import { syncCounter } from './sync-counter.ts';

const SPARE = 100;
/** So many jobs make the log of a queue as long as it will be: SQLite empties one at 1,000 pages, and a job is a page at least. */
const WARM_LOG = 1_100;
const CALLERS = [1, 10, 100];
/** What a good SD card takes for a sync. */
const SLOW_SYNC_MS = 5;
/** So many turns of each are waited for. */
const TURNS = 40;
const LIMIT = 'write + fdatasync of one frame';

type Figure = ReturnType<typeof figuresOf>;

/**
 * What it costs to keep a job and to take it out again, in processes of their own that take turns: against one write and one sync,
 * against the same statements run bare, and against the queues that others ship, as shipped and with FULL.
 */
export async function queue({ times }: BenchOptions, print: Print): Promise<void> {
  const figure = figuresOf('queue', print);
  const peers = await peersThatRun();
  for (const what of ['enqueue', 'claim-complete'] as const) await race(what, times, peers, figure);
  await groups('this disk', times, {}, figure);
  const folder = mkdtempSync(join(tmpdir(), 'tilld-bench-slow-'));
  try {
    const { env, close } = syncCounter(folder, SLOW_SYNC_MS);
    await groups(`a disk with ${SLOW_SYNC_MS} ms more per sync`, 0, env, figure);
    close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function race(
  what: 'enqueue' | 'claim-complete',
  jobs: number,
  peers: readonly Entrant[],
  figure: Figure,
): Promise<void> {
  const own = { what, jobs, spare: SPARE } as const;
  const [bare, ours] = [{ name: 'the same statements bare' }, { name: "tilld's outbox" }];
  const entrants: Entrant[] = [
    { ...bare, options: { ...own, who: 'bare' } },
    { ...ours, options: { ...own, who: 'store' } },
    ...peers.map((peer) => ({
      ...peer,
      options: { ...peer.options, ...own, spare: what === 'enqueue' ? WARM_LOG : SPARE },
    })),
  ];
  const raced = await besideEachOther(entrants);
  for (const { name } of entrants) printRates(`${what}, ${name}`, raced, name, figure);
  figure(`${what}, ${ours.name}`, raced.rateOf(ours.name), '1/s', {
    name: `${bare.name}, run by run`,
    value: raced.rateOf(ours.name) / raced.against(ours.name, bare.name),
  });
}

/** Those who ask in one turn of the event loop, all in one transaction, and each in one of its own with a sync for all. */
async function groups(disk: string, times: number, env: NodeJS.ProcessEnv, figure: Figure): Promise<void> {
  const entrants = CALLERS.flatMap((callers) =>
    (['group', 'turn'] as const).map((what) => ({
      name: `${callers} callers, ${what === 'group' ? 'one transaction' : 'a transaction each, one sync'}, ${disk}`,
      env,
      options: { what, who: 'store', jobs: Math.max(times, TURNS * callers), spare: SPARE, callers },
    })),
  );
  const raced = await besideEachOther(entrants, env, times === 0 ? TURNS : undefined);
  figure(`${LIMIT}, ${disk}`, raced.limit, '1/s');
  for (const { name } of entrants) printRates(`group commit, ${name}`, raced, name, figure);
}

function printRates(metric: string, raced: Raced, name: string, figure: Figure): void {
  const rate = raced.rateOf(name);
  if (!Number.isFinite(rate)) return;
  figure(metric, rate, '1/s', { name: LIMIT, value: raced.limit });
  figure(`${metric}: processor time`, raced.cpuUsOf(name), 'µs');
}

/** Each as shipped and with FULL; who cannot run is named with the reason. */
async function peersThatRun(): Promise<readonly Entrant[]> {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const why = await installPeers(say);
  if (why !== null) say(why);
  return [OURS, ...LIBRARY.slice(0, 1), ...QUEUES].flatMap((contestant) => {
    const lack = missing(contestant);
    if (lack !== null) say(`not compared: ${contestant.name}: ${lack}`);
    if (lack !== null) return [];
    const { name, file, runtime, packages } = contestant;
    const version = packages[0] === undefined ? '' : ` ${versionOf(packages[0])}`;
    const common = { what: 'enqueue', who: file, jobs: 0, spare: 0 } as const;
    const peer = (how: string, full: boolean): Entrant => ({
      name: `${name}${version}, ${how}`,
      program: programOf(runtime),
      options: { ...common, full },
    });
    if (packages.length === 0) return [peer('FULL, as shipped', false)];
    return [peer('as shipped', false), peer('with FULL', true)];
  });
}
