/** Of a stream's rows; beyond it a person must look. */
const MOST_DELETED = 0.05;

/** Rows that are to go, of how many that are shown. */
export interface Losses {
  readonly leaving: number;
  readonly rows: number;
}

/** Whether a run may take so many rows away by itself. */
export function mayDelete({ leaving, rows }: Losses): boolean {
  return leaving <= Math.floor(rows * MOST_DELETED);
}

/** What decides whether a new generation may take the place of the old one. */
export interface Comparison {
  /** Rows that readers see now. */
  readonly before: number;
  /** Of those: not in the new generation. */
  readonly missing: number;
  /** With how many a person has let it swap. */
  readonly approved: number;
}

/** Whether a new generation is plausible: it lacks hardly anything that was there. */
export function isPlausible({ before, missing, approved }: Comparison): boolean {
  return missing <= approved || mayDelete({ leaving: missing, rows: before });
}
