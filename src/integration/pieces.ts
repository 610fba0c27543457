import type { PageStyle, SyncWindow } from './connector.ts';
import { holdsStill, newScan } from './scan.ts';
import type { Progress } from './stream.ts';

type Piece = Pick<Progress, 'window' | 'bounds' | 'firstScan' | 'widthMs' | 'scan'>;

/** A leg at its beginning: read in one piece, until that turns out to be too much. */
export function whole(bounds: SyncWindow, scan: number): Piece {
  return { window: bounds, bounds, firstScan: scan, widthMs: null, scan: newScan(scan) };
}

/** What the times of a page say of the window behind it; null: they say nothing. */
export interface Spread {
  readonly oldest: number;
  readonly middle: number;
  /** Its rows come newest first. */
  readonly falls: boolean;
}

/** How much more than a page spans is tried, where the beginning of a window is not known. */
const REACH = 8;

/**
 * A shorter window, where the first page of one shows that it does not fit on a page: what fits is one moment, and nothing can move in it.
 * Null where nothing can be gained: the list holds still by itself, the source does not heed the upper bound, or all is one millisecond.
 */
export function cut(
  progress: Progress,
  style: PageStyle,
  page: { readonly next: string | null; readonly spread: Spread | null; readonly present: number },
  scan: number,
): Progress | null {
  const { window, scan: read } = progress;
  if (page.next === null || page.spread === null || read.pages !== 1 || read.pass !== 1 || holdsStill(style))
    return null;
  const least = window.from ?? Number.NEGATIVE_INFINITY;
  if (window.to - 1 < least) return null;
  const to = Math.max(Math.min(aimOf(page.spread, window, page.present), window.to - 1), least);
  return { ...progress, window: { ...window, to }, widthMs: widthOf(window.from, to), scan: newScan(scan) };
}

/** A list that begins with the oldest shows where half a page ends; one that begins with the newest says little of the rest: halve the time. */
function aimOf({ oldest, middle, falls }: Spread, { from, to }: SyncWindow, present: number): number {
  if (!falls) return middle;
  const end = present > (from ?? oldest) ? Math.min(to, present) : to;
  const least = from ?? oldest - REACH * (end - oldest);
  return least + Math.floor((end - least) / 2);
}

/** The rest of the leg in one piece: the source does not heed the upper bound. Null: it is read so already. */
export function uncut(progress: Progress, scan: number): Progress | null {
  const { window, bounds } = progress;
  if (window.to >= bounds.to) return null;
  return { ...progress, window: { from: window.from, to: bounds.to }, scan: newScan(scan) };
}

/** What comes after a window that was read to its end; null: the leg is complete. Beyond the present there is hardly anything: one piece. */
export function nextPiece(progress: Progress, scan: number, present: number): Progress | null {
  const { window, bounds, widthMs, scan: read } = progress;
  if (window.to >= bounds.to) return null;
  const from = window.to + 1;
  const grown = Math.max(widthMs ?? 0, widthOf(window.from, window.to) ?? 0) * (read.pages === 1 ? 2 : 1);
  const isLast = grown === 0 || from + grown >= present;
  const to = isLast ? bounds.to : Math.min(bounds.to, from + grown);
  return { ...progress, window: { from, to }, widthMs: grown, scan: newScan(scan) };
}

/** 0: its beginning is not known. */
function widthOf(from: number | null, to: number): number {
  return from === null ? 0 : to - from;
}
