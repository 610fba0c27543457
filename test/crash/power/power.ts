import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fastFolder } from '../../simulation/fast-folder.ts';
import { buildRecorder, NO_COMPILER } from '../record/build.ts';
import { CONTROLS, type Control, playWith, SYNCHRONOUS_NORMAL } from './controls.ts';
import { playCuts, type Shift } from './crew.ts';
import { CRIMES, type Crime } from './crimes.ts';
import { boundariesOf } from './expectation.ts';
import { keepImage } from './keep.ts';
import { playScenario, type RecordedScenario, recordingOf } from './recorded.ts';
import { SCENARIOS } from './scenarios.ts';
import type { Failure, Report } from './worker.ts';

/** What `npm run crash -- --power` is asked for. */
export interface PowerOptions {
  /** Power cuts at each boundary; default 10. */
  readonly seeds?: number;
  /** Instead: about so many images in all, spread over the boundaries. */
  readonly images?: number;
  readonly workers?: number;
  /** One scenario only. */
  readonly workload?: string;
  /** `normal`: with a bug in the product that must be found. */
  readonly sync?: 'full' | 'normal';
  /** `WORKLOAD:BOUNDARY:SEED`: keeps this one image to be looked at. */
  readonly replay?: string;
}

const SEEDS = 10;
const CONTROL_IMAGES = 1500;
/** Failures that are named in the last line; all are counted. */
const MOST_NAMED = 50;

/** Plays power cuts and prints one JSON line at the end; gives 1 when a rule was broken or a control found nothing, 2 where nothing can be played. */
export async function runPower(options: PowerOptions): Promise<number> {
  const root = fastFolder();
  const startedAt = performance.now();
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    const recorder = buildRecorder(root.path);
    if (recorder === null) {
      process.stderr.write(`${NO_COMPILER}\n`);
      return 2;
    }
    const scenarios = SCENARIOS.filter(({ name }) => (options.workload ?? name) === name);
    if (options.replay !== undefined) return await keepImage(options.replay, root.path, recorder);
    const played = scenarios.map(({ name }) => play(name, options.sync ?? 'full', root.path, recorder));
    const shift = shiftOf(played, options, root.path, stop.signal);
    const found = await playCuts({ ...shift, onPiece: sayProgress });
    sayFailures(found.failures);
    const controls = options.sync === 'normal' ? [] : await playControls(root.path, recorder, stop.signal);
    return report(shift, found, controls, performance.now() - startedAt);
  } catch (error) {
    if (stop.signal.aborted) return INTERRUPTED;
    throw error;
  } finally {
    root.remove();
  }
}

const INTERRUPTED = 130;

/** A line for every tenth of the work. */
function sayProgress(done: number, of: number): void {
  if (Math.floor((10 * done) / of) > Math.floor((10 * (done - 1)) / of))
    process.stderr.write(`${Math.floor((100 * done) / of)} % of the boundaries\n`);
}

type Played = RecordedScenario & { readonly boundaries: readonly number[] };

function play(name: string, sync: 'full' | 'normal', root: string, recorder: string): Played {
  const scenario =
    sync === 'full' ? playScenario(name, root, recorder) : playWith(SYNCHRONOUS_NORMAL, name, root, recorder);
  return withBoundaries(scenario);
}

function withBoundaries(scenario: RecordedScenario): Played {
  const count = boundariesOf(recordingOf(scenario)).length;
  return { ...scenario, boundaries: Array.from({ length: count }, (_, index) => index + 1) };
}

/** As many seeds as were asked for; or so many, at boundaries evenly spread, that about `images` come out. */
function shiftOf(
  scenarios: readonly Played[],
  { seeds, images, workers = availableParallelism() }: PowerOptions,
  root: string,
  signal: AbortSignal,
): Shift {
  const rest = { workers, root, signal };
  if (images === undefined) return { scenarios, seeds: seeds ?? SEEDS, ...rest };
  const all = scenarios.reduce((sum, { boundaries }) => sum + boundaries.length, 0);
  const each = seeds ?? Math.max(4, Math.ceil(images / all));
  const step = Math.max(1, (all * each) / images);
  const spread = (boundaries: readonly number[]) =>
    boundaries.filter((_, index) => Math.floor((index + 1) / step) > Math.floor(index / step));
  return {
    scenarios: scenarios.map((scenario) => ({ ...scenario, boundaries: spread(scenario.boundaries) })),
    seeds: each,
    ...rest,
  };
}

interface ControlResult {
  readonly name: string;
  readonly images: number;
  /** Images that showed what this bug must show. */
  readonly found: number;
}

async function playControls(
  root: string,
  recorder: string,
  signal: AbortSignal,
): Promise<readonly ControlResult[]> {
  const results: ControlResult[] = [];
  for (const control of CONTROLS) results.push(await playControl(control, root, recorder, signal));
  return results;
}

/** Plays one bug that must be found. */
export async function playControl(
  control: Control,
  root: string,
  recorder: string,
  signal: AbortSignal,
  images = CONTROL_IMAGES,
): Promise<ControlResult> {
  const folder = join(root, control.name);
  mkdirSync(folder, { recursive: true });
  const scenario = withBoundaries(playWith(control, control.scenario, folder, recorder));
  const report = await playCuts(shiftOf([scenario], { images, seeds: 8 }, folder, signal));
  const found = report.failures.filter(({ accusations }) =>
    accusations.some(({ crime }) => crime === control.finds),
  );
  process.stderr.write(
    `control ${control.name}: ${control.finds} in ${found.length} of ${report.images} images\n`,
  );
  return { name: control.name, images: report.images, found: found.length };
}

function report(
  { scenarios }: Shift,
  { images, revived, failures }: Report,
  controls: readonly ControlResult[],
  wallMs: number,
): number {
  const boundaries = scenarios.reduce((sum, scenario) => sum + scenario.boundaries.length, 0);
  const total = {
    mode: 'power',
    images,
    revived,
    boundaries,
    workloads: scenarios.length,
    ...countedByCrime(failures),
    failures: failures
      .slice(0, MOST_NAMED)
      .map(({ workload, boundary, seed }) => ({ workload, boundary, seed })),
    failed: failures.length,
    control: Object.fromEntries(controls.map(({ name, images: of, found }) => [name, { images: of, found }])),
    wall_ms: Math.round(wallMs),
  };
  process.stdout.write(`${JSON.stringify(total)}\n`);
  return failures.length === 0 && controls.every(({ found }) => found > 0) ? 0 : 1;
}

/** In how many images each crime was seen. */
function countedByCrime(failures: readonly Failure[]): Readonly<Record<Crime, number>> {
  const count = (crime: Crime) =>
    failures.filter(({ accusations }) => accusations.some((one) => one.crime === crime)).length;
  return Object.fromEntries(CRIMES.map((crime) => [crime, count(crime)])) as Record<Crime, number>;
}

/** Each way in which a rule is broken once, with the first place that shows it. */
function sayFailures(failures: readonly Failure[]): void {
  const ways = new Map<string, { readonly line: string; count: number }>();
  for (const { workload, boundary, seed, accusations } of failures) {
    for (const { crime, text } of accusations) {
      const way = `${workload} ${crime} ${text.replace(/[0-9a-f-]{36}|\d+/g, '#')}`;
      const known = ways.get(way) ?? { line: `${workload}:${boundary}:${seed} ${crime}: ${text}`, count: 0 };
      known.count += 1;
      ways.set(way, known);
    }
  }
  for (const { line, count } of ways.values()) process.stderr.write(`${line} (${count} images)\n`);
  const [first] = failures;
  if (first)
    process.stderr.write(
      `look at it with: --power --replay ${first.workload}:${first.boundary}:${first.seed}\n`,
    );
}
