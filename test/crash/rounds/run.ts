import { join } from 'node:path';
import { openPty } from '../../../src/sandbox/terminal/pty.ts';
import { fastFolder } from '../../simulation/fast-folder.ts';
import { Random } from '../../simulation/random.ts';
import { Atlas } from './atlas.ts';
import { planOf, planText, recordedAfter, recordingSeed } from './plan.ts';
import { LINKS, type LinkKind, linksOf, PROTOCOLS } from './protocols.ts';
import { playRound, type RoundDeps, type RoundResult } from './round.ts';
import { type ProtocolRun, RunCounters, type Summary, summaryOf } from './run-counters.ts';
import { SCENARIOS, scenariosOf } from './scenarios.ts';
import { partsOf, type SeedDeps, seedOf } from './seed.ts';

export interface RoundsOptions {
  /** Of each protocol. */
  readonly rounds: number;
  /** Played one after the other; default: all. */
  readonly protocols?: readonly string[];
  /** Plays the plan of this seed only, `rounds` times. */
  readonly seed?: number;
  /** Rounds side by side; most of a round is waiting. */
  readonly workers?: number;
}

const WORKERS = 6;
/** From so many rounds on every scenario is played over every link, and every commit that was seen must be hit. */
const WHOLE = 300;
/** Of the rounds that are left, those that are killed at a named commit; the others at any moment. */
const NAMED = 0.8;
/** A point that was missed is tried again so often. */
const TRIES_AGAIN = 3;
/** Rounds between two lines of progress. */
const PRINT_EVERY = 50;

/** Plays rounds in a folder of their own, which is gone afterwards. A round that has begun ends when the signal aborts, no more begin. */
export async function playRounds(options: RoundsOptions, signal: AbortSignal): Promise<Summary> {
  const folder = fastFolder();
  try {
    const here = await linksHere();
    const runs: ProtocolRun[] = [];
    for (const protocol of protocolsOf(options)) {
      const links = linksOf(protocol, here);
      if (links.length === 0) process.stderr.write(`${protocol}: no rounds without a pseudo-terminal\n`);
      else runs.push(await playProtocol({ ...options, protocol, links, root: folder.path }, signal));
    }
    return summaryOf(runs);
  } finally {
    folder.remove();
  }
}

/** A seed says which protocol is its. */
function protocolsOf({ seed, protocols = PROTOCOLS }: RoundsOptions): readonly string[] {
  return seed === undefined ? protocols : [partsOf(seed).protocol];
}

async function playProtocol(options: RunOptions, signal: AbortSignal): Promise<ProtocolRun> {
  const { protocol, seed } = options;
  const startedAt = performance.now();
  const run = new Run(options, signal);
  const uncovered = await (seed === undefined ? run.everything() : run.replay(seed));
  return {
    protocol,
    uncovered,
    counters: run.counters,
    leftOut: run.leftOut,
    wallMs: performance.now() - startedAt,
  };
}

/** Serial lines need a pseudo-terminal. */
async function linksHere(): Promise<readonly LinkKind[]> {
  try {
    await (await openPty()).pipe.close();
    return LINKS;
  } catch (error) {
    process.stderr.write(`over TCP only: ${error instanceof Error ? error.message : error}\n`);
    return ['tcp'];
  }
}

interface RunOptions extends RoundsOptions {
  readonly protocol: string;
  readonly root: string;
  readonly links: readonly LinkKind[];
}

/** The rounds of one protocol. */
class Run {
  readonly counters = new RunCounters();
  readonly #options: RunOptions;
  readonly #atlas = new Atlas();
  readonly #signal: AbortSignal;
  readonly #deps: RoundDeps;
  /** Places in `SCENARIOS`. */
  readonly #scenarios: readonly number[];

  constructor(options: RunOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#scenarios = scenariosOf(options.protocol);
    this.#deps = { root: options.root, compileCache: join(options.root, 'compiled') };
  }

  /** Names of the scenarios that no terminal of this protocol can be asked for. */
  get leftOut(): readonly string[] {
    return SCENARIOS.filter((_, scenario) => !this.#scenarios.includes(scenario)).map(({ name }) => name);
  }

  /** Learns the commits, then kills at each of them and at any moment; gives the points that were missed. */
  async everything(): Promise<readonly string[]> {
    const { rounds } = this.#options;
    const isWhole = rounds >= WHOLE;
    await this.#learn(this.#recordings().slice(0, isWhole ? undefined : Math.ceil(rounds / 3)));
    const points = this.#atlas.points(this.#options.protocol, SCENARIOS.length, this.#options.links);
    const left = Math.max(0, rounds - this.counters.rounds);
    const named = shuffled([...points.values()], rounds).flatMap(([parts]) => (parts ? [seedOf(parts)] : []));
    const ordered = named.slice(0, Math.floor(left * NAMED));
    // Mixed, so that a run that is ended early has had both.
    await this.#play(shuffled([...ordered, ...this.#anyMoments(left - ordered.length)], rounds));
    return isWhole ? this.#again(points) : [];
  }

  /** Learns what this seed's plan needs to know, and plays it. */
  async replay(seed: number): Promise<readonly string[]> {
    const { scenario, link, kind } = partsOf(seed);
    const own = this.#recordings({ scenario: scenario % SCENARIOS.length, link });
    if (kind === 'commit' || kind === 'recovery') await this.#learn(own);
    const { rounds } = this.#options;
    const print = rounds === 1 ? { print: (line: string) => void process.stderr.write(`${line}\n`) } : {};
    await this.#play(
      Array.from({ length: rounds }, () => seed),
      print,
    );
    return [];
  }

  /** The rounds that are played to learn the names: each scenario over each link, to its end and left open. */
  #recordings(only: { readonly scenario?: number; readonly link?: LinkKind } = {}): readonly number[] {
    const { protocol, links } = this.#options;
    const scenarios = this.#scenarios.filter((scenario) => scenario === (only.scenario ?? scenario));
    return scenarios.flatMap((scenario) =>
      links
        .filter((link) => link === (only.link ?? link))
        .flatMap((link) =>
          [null, ...(SCENARIOS[scenario]?.leavesOpen ?? [])].map((_, index) =>
            recordingSeed({ protocol, scenario, link, index }),
          ),
        ),
    );
  }

  /** The first alone: it leaves compiled code for all the others. */
  async #learn([first, ...others]: readonly number[]): Promise<void> {
    if (first !== undefined) await this.#play([first]);
    await this.#play(others);
  }

  #anyMoments(count: number): readonly number[] {
    const { protocol, links } = this.#options;
    return Array.from({ length: Math.max(0, count) }, (_, number) =>
      seedOf({
        protocol,
        kind: 'time',
        link: links[number % links.length] ?? 'tcp',
        when: 'before',
        scenario: this.#scenarios[Math.floor(number / links.length) % this.#scenarios.length] ?? 0,
        index: 0,
        variant: number + 1,
      }),
    );
  }

  /** Tries what was missed with other chance, and in other scenarios. */
  async #again(points: ReadonlyMap<string, readonly SeedDeps[]>): Promise<readonly string[]> {
    const missed = () => [...points].filter(([point]) => this.counters.hits(point) === 0);
    for (let variant = 2; variant < 2 + TRIES_AGAIN && !this.#signal.aborted; variant += 1) {
      const seeds = missed().flatMap(([, ways]) => {
        const parts = ways[variant % ways.length];
        return parts ? [seedOf({ ...parts, variant })] : [];
      });
      await this.#play(seeds);
    }
    return missed().map(([point]) => point);
  }

  /** Plays seeds side by side. */
  async #play(seeds: readonly number[], more: Pick<RoundDeps, 'print'> = {}): Promise<void> {
    const waiting = [...seeds];
    const { workers = WORKERS } = this.#options;
    const work = async () => {
      for (let seed = waiting.shift(); seed !== undefined && !this.#signal.aborted; seed = waiting.shift())
        this.#took(await playRound(planOf(seed, this.#atlas), { ...this.#deps, ...more }));
    };
    await Promise.all(Array.from({ length: Math.min(workers, seeds.length) }, work));
  }

  #took(result: RoundResult): void {
    const { plan, lives, accusations } = result;
    const parts = partsOf(plan.seed);
    if (parts.kind === 'record') this.#atlas.learn(parts.scenario, parts.link, recordedAfter(parts), lives);
    this.counters.add(result);
    if (this.counters.rounds % PRINT_EVERY === 0)
      process.stderr.write(`${this.#options.protocol}: ${this.counters.rounds} rounds\n`);
    if (accusations.length === 0) return;
    process.stderr.write(`${planText(plan)}\n`);
    for (const { crime, text } of accusations) process.stderr.write(`  ${crime}: ${text}\n`);
  }
}

/** The same order for the same number of rounds. */
function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  const random = new Random(seed, 'order');
  return items
    .map((item) => ({ item, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
