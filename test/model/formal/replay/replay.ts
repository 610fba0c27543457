import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fastFolder } from '../../../simulation/fast-folder.ts';
import { missingProgram } from '../spin.ts';
import { Summary } from './summary.ts';
import type { Order, Report } from './worker.ts';

const USAGE = 'model:replay [--traces N] [--from SEED] [--minutes M]';
/** Seeds that a worker gets at once. */
const BATCH = 500;
/** Every so many traces a line says how far it is. */
const SAY_EVERY = 500;

/** Replays N random traces of the model against the real core; 1 when one diverges, 2 for a wrong call. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      traces: { type: 'string', default: '1000' },
      from: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '60' },
    },
  });
  const [traces, from, minutes] = [values.traces, values.from, values.minutes].map(Number);
  if (!isCount(traces) || !isCount(from) || !isCount(minutes)) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const missing = await missingProgram();
  if (missing !== null) {
    process.stderr.write(`${missing}\n`);
    return 2;
  }
  return replayAll({ traces, from, endsAt: performance.now() + minutes * 60_000 });
}

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

interface Shift {
  readonly traces: number;
  readonly from: number;
  readonly endsAt: number;
}

async function replayAll({ traces, from, endsAt }: Shift): Promise<number> {
  const startedAt = performance.now();
  const folder = fastFolder();
  const summary = new Summary();
  let taken = 0;
  const nextSeeds = (): readonly number[] => {
    if (performance.now() > endsAt) return [];
    const seeds = Array.from(
      { length: Math.min(BATCH, Math.ceil(traces / availableParallelism()), traces - taken) },
      (_, index) => from + taken + index,
    );
    taken += seeds.length;
    return seeds;
  };
  const workOff = async (number: number) => {
    const own = join(folder.path, `worker-${number}`);
    mkdirSync(own);
    for (let seeds = nextSeeds(); seeds.length > 0; seeds = nextSeeds())
      await replaySeeds({ seeds: [...seeds], folder: own, limitMs: endsAt - performance.now() }, (report) => {
        summary.add(report);
        if (summary.traces % SAY_EVERY === 0) process.stdout.write(`${summary.traces} traces\n`);
      });
  };
  try {
    await Promise.all(Array.from({ length: availableParallelism() }, (_, number) => workOff(number)));
  } finally {
    folder.remove();
  }
  for (const line of summary.lines()) process.stdout.write(`${line}\n`);
  process.stdout.write(`${JSON.stringify(summary.total(performance.now() - startedAt))}\n`);
  return summary.diverged ? 1 : 0;
}

/** One process replays these; rejects when it dies before its end. */
function replaySeeds(order: Order, onReport: (report: Report) => void): Promise<void> {
  const worker: ChildProcess = fork(new URL('./worker.ts', import.meta.url), { execArgv: [] });
  return new Promise((resolve, reject) => {
    worker.on('message', (report) => onReport(report as Report));
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
    worker.send(order);
  });
}

process.exitCode = await main();
