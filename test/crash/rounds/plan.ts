import { Random } from '../../simulation/random.ts';
import type { Atlas } from './atlas.ts';
import type { CommitKill } from './kill-order.ts';
import { drawTraits, SCENARIOS } from './scenarios.ts';
import { partsOf, type SeedDeps, seedOf } from './seed.ts';
import type { Traits } from './world.ts';

/** When a life of the daemon ends. */
export type Kill =
  | { readonly at: 'commit'; readonly order: CommitKill }
  /** `ms` after the process was started, or after it could sell and the scenario began. */
  | { readonly at: 'time'; readonly from: 'spawn' | 'scenario'; readonly ms: number }
  /** When it has nothing more to do. */
  | { readonly at: 'rest' };

/** Everything that is decided about a round before it begins. */
export interface Plan {
  readonly seed: number;
  /** What chance of the scenario is drawn from; not the seed, where a scenario is to be played as it was learned. */
  readonly chance: number;
  readonly scenario: string;
  readonly traits: Traits;
  /** One for each life that is killed; the first is that of the scenario, the others recover. One more life comes to rest. */
  readonly kills: readonly Kill[];
  /** How long the shop is without a daemon, before each new life; ms. */
  readonly darkMs: readonly number[];
  /** The till asks again while the daemon still finds out how its last life ended. */
  readonly isImpatient: boolean;
  /** Somebody types a sale at the terminal itself while there is no daemon. */
  readonly typesByHand: boolean;
}

/**
 * The plan of a seed. Names of commits come from what was learned of its scenario over its link.
 * @throws Error when nothing was learned of them.
 */
export function planOf(seed: number, atlas: Atlas): Plan {
  const parts = partsOf(seed);
  const scenario = SCENARIOS[parts.scenario % SCENARIOS.length];
  if (!scenario) throw new Error('there are no scenarios');
  const chance = learnedAs(parts, atlas) ?? seed;
  const random = new Random(chance, 'plan');
  const traits = drawTraits(random, parts, scenario);
  const isImpatient = random.chance(0.5);
  // What is to be learned, or to be hit, is not to be disturbed.
  const typesByHand = parts.kind === 'time' && random.chance(0.25);
  const own = new Random(seed, 'kills');
  const kills = killsOf(parts, atlas, own);
  const darkMs = [0, ...kills.map(() => (own.chance(0.5) ? 0 : own.time(10, 1500)))];
  return { seed, chance, scenario: scenario.name, traits, kills, darkMs, isImpatient, typesByHand };
}

/** The seed of the round from which its commits were learned: there the one that is to be hit has come. */
function learnedAs({ protocol, kind, scenario, link, index }: SeedDeps, atlas: Atlas): number | null {
  const place = scenario % SCENARIOS.length;
  if (kind === 'commit') return recordingSeed({ protocol, scenario: place, link, index: 0 });
  if (kind !== 'recovery') return null;
  const { after } = known(atlas.recoveries(place, link), index);
  const recorded = 1 + (SCENARIOS[place]?.leavesOpen.indexOf(after) ?? 0);
  return recordingSeed({ protocol, scenario: place, link, index: recorded });
}

/** The seed of the round that is played to learn. `index` 0: to the end of its scenario; else killed after what is left open there. */
export function recordingSeed(of: Pick<SeedDeps, 'protocol' | 'scenario' | 'link' | 'index'>): number {
  return seedOf({ ...of, kind: 'record', when: 'before', variant: 1 });
}

function killsOf(deps: SeedDeps, atlas: Atlas, random: Random): readonly Kill[] {
  const { kind, link, when, index } = deps;
  const scenario = deps.scenario % SCENARIOS.length;
  switch (kind) {
    case 'commit': {
      const { name, times } = known(atlas.commits(scenario, link), index);
      const occurrence = random.chance(0.6) ? 1 : random.int(1, times);
      return [atCommit(name, when, occurrence), ...again(random, 0.35)];
    }
    case 'recovery': {
      const { after, name } = known(atlas.recoveries(scenario, link), index);
      return [atCommit(after, 'after', 1), atCommit(name, when, 1), ...again(random, 0.2)];
    }
    case 'time':
      return [anyTime(random), ...again(random, 0.5)];
    case 'record': {
      const after = recordedAfter(deps);
      return after === null ? [{ at: 'rest' }] : [atCommit(after, 'after', 1), { at: 'rest' }];
    }
  }
}

/** What a round that is played to learn is killed after; null: it plays its scenario to the end. */
export function recordedAfter({ scenario, index }: Pick<SeedDeps, 'scenario' | 'index'>): string | null {
  return SCENARIOS[scenario % SCENARIOS.length]?.leavesOpen[index - 1] ?? null;
}

/** A shop has as many tellers of its own commits as it takes: an index beyond them begins anew. */
function known<T>(seen: readonly T[], index: number): T {
  const one = seen[index % Math.max(1, seen.length)];
  if (one === undefined) throw new Error('nothing was learned of the commits of this scenario');
  return one;
}

function atCommit(name: string, when: CommitKill['when'], occurrence: number): Kill {
  return { at: 'commit', order: { name, when, occurrence } };
}

/** Most often while it works; now and then while it starts for the first time. */
function anyTime(random: Random): Kill {
  if (random.chance(0.2)) return { at: 'time', from: 'spawn', ms: random.int(50, 1500) };
  return { at: 'time', from: 'scenario', ms: random.int(5, 4000) };
}

/** Killed once or twice more, while it finds out what became of the first time. */
function again(random: Random, probability: number): readonly Kill[] {
  if (!random.chance(probability)) return [];
  const kill = (): Kill => ({ at: 'time', from: 'spawn', ms: random.time(150, 4000) });
  return random.chance(0.3) ? [kill(), kill()] : [kill()];
}

/** A kill in words, for the report of a failure. */
function killText(kill: Kill): string {
  switch (kill.at) {
    case 'commit':
      return `${kill.order.when} commit "${kill.order.name}" (${kill.order.occurrence}.)`;
    case 'time':
      return `${kill.ms} ms after ${kill.from === 'spawn' ? 'it was started' : 'the scenario began'}`;
    case 'rest':
      return 'at rest';
  }
}

/** A plan in one line. */
export function planText({ seed, scenario, traits, kills }: Plan): string {
  const { protocol, link, missingAcknowledgement } = traits;
  const acknowledgement = `unacknowledged approvals: ${missingAcknowledgement}`;
  return `seed ${seed}: "${scenario}", ${protocol} over ${link}, ${acknowledgement}; killed ${kills.map(killText).join(', then ')}`;
}
