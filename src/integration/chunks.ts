import type { PageStyle, SyncWindow } from './connector.ts';
import type { Progress } from './stream.ts';
import { holdsStill, newScan } from './window-scan.ts';

type Piece = Pick<Progress, 'window' | 'bounds' | 'firstScan' | 'widthMs' | 'scan'>;

/** The start of a leg: read as one window, until its first page shows that it must be cut. */
export function whole(bounds: SyncWindow, scan: number): Piece {
  return { window: bounds, bounds, firstScan: scan, widthMs: null, scan: newScan(scan) };
}

/** What the times of a page say of the rest of the window; null: nothing. */
export interface Spread {
  readonly oldest: number;
  readonly middle: number;
  /** Its rows come newest first. */
  readonly falls: boolean;
}

/** Where the beginning of a window is not known, this many times the span of a page is tried. */
const REACH = 8;

/**
 * A shorter window, where the first page shows that the window does not fit on a page: one page is one moment, and no row moves in it.
 * Null where a cut gains nothing: the list does not move, the source ignores the upper bound, or all rows are in one millisecond.
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

/** A list with the oldest first shows where half a page ends; a list with the newest first says little of the rest, so the time is halved. */
function aimOf({ oldest, middle, falls }: Spread, { from, to }: SyncWindow, present: number): number {
  if (!falls) return middle;
  const end = present > (from ?? oldest) ? Math.min(to, present) : to;
  const least = from ?? oldest - REACH * (end - oldest);
  return least + Math.floor((end - least) / 2);
}

/** The rest of the leg as one window: the source ignores the upper bound. Null: it is read so already. */
export function uncut(progress: Progress, scan: number): Progress | null {
  const { window, bounds } = progress;
  if (window.to >= bounds.to) return null;
  return { ...progress, window: { from: window.from, to: bounds.to }, scan: newScan(scan) };
}

/** The window after a completely read one; null: the leg is complete. Few rows are newer than now: the rest is one window. */
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
