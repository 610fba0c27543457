/** Share of a stream's rows; above it a person must approve. */
const MOST_DELETED = 0.05;

/** How many rows are to be deleted, of how many that readers see. */
export interface Losses {
  readonly leaving: number;
  readonly rows: number;
}

/** Whether a run may delete so many rows by itself. */
export function mayDelete({ leaving, rows }: Losses): boolean {
  return leaving <= Math.floor(rows * MOST_DELETED);
}

/** Decides whether a new generation may replace the old one. */
export interface Comparison {
  /** Rows that readers see now. */
  readonly before: number;
  /** Of those: not in the new generation. */
  readonly missing: number;
  /** With how many missing rows a person has approved the swap. */
  readonly approved: number;
}

/** Whether a new generation is plausible: it lacks few of the old rows. */
export function isPlausible({ before, missing, approved }: Comparison): boolean {
  return missing <= approved || mayDelete({ leaving: missing, rows: before });
}
