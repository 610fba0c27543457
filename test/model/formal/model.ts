import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONFIGURATIONS, type Configuration, uncoveredPairs } from './configurations.ts';
import { type PanResult, readPanOutput } from './pan-output.ts';
import { PLANTED_FAULTS, type PlantedFault } from './planted-faults.ts';
import { missingProgram, search } from './spin.ts';
import { controlFailure, findingFailure } from './verdict.ts';

const USAGE = 'model [NAME…] | --list';
const AT_ONCE = 2;
const LIMIT_MS = 540_000;

/** One line of the run. */
interface Row {
  readonly name: string;
  readonly planted: boolean;
  readonly states: number;
  /** Null when it went as it must: a configuration passed, a planted fault was found. */
  readonly failure: string | null;
}

/** A configuration to pass, or a planted fault to be found. */
interface Job {
  readonly name: string;
  readonly configuration: Configuration;
  readonly planted: PlantedFault | null;
}

/** Checks every configuration and every planted fault; 1 when one does not go as it must, 2 for a wrong call. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { list: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const all = jobs();
  const unknown = positionals.filter((name) => !all.some((job) => job.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`${USAGE}\nno such configuration or planted fault: ${unknown.join(', ')}\n`);
    return 2;
  }
  const chosen = positionals.length === 0 ? all : all.filter(({ name }) => positionals.includes(name));
  if (values.list) return list(chosen);
  const missing = await missingProgram();
  if (missing !== null) {
    process.stderr.write(`${missing}\n`);
    return 2;
  }
  return runAll(chosen);
}

function jobs(): readonly Job[] {
  const planted = PLANTED_FAULTS.map((fault) => ({
    name: fault.name,
    configuration: configurationOf(fault),
    planted: fault,
  }));
  return [
    ...CONFIGURATIONS.map((one) => ({ name: one.name, configuration: one, planted: null })),
    ...planted,
  ];
}

function configurationOf(fault: PlantedFault): Configuration {
  const found = CONFIGURATIONS.find(({ name }) => name === fault.configuration);
  if (!found) throw new Error(`${fault.name} names no configuration: ${fault.configuration}`);
  return found;
}

async function runAll(chosen: readonly Job[]): Promise<number> {
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'tilld-model-'));
  const rows: Row[] = [];
  const queue = chosen.values();
  const workOff = async () => {
    for (const job of queue) rows.push(await runJob(job, join(folder, job.name)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workOff)).finally(() => rm(folder, { recursive: true }));
  return summary(rows, performance.now() - startedAt);
}

async function runJob({ name, configuration, planted }: Job, folder: string): Promise<Row> {
  const live = configuration.property === 'live';
  const formula = planted?.property ?? configuration.property;
  const macros = planted ? { ...configuration.bounds, [`FAULT_${name}`]: 1 } : configuration.bounds;
  const optimised = planted === null;
  // A model that does not compile prints nothing, which is read as a search that gave no result.
  const result = await search({ macros, formula, live, optimised }, folder, LIMIT_MS).catch(
    (error: unknown) => {
      process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
      return readPanOutput('');
    },
  );
  await rm(folder, { recursive: true, force: true });
  const failure = planted ? findingFailure(result, formula, live) : controlFailure(result, formula);
  process.stdout.write(`${lineOf({ name, configuration, planted }, formula, result, failure)}\n`);
  return { name, planted: planted !== null, states: result.states, failure };
}

function lineOf(job: Job, formula: string, result: PanResult, failure: string | null): string {
  const { states, transitions, depth, seconds, memoryMb } = result;
  const good = job.planted ? 'found' : 'passed';
  const verdict = failure === null ? good : `FAILED: ${failure}`;
  const subject = job.planted
    ? `fault ${job.name} in ${job.configuration.name}`
    : `configuration ${job.name}`;
  const figures = `${states} states, ${transitions} transitions, depth ${depth}, ${seconds} s, ${memoryMb} MB`;
  return `${subject}: ${formula}: ${verdict}: ${figures}`;
}

function summary(rows: readonly Row[], wallMs: number): number {
  const controls = rows.filter(({ planted }) => !planted);
  const faults = rows.filter(({ planted }) => planted);
  const failed = rows.filter(({ failure }) => failure !== null).map(({ name }) => name);
  const uncovered = uncoveredPairs(CONFIGURATIONS.filter(({ property }) => property === 'safe'));
  const total = {
    configurations: controls.length,
    states: controls.reduce((sum, { states }) => sum + states, 0),
    faults: faults.length,
    found: faults.filter(({ failure }) => failure === null).length,
    failed,
    uncovered_pairs: uncovered,
    wall_ms: Math.round(wallMs),
  };
  process.stdout.write(`${JSON.stringify(total)}\n`);
  return failed.length === 0 && uncovered.length === 0 ? 0 : 1;
}

function list(chosen: readonly Job[]): number {
  for (const { name, configuration, planted } of chosen) {
    const words = planted
      ? `${planted.property} in ${configuration.name}: ${planted.rule}`
      : configuration.property;
    process.stdout.write(`${name}  ${words}\n`);
  }
  return 0;
}

process.exitCode = await main();
