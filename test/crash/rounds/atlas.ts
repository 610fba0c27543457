import type { CommitKill } from './kill-order.ts';
import type { LinkKind } from './protocols.ts';
import type { LifeResult } from './round.ts';
import { MOST_NAMES, type SeedDeps } from './seed.ts';

/** A commit of a first life, and how often it came there. */
interface Seen {
  readonly name: string;
  readonly times: number;
}

/** A commit of a life that recovers, and what the life before it died after. */
export interface Recovering extends Seen {
  readonly after: string;
}

/** A point at which every run must kill at least once: a name, before and after, over each link. */
export interface Point {
  readonly scope: 'scenario' | 'recovery';
  readonly name: string;
  readonly when: CommitKill['when'];
  readonly link: LinkKind;
}

/** What was learned of the commits by playing the scenarios: the names are found out, not listed. */
export class Atlas {
  readonly #firstLives = new Map<string, Map<string, number>>();
  readonly #recoveries = new Map<string, Map<string, Recovering>>();

  /** Takes in the lives of a round that was played to learn. `after`: the commit after which the first was killed. */
  learn(scenario: number, link: LinkKind, after: string | null, lives: readonly LifeResult[]): void {
    const [first, second] = lives;
    if (after === null) this.#learnFirst(scenario, link, first?.commits ?? []);
    else if (first?.atCommit?.name === after)
      this.#learnRecovery(scenario, link, after, second?.commits ?? []);
  }

  /** Names of the first life of a scenario over a link, in the order that seeds count them. */
  commits(scenario: number, link: LinkKind): readonly Seen[] {
    const names = this.#firstLives.get(keyOf(scenario, link)) ?? new Map<string, number>();
    return [...names].map(([name, times]) => ({ name, times })).sort(byName);
  }

  recoveries(scenario: number, link: LinkKind): readonly Recovering[] {
    const known = this.#recoveries.get(keyOf(scenario, link)) ?? new Map<string, Recovering>();
    return [...known.values()].sort((a, b) => compare(a.after, b.after) || byName(a, b));
  }

  /** Every point that was seen, with the seeds (without their variants) that lead to it. */
  points(
    protocol: string,
    scenarios: number,
    links: readonly LinkKind[],
  ): ReadonlyMap<string, readonly SeedDeps[]> {
    const found = new Map<string, SeedDeps[]>();
    const add = (point: Point, parts: Omit<SeedDeps, 'protocol' | 'variant' | 'link' | 'when'>) => {
      const { link, when } = point;
      const key = pointText(point);
      found.set(key, [...(found.get(key) ?? []), { ...parts, protocol, link, when, variant: 1 }]);
    };
    for (let scenario = 0; scenario < scenarios; scenario += 1) {
      for (const link of links) {
        for (const when of ['before', 'after'] as const) {
          for (const [index, { name }] of this.commits(scenario, link).slice(0, MOST_NAMES).entries())
            add({ scope: 'scenario', name, when, link }, { kind: 'commit', scenario, index });
          for (const [index, { name }] of this.recoveries(scenario, link).slice(0, MOST_NAMES).entries())
            add({ scope: 'recovery', name, when, link }, { kind: 'recovery', scenario, index });
        }
      }
    }
    return found;
  }

  #learnFirst(scenario: number, link: LinkKind, commits: readonly string[]): void {
    const key = keyOf(scenario, link);
    const known = this.#firstLives.get(key) ?? new Map<string, number>();
    for (const [name, times] of counted(commits)) known.set(name, Math.max(times, known.get(name) ?? 0));
    this.#firstLives.set(key, known);
  }

  #learnRecovery(scenario: number, link: LinkKind, after: string, commits: readonly string[]): void {
    const key = keyOf(scenario, link);
    const known = this.#recoveries.get(key) ?? new Map<string, Recovering>();
    for (const [name, times] of counted(commits)) known.set(`${after} ${name}`, { after, name, times });
    this.#recoveries.set(key, known);
  }
}

/** `recovery: sale evidence charged, after, serial`. */
export function pointText({ scope, name, when, link }: Point): string {
  return `${scope === 'recovery' ? 'recovery: ' : ''}${name}, ${when}, ${link}`;
}

function counted(names: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return times;
}

function keyOf(scenario: number, link: LinkKind): string {
  return `${scenario} ${link}`;
}

function byName(a: Seen, b: Seen): number {
  return compare(a.name, b.name);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
