import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isKnown } from './crimes.ts';
import { fastFolder } from './fast-folder.ts';
import { runHistory, SCENARIOS } from './history.ts';
import { type Result, summary } from './result.ts';

const USAGE = 'simulate --seeds N [--from S] | --seed S [--trace]   [--scenario NAME]';

/** Runs seeded histories and prints one JSON line at the end; 1 when a rule was broken, 2 for a wrong call. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '100' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      trace: { type: 'boolean', default: false },
      scenario: { type: 'string', default: 'day' },
    },
  });
  const scenario = SCENARIOS[values.scenario];
  const [count, from] =
    values.seed === undefined ? [values.seeds, values.from].map(Number) : [1, Number(values.seed)];
  if (!scenario || !isCount(count) || !isCount(from)) {
    process.stderr.write(`${USAGE}\nscenarios: ${Object.keys(SCENARIOS).join(', ')}\n`);
    return 2;
  }
  const print = values.trace ? { print: (line: string) => void process.stdout.write(`${line}\n`) } : {};
  const root = fastFolder();
  const results: Result[] = [];
  const startedAt = performance.now();
  try {
    for (let seed = from; seed < from + count; seed += 1) {
      const folder = join(root.path, String(seed));
      const { result } = await runHistory(scenario, { seed, folder, trace: values.trace, ...print });
      results.push(result);
      for (const { crime, text, atMs } of result.accusations)
        process.stderr.write(`seed ${seed} at ${(atMs / 1000).toFixed(3)} s: ${crime}: ${text}\n`);
    }
  } finally {
    root.remove();
  }
  sayKnown(results);
  const total = summary(results, performance.now() - startedAt);
  const perSecond = Math.round((total.attempts * 1000) / Math.max(1, total.wall_ms));
  process.stderr.write(`${perSecond} attempts per second\n`);
  if (total.failures.length > 0) process.stderr.write(`replay with: --seed ${total.failures[0]} --trace\n`);
  process.stdout.write(`${JSON.stringify(total)}\n`);
  return total.failures.length === 0 ? 0 : 1;
}

/** Findings that wait for their mending, each with the seeds that show it. */
function sayKnown(results: readonly Result[]): void {
  const seeds = new Map<string, Set<number>>();
  for (const { seed, known } of results) {
    for (const one of known) {
      const why = isKnown(one) ?? one.text;
      seeds.set(why, (seeds.get(why) ?? new Set()).add(seed));
    }
  }
  for (const [why, found] of seeds)
    process.stderr.write(`known, in ${found.size} seeds (${[...found].slice(0, 5)}): ${why}\n`);
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value > 0;
}

process.exitCode = await main();
