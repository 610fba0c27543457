import type { PageStyle, SyncWindow } from './connector.ts';
import { holdsStill, newScan } from './scan.ts';
import type { Progress } from './stream.ts';

type Piece = Pick<Progress, 'window' | 'bounds' | 'firstScan' | 'widthMs' | 'scan'>;

/** A leg at its beginning: read in one piece, until that turns out to be too much. */
export function whole(bounds: SyncWindow, scan: number): Piece {
  return { window: bounds, bounds, firstScan: scan, widthMs: null, scan: newScan(scan) };
}

/** What the first page of a window says of its size. */
interface FirstPage {
  readonly next: string | null;
  readonly middle: number | null;
}

/**
 * A shorter window, where the first page of one shows that it does not fit on a page: what fits is one moment, and nothing can move in it.
 * Null where nothing can be gained: the list holds still by itself, the source does not heed the upper bound, or all is one millisecond.
 */
export function cut(progress: Progress, style: PageStyle, page: FirstPage, scan: number): Progress | null {
  const { window, scan: read } = progress;
  if (page.next === null || read.pages !== 1 || read.pass !== 1 || holdsStill(style)) return null;
  const { middle } = page;
  const least = window.from ?? Number.NEGATIVE_INFINITY;
  if (middle === null || window.to - 1 < least) return null;
  const to = Math.max(Math.min(middle, window.to - 1), least);
  return { ...progress, window: { ...window, to }, widthMs: widthOf(window.from, to), scan: newScan(scan) };
}

/** What comes after a window that was read to its end; null: the leg is complete. */
export function nextPiece(progress: Progress, scan: number): Progress | null {
  const { window, bounds, widthMs, scan: read } = progress;
  if (window.to >= bounds.to) return null;
  const from = window.to + 1;
  const grown = Math.max(widthMs ?? 0, widthOf(window.from, window.to) ?? 0) * (read.pages === 1 ? 2 : 1);
  const to = grown === 0 ? bounds.to : Math.min(bounds.to, from + grown);
  return { ...progress, window: { from, to }, widthMs: grown, scan: newScan(scan) };
}

/** 0: its beginning is not known. */
function widthOf(from: number | null, to: number): number {
  return from === null ? 0 : to - from;
}
