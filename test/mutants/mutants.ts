import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Hunted, hunt } from './hunt.ts';
import { type Mutant, MUTANTS as PAYMENT_MUTANTS } from './list.ts';
import { playSeeds, printSeed, SYNC } from './simulation-run.ts';
import { SYNC_MUTANTS } from './sync-list.ts';

const USAGE = 'mutants [NAME…] | --list | NAME --trace SEED';
const CONTROL_SEEDS = 100;
const MUTANTS = [...PAYMENT_MUTANTS, ...SYNC_MUTANTS];

interface Row {
  readonly mutant: Mutant;
  readonly hunted: Hunted;
}

/** Plants every bug in turn and lets the simulation look for it; 1 when one is not found, 2 for a wrong call. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { list: { type: 'boolean', default: false }, trace: { type: 'string' } },
    allowPositionals: true,
  });
  const chosen =
    positionals.length === 0 ? MUTANTS : MUTANTS.filter(({ name }) => positionals.includes(name));
  const unknown = positionals.filter((name) => !MUTANTS.some((mutant) => mutant.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`${USAGE}\nno such mutant: ${unknown.join(', ')}\n`);
    return 2;
  }
  if (values.list) return list(chosen);
  const [only] = chosen;
  if (values.trace !== undefined) {
    const seed = Number(values.trace);
    if (only && chosen.length === 1 && Number.isSafeInteger(seed) && seed > 0)
      return printSeed(only, seed, only.scenario);
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  return huntAll(chosen);
}

async function huntAll(chosen: readonly Mutant[]): Promise<number> {
  const startedAt = performance.now();
  const cores = availableParallelism();
  let running = 0;
  const workers = () => Math.max(1, Math.floor(cores / Math.max(1, running)));
  const queue = chosen.values();
  const rows: Row[] = [];
  const workOff = async () => {
    for (const mutant of queue) {
      const hunted = await hunt(mutant, workers);
      rows.push({ mutant, hunted });
      process.stderr.write(`${lineOf({ mutant, hunted })}\n`);
    }
  };
  const lane = async (work: () => Promise<void>) => {
    running += 1;
    await work();
    running -= 1;
  };
  let control: string | null = null;
  const first = async () => {
    control = await controlFailure(chosen, workers());
    await workOff();
  };
  await Promise.all(Array.from({ length: cores }, (_, index) => lane(index === 0 ? first : workOff)));
  process.stderr.write(
    `\n${tableOf(rows)}\n${control ?? `control: ${CONTROL_SEEDS} seeds without a bug pass`}\n`,
  );
  const names = (kind: Hunted['kind']) =>
    rows.filter(({ hunted }) => hunted.kind === kind).map(({ mutant }) => mutant.name);
  const total = {
    mutants: rows.length,
    found: names('found').length,
    missed: names('missed'),
    broken: names('broken'),
    control: control === null ? 'passed' : 'failed',
    wall_ms: Math.round(performance.now() - startedAt),
  };
  process.stdout.write(`${JSON.stringify(total)}\n`);
  return control === null && total.found === rows.length ? 0 : 1;
}

/** The tree as it is must pass the same seeds, or a finding says nothing. @returns what was wrong, null when all is well. */
async function controlFailure(chosen: readonly Mutant[], workers: number): Promise<string | null> {
  const seeds = { from: 1, count: CONTROL_SEEDS, workers };
  const ofSync = chosen.some(({ scenario }) => scenario === SYNC)
    ? await sayOf({ ...seeds, scenario: SYNC })
    : null;
  const isOther = chosen.some(({ scenario }) => scenario !== SYNC);
  return ofSync ?? (isOther ? await sayOf(seeds) : null);
}

async function sayOf(seeds: Parameters<typeof playSeeds>[1]): Promise<string | null> {
  const verdict = await playSeeds(null, seeds);
  if (verdict.kind === 'clean') return null;
  if (verdict.kind === 'broken') return `control: FAILED, ${verdict.why}`;
  const { seed, crime, sentence } = verdict.finding;
  return `control: FAILED without any bug at seed ${seed}: ${crime}: ${sentence}`;
}

function list(mutants: readonly Mutant[]): number {
  for (const { name, file, rule } of mutants) process.stdout.write(`${name}  ${file}\n    ${rule}\n`);
  return 0;
}

function tableOf(rows: readonly Row[]): string {
  return [...rows]
    .sort((a, b) => MUTANTS.indexOf(a.mutant) - MUTANTS.indexOf(b.mutant))
    .map((row) => `${lineOf(row)}\n    breaks: ${row.mutant.rule}`)
    .join('\n');
}

function lineOf({ mutant, hunted }: Row): string {
  switch (hunted.kind) {
    case 'found': {
      const { seed, crime, sentence } = hunted.finding;
      return `${mutant.name}: found by seed ${seed}: ${crime}: ${sentence}`;
    }
    case 'missed':
      return `${mutant.name}: MISSED by ${hunted.seeds} seeds`;
    case 'broken':
      return `${mutant.name}: NO VERDICT, ${hunted.why}`;
  }
}

process.exitCode = await main();
