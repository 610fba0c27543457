import type { PageStyle, SyncWindow } from '../connector.ts';
import type { Progress } from './stream.ts';
import { holdsStill, newScan } from './window-scan.ts';

type Piece = Pick<Progress, 'window' | 'bounds' | 'aim' | 'firstScan' | 'widthMs' | 'scan'>;

/** The start of a leg: read as one window, until its first page shows that it must be cut. */
export function whole(bounds: SyncWindow, scan: number): Piece {
  return { window: bounds, bounds, aim: null, firstScan: scan, widthMs: null, scan: newScan(scan) };
}

/** What the times of a page say of the rest of the window; null: nothing. */
export interface Spread {
  readonly middle: number;
  /** Its rows come newest first. */
  readonly falls: boolean;
}

/** A page as a cut needs it. */
export interface CutFacts {
  readonly next: string | null;
  readonly isNextUnsure?: boolean | undefined;
  readonly spread: Spread | null;
  readonly present: number;
}

/**
 * A shorter window, where its pages show that it does not fit on one: one page is one moment, and no row moves in it. The first page decides; where
 * the source does not say whether there is more, the second one does, and the first one is kept as `aim`.
 * Null where a cut gains nothing: everything is read, the list does not move, or all rows are in one millisecond.
 */
export function cut(progress: Progress, style: PageStyle, page: CutFacts, scan: number): Progress | null {
  const { window, scan: read, aim = null } = progress;
  const { from } = window;
  if (from === null || page.spread === null || page.next === null || holdsStill(style)) return null;
  if (read.pass !== 1 || window.to - 1 < from) return null;
  if (read.pages === 2 && aim !== null) return cutAt(progress, from, aim, scan);
  if (read.pages !== 1) return null;
  const to = Math.max(Math.min(aimOf(page.spread, window.to, from, page.present), window.to - 1), from);
  return page.isNextUnsure ? { ...progress, aim: to } : cutAt(progress, from, to, scan);
}

function cutAt(progress: Progress, from: number, to: number, scan: number): Progress {
  return { ...progress, window: { from, to }, aim: null, widthMs: to - from, scan: newScan(scan) };
}

/** A list with the oldest first shows where half a page ends; a list with the newest first says little of the rest, so the time is halved. */
function aimOf({ middle, falls }: Spread, to: number, from: number, present: number): number {
  if (!falls) return middle;
  const end = present > from ? Math.min(to, present) : to;
  return from + Math.floor((end - from) / 2);
}

/** The rest of the leg as one window: the source ignores the upper bound. Null: it is read so already. */
export function uncut(progress: Progress, scan: number): Progress | null {
  const { window, bounds } = progress;
  if (window.to >= bounds.to) return null;
  return { ...progress, window: { from: window.from, to: bounds.to }, aim: null, scan: newScan(scan) };
}

/** The window after a completely read one; null: the leg is complete. Few rows are newer than now: the rest is one window. */
export function nextPiece(progress: Progress, scan: number, present: number): Progress | null {
  const { window, bounds, aim = null, widthMs, scan: read } = progress;
  if (window.to >= bounds.to) return null;
  const from = window.to + 1;
  const width = window.from === null ? 0 : window.to - window.from;
  const fits = read.pages === 1 || aim !== null;
  const grown = Math.max(widthMs ?? 0, width) * (fits ? 2 : 1);
  const isLast = grown === 0 || from + grown >= present;
  const to = isLast ? bounds.to : Math.min(bounds.to, from + grown);
  return { ...progress, window: { from, to }, aim: null, widthMs: grown, scan: newScan(scan) };
}
