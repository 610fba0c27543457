import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { playShift } from './crew.ts';
import { fastFolder } from './fast-folder.ts';
import { runHistory, SCENARIOS } from './history.ts';
import { monthFigure } from './month/month-figure.ts';
import { raceFigure } from './race/race-figure.ts';
import { type Result, summary } from './result.ts';
import type { Scenario } from './scenario.ts';

/** The scenario that is one long run with `--payments`, and small histories without. */
const LONG_MONTH = 'month-offline';
/** Not days: each seed is a payment that two agents want. */
const RACE = 'race';
const USAGE = `simulate --seeds N [--from S] [--workers N] | --seed S [--trace]   [--scenario NAME]
simulate --scenario ${LONG_MONTH} --payments N [--seed S]
simulate --scenario ${RACE} --seeds N [--from S]`;

interface SimulateOptions {
  readonly scenario: Scenario;
  readonly name: string;
  readonly from: number;
  readonly count: number;
  readonly workers: number;
  readonly trace: boolean;
  /** The long run of the scenario, with so many payments in it; null: histories. */
  readonly payments: number | null;
}

/** Runs seeded histories and prints one JSON line at the end; 1 when a rule was broken, 2 for a wrong call, 130 after Ctrl-C. */
async function main(): Promise<number> {
  const options = optionsOf();
  if (!options) {
    process.stderr.write(`${USAGE}\nscenarios: ${[...Object.keys(SCENARIOS), RACE].join(', ')}\n`);
    return 2;
  }
  const root = fastFolder();
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const startedAt = performance.now();
  try {
    if (options.name === RACE) return await playRaces(options, root.path);
    if (options.payments !== null) return await playLongMonth(options.payments, options.from, root.path);
    const results =
      options.workers > 1
        ? await playMany(options, root.path, stop)
        : await playHere(options, root.path, stop);
    return report(results, performance.now() - startedAt, options.workers);
  } catch (error) {
    if (stop.signal.aborted) return INTERRUPTED;
    throw error;
  } finally {
    root.remove();
  }
}

const INTERRUPTED = 130;

function optionsOf(): SimulateOptions | null {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '100' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      workers: { type: 'string', default: String(availableParallelism()) },
      trace: { type: 'boolean', default: false },
      scenario: { type: 'string', default: 'day' },
      payments: { type: 'string' },
    },
  });
  const scenario = values.scenario === RACE ? SCENARIOS['day'] : SCENARIOS[values.scenario];
  const [count, from] =
    values.seed === undefined ? [values.seeds, values.from].map(Number) : [1, Number(values.seed)];
  const workers = Number(values.workers);
  const payments = values.payments === undefined ? null : Number(values.payments);
  if (payments !== null && (!isCount(payments) || values.scenario !== LONG_MONTH)) return null;
  if (!scenario || !isCount(count) || !isCount(from) || !isCount(workers)) return null;
  const hands = values.trace ? 1 : Math.min(workers, count);
  return {
    scenario,
    name: values.scenario,
    from,
    count,
    workers: hands,
    trace: values.trace,
    payments,
  };
}

async function playRaces({ from, count }: SimulateOptions, root: string): Promise<number> {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const figure = await raceFigure({ from, races: count, root, say });
  process.stdout.write(`${JSON.stringify(figure)}\n`);
  return figure.failures.length === 0 ? 0 : 1;
}

/** One run, one line; how far it has come goes to standard error. */
async function playLongMonth(payments: number, seed: number, root: string): Promise<number> {
  const folder = join(root, 'month');
  mkdirSync(folder);
  const startedAt = performance.now();
  const say = (line: string) => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stderr.write(`${seconds} s: ${line}\n`);
  };
  const figure = await monthFigure({ payments, seed, folder, say });
  for (const failure of figure.failures) process.stderr.write(`${failure}\n`);
  process.stdout.write(`${JSON.stringify(figure)}\n`);
  return figure.failures.length === 0 ? 0 : 1;
}

function playMany(
  options: SimulateOptions,
  root: string,
  { signal }: AbortController,
): Promise<readonly Result[]> {
  const { name: scenario, from, count, workers } = options;
  return playShift({
    scenario,
    from,
    count,
    workers,
    root,
    signal,
    onResult: sayAccusations,
  });
}

async function playHere(
  options: SimulateOptions,
  root: string,
  { signal }: AbortController,
): Promise<readonly Result[]> {
  const { scenario, from, count, trace } = options;
  const print = trace ? { print: (line: string) => void process.stdout.write(`${line}\n`) } : {};
  const results: Result[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const { result } = await runHistory(scenario, {
      seed,
      folder: join(root, String(seed)),
      trace,
      ...print,
    });
    signal.throwIfAborted();
    results.push(result);
    sayAccusations(result);
  }
  return results;
}

/** What the run came to; gives the exit code. */
function report(results: readonly Result[], wallMs: number, workers: number): number {
  const total = summary(results, wallMs);
  const perSecond = (total.attempts * 1000) / Math.max(1, total.wall_ms);
  const each = `${Math.round(perSecond / workers)} per core on ${workers}`;
  process.stderr.write(`${Math.round(perSecond)} attempts per second, ${each}\n`);
  if (total.failures.length > 0) process.stderr.write(`replay with: --seed ${total.failures[0]} --trace\n`);
  process.stdout.write(`${JSON.stringify(total)}\n`);
  return total.failures.length === 0 ? 0 : 1;
}

function sayAccusations({ seed, accusations }: Result): void {
  for (const { crime, text, atMs } of accusations)
    process.stderr.write(`seed ${seed} at ${(atMs / 1000).toFixed(3)} s: ${crime}: ${text}\n`);
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value > 0;
}

process.exitCode = await main();
