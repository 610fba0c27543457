import { parseArgs } from 'node:util';
import { PROTOCOLS } from './rounds/protocols.ts';

const USAGE = `crash --rounds N [--protocol ${[...PROTOCOLS, 'all'].join('|')}] [--workers N] [--seed S]
                                       the real process is killed, at random and at every commit point: N rounds of each protocol
crash --power [--seeds N | --images N] [--workload NAME] [--workers N] [--sync normal] [--replay WORKLOAD:BOUNDARY:SEED]
                                       the machine loses its power at every write boundary
crash --compare [--seed S]             job queues under the same power cuts
crash --salvage [--seeds N]            what is saved of a damaged database, and by what
`;

type Values = ReturnType<typeof valuesOf>;

/** Does what is asked for; each way prints one JSON line at the end. 2 for a wrong call. */
async function main(): Promise<number> {
  const values = asked();
  const run = values && modeOf(values);
  if (run) return run();
  process.stderr.write(USAGE);
  return 2;
}

function asked(): Values | null {
  try {
    return valuesOf();
  } catch {
    return null;
  }
}

function valuesOf() {
  return parseArgs({
    options: {
      rounds: { type: 'string' },
      protocol: { type: 'string', default: 'all' },
      power: { type: 'boolean', default: false },
      compare: { type: 'boolean', default: false },
      salvage: { type: 'boolean', default: false },
      seed: { type: 'string' },
      seeds: { type: 'string' },
      images: { type: 'string' },
      workload: { type: 'string' },
      workers: { type: 'string' },
      sync: { type: 'string' },
      replay: { type: 'string' },
    },
  }).values;
}

/** Exactly one way; null when its options make no sense. */
function modeOf(values: Values): (() => Promise<number>) | null {
  const { power, compare, salvage, sync, workload, replay, protocol } = values;
  const [rounds, seed, seeds, images, workers] = (
    ['rounds', 'seed', 'seeds', 'images', 'workers'] as const
  ).map((name) => countOf(values[name]));
  const isWrong = [rounds, seed, seeds, images, workers].includes(null);
  if (isWrong || [values.rounds !== undefined, power, compare, salvage].filter(Boolean).length !== 1)
    return null;
  if (power) {
    if (sync !== undefined && !isSync(sync)) return null;
    const options = given({ seeds, images, workers, workload, sync, replay });
    return async () => (await import('./power/power.ts')).runPower(options);
  }
  if (compare) return async () => (await import('./compare/compare.ts')).runCompare(given({ seed }));
  if (salvage) return async () => (await import('./salvage/salvage.ts')).runSalvage(given({ seeds }));
  const protocols = protocol === 'all' ? PROTOCOLS : PROTOCOLS.filter((one) => one === protocol);
  if (protocols.length === 0) return null;
  const options = { rounds: rounds ?? 1, protocols, ...given({ seed, workers }) };
  return async () => (await import('./rounds/rounds.ts')).runRounds(options);
}

function isSync(word: string): word is 'full' | 'normal' {
  return word === 'full' || word === 'normal';
}

/** A positive whole number; undefined when it was not given, null when it is none. */
function countOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0 ? count : null;
}

/** The options that were given. */
function given<T extends object>(options: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as { [Name in keyof T]?: NonNullable<T[Name]> };
}

process.exitCode = await main();
