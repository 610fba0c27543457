import { join } from 'node:path';
import { playRaces, type Races } from './race.ts';

/** Races of one pair of agents; the next pair has new databases. */
const RACES_EACH = 100;

export interface RacesOptions {
  readonly from: number;
  readonly races: number;
  /** A folder for the databases, on a fast disk. */
  readonly root: string;
  readonly say?: (line: string) => void;
}

/** The last line of a run, field by field. */
export interface RaceFigure {
  readonly races: number;
  readonly run_twice: number;
  readonly run_once: number;
  /** Claimed by one whose claim was never answered, or who died then: nobody ran it, and nobody may. */
  readonly run_by_nobody: number;
  /** Races in which the service said no to a claim, or gave its first answer again. */
  readonly contested: number;
  readonly wall_ms: number;
  /** Seeds in which something was run twice, or a rule of the service's watch was broken. */
  readonly failures: readonly number[];
}

/** Plays so many races of two agents that serve one device with one key. */
export async function raceFigure({ from, races, root, say }: RacesOptions): Promise<RaceFigure> {
  const startedAt = performance.now();
  const nights: Races[] = [];
  const failures: number[] = [];
  for (let left = races; left > 0; left -= RACES_EACH) {
    const seed = from + nights.length;
    const night = await playRaces({
      seed,
      races: Math.min(left, RACES_EACH),
      folder: join(root, `race-${seed}`),
    });
    nights.push(night);
    for (const what of [...night.twice.map((id) => `${id} was charged twice`), ...night.accusations])
      say?.(`seed ${seed}: ${what}`);
    if (night.twice.length > 0 || night.accusations.length > 0) failures.push(seed);
  }
  const sum = (count: (night: Races) => number) => nights.reduce((total, night) => total + count(night), 0);
  return {
    races: sum((night) => night.races),
    run_twice: sum((night) => night.twice.length),
    run_once: sum((night) => night.once),
    run_by_nobody: sum((night) => night.nobody),
    contested: sum((night) => night.contested),
    wall_ms: Math.round(performance.now() - startedAt),
    failures,
  };
}
