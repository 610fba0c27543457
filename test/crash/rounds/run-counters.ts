import { pointText } from './atlas.ts';
import { CRIMES, type Crime } from './judge.ts';
import type { RoundResult } from './round.ts';

/** Counts over rounds. */
interface Figures extends Readonly<Record<Crime, number>> {
  readonly rounds: number;
  readonly attempts: number;
  readonly charges: number;
  readonly crashes: number;
  readonly kills_at_commits: number;
  readonly kills_in_recovery: number;
  readonly person_needed: number;
  readonly in_doubt: number;
  readonly in_doubt_resolved: number;
  readonly corrections: number;
  /** How often it was killed at each named commit; `recovery: ` where a life before had been killed already. */
  readonly points: Readonly<Record<string, number>>;
  /** Points that were seen and at which no daemon was killed. */
  readonly uncovered: readonly string[];
  /** Seeds. */
  readonly failures: readonly number[];
  readonly wall_ms: number;
}

/** The figures of one protocol. */
interface ProtocolFigures extends Figures {
  /** Scenarios that none of its terminals can be asked for. */
  readonly left_out: readonly string[];
}

/** The last line of a run: the sums over its protocols, and the figures of each. */
export interface Summary extends Figures {
  readonly mode: 'rounds';
  /** How many scenarios were left out, over all protocols. */
  readonly left_out: number;
  readonly protocols: Readonly<Record<string, ProtocolFigures>>;
}

/** The rounds that were played with one protocol. */
export interface ProtocolRun {
  readonly protocol: string;
  readonly counters: RunCounters;
  readonly uncovered: readonly string[];
  readonly leftOut: readonly string[];
  readonly wallMs: number;
}

export function summaryOf(runs: readonly ProtocolRun[]): Summary {
  const all = new RunCounters();
  for (const result of runs.flatMap(({ counters }) => counters.results)) all.add(result);
  const uncovered = runs.flatMap((run) => run.uncovered.map((point) => `${run.protocol}: ${point}`));
  const wallMs = runs.reduce((sum, run) => sum + run.wallMs, 0);
  return {
    mode: 'rounds',
    ...all.figures(uncovered, wallMs),
    left_out: runs.reduce((sum, { leftOut }) => sum + leftOut.length, 0),
    protocols: Object.fromEntries(runs.map((run) => [run.protocol, figuresOf(run)])),
  };
}

function figuresOf({ counters, uncovered, leftOut, wallMs }: ProtocolRun): ProtocolFigures {
  return { ...counters.figures(uncovered, wallMs), left_out: leftOut };
}

/** Counts what rounds came to. */
export class RunCounters {
  readonly #results: RoundResult[] = [];
  readonly #hits = new Map<string, number>();
  readonly #names = new Map<string, number>();

  add(result: RoundResult): void {
    this.#results.push(result);
    for (const [index, { atCommit }] of result.lives.entries()) {
      if (!atCommit) continue;
      const scope = index === 0 ? 'scenario' : 'recovery';
      const { link } = result.plan.traits;
      count(this.#hits, pointText({ ...atCommit, scope, link }));
      count(this.#names, `${scope === 'recovery' ? 'recovery: ' : ''}${atCommit.name}`);
    }
  }

  get rounds(): number {
    return this.#results.length;
  }

  /** How often a point was hit, see `pointText`. */
  hits(point: string): number {
    return this.#hits.get(point) ?? 0;
  }

  get results(): readonly RoundResult[] {
    return this.#results;
  }

  figures(uncovered: readonly string[], wallMs: number): Figures {
    const results = this.#results;
    const lives = results.flatMap((result) => result.lives);
    const sum = (numberOf: (result: RoundResult) => number) =>
      results.reduce((total, result) => total + numberOf(result), 0);
    const crimes = CRIMES.map((crime) => [
      crime,
      sum(({ accusations }) => accusations.filter((one) => one.crime === crime).length),
    ]);
    return {
      rounds: results.length,
      attempts: sum(({ attempts }) => attempts),
      charges: sum(({ charges }) => charges),
      crashes: lives.length,
      kills_at_commits: lives.filter(({ atCommit }) => atCommit !== null).length,
      kills_in_recovery: sum((result) => result.lives.slice(1).filter(({ wasBusy }) => wasBusy).length),
      ...(Object.fromEntries(crimes) as Record<Crime, number>),
      person_needed: sum(({ personNeeded }) => personNeeded),
      in_doubt: sum(({ inDoubt }) => inDoubt),
      in_doubt_resolved: sum(({ inDoubtResolved }) => inDoubtResolved),
      corrections: sum(({ corrections }) => corrections),
      points: Object.fromEntries([...this.#names].sort(([a], [b]) => (a < b ? -1 : 1))),
      uncovered,
      failures: results.filter(({ accusations }) => accusations.length > 0).map(({ plan }) => plan.seed),
      wall_ms: Math.round(wallMs),
    };
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
