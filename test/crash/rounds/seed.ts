import type { CommitKill } from './kill-order.ts';
import { LINKS, type LinkKind, PROTOCOLS } from './protocols.ts';

/**
 * What a round is about. `commit`: killed at a named commit. `recovery`: killed, and killed again at a named commit while that is found out.
 * `time`: killed at any moment. `record`: killed where a life leaves something open, so that the names of what follows are learned.
 */
export const KINDS = ['commit', 'recovery', 'time', 'record'] as const;
export type RoundKind = (typeof KINDS)[number];

const WHENS = ['before', 'after'] as const;
/** Places in the number for protocols, scenarios and names: more may come without changing what the others say. */
const MOST_PROTOCOLS = 8;
export const MOST_SCENARIOS = 16;
export const MOST_NAMES = 128;

/** A seed taken apart: what it says in its digits, and the rest, which is chance. */
export interface SeedDeps {
  /** The driver's name. */
  readonly protocol: string;
  readonly kind: RoundKind;
  readonly link: LinkKind;
  readonly when: CommitKill['when'];
  /** The how many-th scenario. */
  readonly scenario: number;
  /** The how many-th of the names that were learned of that scenario over that link. */
  readonly index: number;
  readonly variant: number;
}

/** One number for everything: a seed replays the plan of its round by itself. */
export function seedOf({ protocol, kind, link, when, scenario, index, variant }: SeedDeps): number {
  const digits: readonly (readonly [number, number])[] = [
    [variant, 0],
    [index, MOST_NAMES],
    [scenario, MOST_SCENARIOS],
    [WHENS.indexOf(when), WHENS.length],
    [LINKS.indexOf(link), LINKS.length],
    [KINDS.indexOf(kind), KINDS.length],
    [PROTOCOLS.indexOf(protocol), MOST_PROTOCOLS],
  ];
  return digits.reduce((number, [digit, base]) => number * base + digit, 0);
}

export function partsOf(seed: number): SeedDeps {
  let rest = seed;
  const take = (base: number) => {
    const digit = rest % base;
    rest = Math.floor(rest / base);
    return digit;
  };
  return {
    protocol: PROTOCOLS[take(MOST_PROTOCOLS) % PROTOCOLS.length] ?? 'zvt',
    kind: KINDS[take(KINDS.length)] ?? 'time',
    link: LINKS[take(LINKS.length)] ?? 'tcp',
    when: WHENS[take(WHENS.length)] ?? 'before',
    scenario: take(MOST_SCENARIOS),
    index: take(MOST_NAMES),
    variant: rest,
  };
}
