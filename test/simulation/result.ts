import { z } from 'zod';
import { CRIMES, type Crime } from './crimes.ts';

const Accusations = z.array(z.strictObject({ crime: z.enum(CRIMES), text: z.string(), atMs: z.number() }));

/** What one history came to; it travels from a worker to the crew. */
export const Result = z.strictObject({
  seed: z.int(),
  attempts: z.int(),
  charges: z.int(),
  crashes: z.int(),
  faults: z.int(),
  person_needed: z.int(),
  in_doubt_all: z.int(),
  in_doubt: z.int(),
  in_doubt_resolved_60s: z.int(),
  /** Of those: somebody was at the keys of the terminal while the outcome was not known. */
  in_doubt_by_hand: z.int(),
  in_doubt_by_hand_resolved_60s: z.int(),
  /** Of those: this life of the books never sent it, its memory was lost. */
  in_doubt_unsent: z.int(),
  in_doubt_unsent_resolved_60s: z.int(),
  /** Of those: the terminal had nothing stored before it. */
  in_doubt_fresh: z.int(),
  in_doubt_fresh_resolved_60s: z.int(),
  refunds: z.int(),
  voids: z.int(),
  corrections: z.int(),
  tasks: z.int(),
  settlements: z.int(),
  accusations: Accusations,
});
export type Result = z.infer<typeof Result>;

const SUMS = [
  'attempts',
  'charges',
  'crashes',
  'faults',
  'person_needed',
  'in_doubt_all',
  'in_doubt',
  'in_doubt_resolved_60s',
  'in_doubt_by_hand',
  'in_doubt_by_hand_resolved_60s',
  'in_doubt_unsent',
  'in_doubt_unsent_resolved_60s',
  'in_doubt_fresh',
  'in_doubt_fresh_resolved_60s',
  'refunds',
  'voids',
  'corrections',
  'tasks',
  'settlements',
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
    in_doubt_by_hand: sum('in_doubt_by_hand'),
    in_doubt_by_hand_resolved_60s: sum('in_doubt_by_hand_resolved_60s'),
    in_doubt_unsent: sum('in_doubt_unsent'),
    in_doubt_unsent_resolved_60s: sum('in_doubt_unsent_resolved_60s'),
    in_doubt_fresh: sum('in_doubt_fresh'),
    in_doubt_fresh_resolved_60s: sum('in_doubt_fresh_resolved_60s'),
    refunds: sum('refunds'),
    voids: sum('voids'),
    corrections: sum('corrections'),
    tasks: sum('tasks'),
    settlements: sum('settlements'),
    failures: results.filter(({ accusations }) => accusations.length > 0).map(({ seed }) => seed),
    wall_ms: Math.round(wallMs),
  };
}
