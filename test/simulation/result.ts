import type { Accusation, Crime } from './crimes.ts';

/** What one history came to. */
export interface Result {
  readonly seed: number;
  readonly attempts: number;
  readonly charges: number;
  readonly crashes: number;
  readonly faults: number;
  readonly person_needed: number;
  readonly in_doubt_all: number;
  readonly in_doubt: number;
  readonly in_doubt_resolved_60s: number;
  readonly accusations: readonly Accusation[];
  /** Findings that `crimes.ts` lists. */
  readonly known: readonly Accusation[];
}

const SUMS = [
  'attempts',
  'charges',
  'crashes',
  'faults',
  'person_needed',
  'in_doubt_all',
  'in_doubt',
  'in_doubt_resolved_60s',
] as const;

/** The last line of `npm run simulate`, field by field as commands.md has it. */
export function summary(results: readonly Result[], wallMs: number) {
  const sum = (field: (typeof SUMS)[number]) => results.reduce((total, result) => total + result[field], 0);
  const crimes = (crime: Crime) =>
    results.reduce(
      (total, { accusations }) => total + accusations.filter((one) => one.crime === crime).length,
      0,
    );
  return {
    seeds: results.length,
    attempts: sum('attempts'),
    charges: sum('charges'),
    crashes: sum('crashes'),
    faults: sum('faults'),
    double_charges: crimes('double_charges'),
    lost_outcomes: crimes('lost_outcomes'),
    wrong_amounts: crimes('wrong_amounts'),
    unreported: crimes('unreported'),
    overlaps: crimes('overlaps'),
    stuck: crimes('stuck'),
    person_needed: sum('person_needed'),
    in_doubt_all: sum('in_doubt_all'),
    in_doubt: sum('in_doubt'),
    in_doubt_resolved_60s: sum('in_doubt_resolved_60s'),
    failures: results.filter(({ accusations }) => accusations.length > 0).map(({ seed }) => seed),
    wall_ms: Math.round(wallMs),
  };
}
