import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fastFolder } from '../../simulation/fast-folder.ts';
import { Scenario, type ScenarioResult } from './scenario.ts';

const USAGE = 'crash:sync --rounds N [--seed S] [--planted split-commit]';
/** Deaths of one stream before it is judged. */
const KILLS = 5;

/** Kills a process that syncs, so many times, and prints one JSON line at the end; 1 when a rule was broken, 2 for a wrong call. */
async function main(): Promise<number> {
  const options = optionsOf();
  if (!options) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const startedAt = performance.now();
  const results: ScenarioResult[] = [];
  const root = fastFolder();
  try {
    for (let left = options.rounds; left > 0; left -= KILLS) {
      const seed = options.seed + results.length;
      const folder = join(root.path, String(seed));
      const scenario = new Scenario({
        seed,
        folder,
        kills: Math.min(KILLS, left),
        splitsCommits: options.splits,
      });
      const result = await scenario.play();
      results.push(result);
      for (const failure of result.failures) process.stderr.write(`${failure}\n`);
    }
  } finally {
    root.remove();
  }
  const total = summed(options.rounds, results, performance.now() - startedAt);
  process.stdout.write(`${JSON.stringify(total)}\n`);
  return total.failures.length === 0 ? 0 : 1;
}

function optionsOf() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      planted: { type: 'string' },
    },
  });
  const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
  const isKnown = values.planted === undefined || values.planted === 'split-commit';
  if (!isKnown || ![rounds, seed].every((count) => Number.isSafeInteger(count) && count > 0)) return null;
  return { rounds, seed, splits: values.planted !== undefined };
}

function summed(rounds: number, results: readonly ScenarioResult[], wallMs: number) {
  const sum = (of: (result: ScenarioResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const most = (of: (result: ScenarioResult) => number) => Math.max(0, ...results.map(of));
  return {
    rounds,
    kills: sum(({ kills }) => kills),
    missed: sum(({ missed }) => missed),
    extra: sum(({ extra }) => extra),
    wrongly_deleted: sum(({ wronglyDeleted }) => wronglyDeleted),
    pages_repeated_max_per_kill: most(({ pagesRepeatedMost }) => pagesRepeatedMost),
    reader_lost: sum(({ readerLost }) => readerLost),
    state_bytes_max: most(({ stateBytesMost }) => stateBytesMost),
    streams: results.length,
    full_resyncs: sum(({ fulls }) => fulls),
    runs: sum(({ runs }) => runs),
    pages: sum(({ pages }) => pages),
    rows: sum(({ rows }) => rows),
    failures: results.flatMap(({ failures }) => failures),
    wall_ms: Math.round(wallMs),
  };
}

process.exitCode = await main();
