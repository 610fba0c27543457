import type { Mutant } from './list.ts';
import { type Finding, playSeeds } from './simulation-run.ts';

/** Seeds of one run after another: few first, because most mutants show at once; 2,000 in all. */
export const BATCHES = [10, 40, 150, 400, 700, 700] as const;

export type Hunted =
  | { readonly kind: 'found'; readonly finding: Finding }
  | { readonly kind: 'missed'; readonly seeds: number }
  | { readonly kind: 'broken'; readonly why: string };

/** Plays seeds from 1 on until the judge finds the mutant. `workers`: how many processes a run may have now. */
export async function hunt(mutant: Mutant, workers: () => number): Promise<Hunted> {
  const { scenario } = mutant;
  const how = scenario === undefined ? {} : { scenario };
  let from = 1;
  for (const count of BATCHES) {
    const verdict = await playSeeds(mutant, { from, count, workers: workers(), ...how });
    if (verdict.kind !== 'clean') return verdict;
    from += count;
  }
  return { kind: 'missed', seeds: from - 1 };
}
