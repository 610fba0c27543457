import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fastFolder } from '../fast-folder.ts';
import { type HistoryOptions, runSyncHistory } from './history.ts';
import type { SyncResult } from './judge.ts';
import { runProviderHistory } from './provider/provider-history.ts';
import { type PlayedHistory, syncSummary } from './summary.ts';

const USAGE = 'simulate:sync --seeds N [--from S] [--workers N] | --seed S [--trace]';
const EVERY_PROVIDER = 5;
/** From then on a process that leaks nothing stays as large as it is. */
const WARM_AFTER = 200;
const SELF = fileURLToPath(import.meta.url);

interface Options {
  readonly seeds: readonly number[];
  readonly workers: number;
  readonly trace: boolean;
}

/** Runs seeded histories of a sync and prints one JSON line at the end; 1 when a rule was broken, 2 for a wrong call. */
async function main(): Promise<number> {
  const options = optionsOf();
  if (!options) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const startedAt = performance.now();
  const results = options.workers > 1 ? await playMany(options) : await playHere(options);
  if (process.send) return 0;
  const total = syncSummary(results, performance.now() - startedAt);
  if (total.failures.length > 0) process.stderr.write(`replay with: --seed ${total.failures[0]} --trace\n`);
  process.stdout.write(`${JSON.stringify(total)}\n`);
  return total.failures.length === 0 ? 0 : 1;
}

function optionsOf(): Options | null {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '100' },
      from: { type: 'string', default: '1' },
      step: { type: 'string', default: '1' },
      seed: { type: 'string' },
      workers: { type: 'string', default: String(availableParallelism()) },
      trace: { type: 'boolean', default: false },
    },
  });
  const one = values.seed === undefined ? null : Number(values.seed);
  const [count, from, step] =
    one === null ? [values.seeds, values.from, values.step].map(Number) : [1, one, 1];
  const workers = Number(values.workers);
  if (!isCount(count) || !isCount(from) || !isCount(step) || !isCount(workers)) return null;
  const seeds = Array.from({ length: count }, (_, index) => from + index * step);
  return { seeds, workers: values.trace ? 1 : Math.min(workers, count), trace: values.trace };
}

async function playHere({ seeds, trace }: Options): Promise<readonly PlayedHistory[]> {
  const root = fastFolder();
  const print = trace ? { print: (line: string) => void process.stdout.write(`${line}\n`) } : {};
  const results: PlayedHistory[] = [];
  let warm: number | null = null;
  try {
    for (const seed of seeds) {
      const history = await played({ seed, folder: join(root.path, `${seed}`), ...print });
      const rss = process.memoryUsage.rss();
      if (results.length === WARM_AFTER) warm = rss;
      const result = { ...history, rssGrowthBytes: warm === null ? null : rss - warm };
      results.push(result);
      if (process.send) process.send(result);
      else report(result);
    }
  } finally {
    root.remove();
  }
  return results;
}

/** The history of a stream; for every fifth seed also the week of a provider. */
async function played(options: HistoryOptions): Promise<SyncResult> {
  const result = await runSyncHistory(options);
  if (options.seed % EVERY_PROVIDER !== 0) return result;
  const { sums, accusations } = await runProviderHistory(options);
  return { ...result, provider: sums, accusations: [...result.accusations, ...accusations] };
}

/** Each worker plays every n-th seed. */
async function playMany({ seeds, workers }: Options): Promise<readonly PlayedHistory[]> {
  const results: PlayedHistory[] = [];
  const work = Array.from({ length: workers }, (_, index) => {
    const count = Math.ceil((seeds.length - index) / workers);
    const args = [
      '--from',
      `${seeds[index]}`,
      '--step',
      `${workers}`,
      '--seeds',
      `${count}`,
      '--workers',
      '1',
    ];
    const child = fork(SELF, args);
    child.on('message', (message) => {
      const result = message as PlayedHistory;
      results.push(result);
      report(result);
    });
    return new Promise<void>((resolve, reject) => {
      child.once('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`a worker died: exit code ${code}`)),
      );
    });
  });
  await Promise.all(work);
  return results.sort((a, b) => a.seed - b.seed);
}

function report({ seed, accusations }: SyncResult): void {
  for (const { crime, text, atMs } of accusations.slice(0, 5))
    process.stderr.write(`seed ${seed} at ${(atMs / 1000).toFixed(3)} s: ${crime}: ${text}\n`);
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value > 0;
}

/** A worker ends with whoever asked for it, however that ended. */
const orphaned = () => process.exit(1);
if (process.send) process.on('disconnect', orphaned);
process.exitCode = await main();
process.off('disconnect', orphaned);
if (process.connected) process.disconnect();
