/** Upper bounds of the histogram's steps, ms; the last step also counts what is later. */
const STEPS_MS = [
  0, 1_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_200_000, 1_800_000, 2_700_000,
  3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
] as const;
const QUANTILE = 0.999;
/** Old measurements lose weight: beyond this number all counts are halved. */
const MOST_SAMPLES = 20_000;
/** The overlap of a source without measured lateness, ms. */
export const LEAST_OVERLAP_MS = 600_000;
export const MOST_OVERLAP_MS = 86_400_000;

/** A histogram of lateness: one count per step, missing ones are 0. */
export type Lateness = readonly number[];

/** Counts rows, each by how long after its own `updatedAt` it was still not visible; 0: in time. */
export function measured(lateness: Lateness, samplesMs: readonly number[]): Lateness {
  if (samplesMs.length === 0) return lateness;
  const counts = STEPS_MS.map((_, step) => lateness[step] ?? 0);
  for (const ms of samplesMs) {
    const step = stepOf(ms);
    counts[step] = (counts[step] ?? 0) + 1;
  }
  return total(counts) > MOST_SAMPLES ? counts.map((count) => Math.ceil(count / 2)) : counts;
}

/** The lateness that only one row in a thousand exceeds, ms; null while tilld has no measurement. */
export function p999(lateness: Lateness): number | null {
  const wanted = total(lateness) * QUANTILE;
  if (wanted === 0) return null;
  let seen = 0;
  for (const [step, ms] of STEPS_MS.entries()) {
    seen += lateness[step] ?? 0;
    if (seen >= wanted) return ms;
  }
  return MOST_OVERLAP_MS;
}

/** How far a window reaches below the cursor: ten minutes, or the measured lateness if that is more. */
export function overlapMs(lateness: Lateness): number {
  return Math.min(Math.max(p999(lateness) ?? 0, LEAST_OVERLAP_MS), MOST_OVERLAP_MS);
}

function stepOf(ms: number): number {
  const step = STEPS_MS.findIndex((most) => ms <= most);
  return step < 0 ? STEPS_MS.length - 1 : step;
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
