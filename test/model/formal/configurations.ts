/** Kinds of faults that the configurations combine. */
export const FAULT_KINDS = [
  'asked_again',
  'crash',
  'link_lost',
  'exchange',
  'auto_close',
  'restore',
  'clock_step',
  'wrong_person',
  'written_off',
  'lost_answer',
  'forgotten_key',
  'other_agent',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** The macro that bounds each kind in the model, and from which value on the kind can happen. */
const BOUND_OF: Readonly<Record<FaultKind, readonly [macro: string, from: number]>> = {
  asked_again: ['ASKS', 2],
  crash: ['CRASHES', 1],
  link_lost: ['LINKS', 1],
  exchange: ['EXCHANGES', 1],
  auto_close: ['CLOSES', 1],
  restore: ['RESTORES', 1],
  clock_step: ['JUMPS', 1],
  wrong_person: ['WRONGS', 1],
  written_off: ['OFFS', 1],
  lost_answer: ['LOSSES', 1],
  forgotten_key: ['FORGETS', 1],
  other_agent: ['OTHERS', 1],
};

/** One exhaustive search of the model without a planted fault. */
export interface Configuration {
  readonly name: string;
  /** `safe`: every safety property; `live`: every liveness property, under weak fairness. */
  readonly property: 'safe' | 'live';
  /** Macros of the model; what is not named is 0 (ASKS: 2, WORKS: 1). */
  readonly bounds: Readonly<Record<string, number>>;
}

/** The set whose union lets every two kinds of faults meet; each has two terminals and two sales. */
export const CONFIGURATIONS: readonly Configuration[] = [
  {
    name: 'restore',
    property: 'safe',
    bounds: { CRASHES: 2, EXCHANGES: 1, CLOSES: 1, RESTORES: 1 },
  },
  {
    name: 'service-restore',
    property: 'safe',
    bounds: { SERVICE: 1, ASKS: 1, CRASHES: 2, RESTORES: 1, LOSSES: 1, FORGETS: 1, OTHERS: 1 },
  },
  {
    name: 'counter',
    property: 'safe',
    bounds: { CRASHES: 2, LINKS: 1, EXCHANGES: 1, CLOSES: 1, JUMPS: 1, WRONGS: 1, OFFS: 1 },
  },
  {
    name: 'asked-at-once',
    property: 'safe',
    bounds: { ASKED_AT_ONCE: 1, CRASHES: 2, LINKS: 1, EXCHANGES: 1, CLOSES: 1, WRONGS: 1 },
  },
  {
    name: 'restore-people',
    property: 'safe',
    bounds: { CRASHES: 1, LINKS: 1, CLOSES: 1, RESTORES: 1, JUMPS: 1, WRONGS: 1, OFFS: 1 },
  },
  {
    name: 'service-counter',
    property: 'safe',
    bounds: { SERVICE: 1, CRASHES: 1, EXCHANGES: 1, CLOSES: 1, LOSSES: 1, FORGETS: 1, OTHERS: 1 },
  },
  {
    name: 'service-people',
    property: 'safe',
    bounds: {
      SERVICE: 1,
      CRASHES: 1,
      LINKS: 1,
      JUMPS: 1,
      WRONGS: 1,
      OFFS: 1,
      LOSSES: 1,
      FORGETS: 1,
      OTHERS: 1,
    },
  },
  {
    name: 'service-claim',
    property: 'safe',
    bounds: { SERVICE: 1, ASKS: 1, CRASHES: 1, LOSSES: 1, FORGETS: 1, OTHERS: 1 },
  },
  {
    name: 'live-counter',
    property: 'live',
    bounds: { CRASHES: 1, LINKS: 1, EXCHANGES: 1, CLOSES: 1, WRONGS: 1, OFFS: 1 },
  },
  {
    name: 'live-restore',
    property: 'live',
    bounds: { CRASHES: 1, LINKS: 1, RESTORES: 1, CLOSES: 1 },
  },
  {
    name: 'live-service',
    property: 'live',
    bounds: { SERVICE: 1, CRASHES: 1, LOSSES: 1, FORGETS: 1, OTHERS: 1 },
  },
];

/** The kinds of faults that can happen in a configuration. */
export function kindsOf({ bounds }: Configuration): readonly FaultKind[] {
  return FAULT_KINDS.filter((kind) => {
    const [macro, from] = BOUND_OF[kind];
    return (bounds[macro] ?? (macro === 'ASKS' ? 2 : 0)) >= from;
  });
}

/** Pairs of kinds that no configuration lets meet, as `kind+kind`. */
export function uncoveredPairs(configurations: readonly Configuration[]): readonly string[] {
  const met = new Set(configurations.flatMap((configuration) => pairsOf(kindsOf(configuration))));
  return pairsOf(FAULT_KINDS).filter((pair) => !met.has(pair));
}

/** Every two kinds, in the order of the list. */
export function pairsOf(kinds: readonly FaultKind[]): readonly string[] {
  return kinds.flatMap((kind, index) => kinds.slice(index + 1).map((other) => `${kind}+${other}`));
}
