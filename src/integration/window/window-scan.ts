import { AppError } from '../../base/errors.ts';
import type { PageStyle } from '../connector.ts';

/** What a pass over a window saw. */
export interface Held {
  /** Different rows. */
  readonly rows: number;
  /** Records that are not stored: deleted before tilld knew them, or ignored. */
  readonly ghosts: number;
  /** Rows that came more than once: the list moved during the pass. */
  readonly repeats: number;
}

/** A window that is read page by page, and again until it did not move. */
export interface WindowScan {
  /** Different for each pass; a row with this number was seen in this pass. */
  readonly no: number;
  readonly token: string | null;
  /** Pages of this pass so far. */
  readonly pages: number;
  readonly held: Held;
  /** Pages in a row without a new record for this pass. */
  readonly idle: number;
  readonly pass: number;
  /** The scan of the first pass over this window, and of the pass before this one; what that one saw. */
  readonly firstNo: number;
  readonly lastNo: number;
  readonly last: Held | null;
  /** Rows of the pass before that are unchanged in this one. */
  readonly kept: number;
  /** Passes in a row in which no row of the one before was missing. */
  readonly agreeing: number;
  /** Rows of this pass that no earlier pass had seen. */
  readonly found: number;
  /** Passes in a row without a row that earlier ones had not seen. */
  readonly barren: number;
}

/** What a page adds to a pass. */
export interface PageFacts {
  /** Records that this pass had not seen before. */
  readonly fresh: number;
  /** Records that are not stored. */
  readonly ghosts: number;
  /** Of the fresh ones: seen in the pass before, and unchanged since. */
  readonly kept: number;
  /** Of the fresh ones: seen in no earlier pass. */
  readonly found: number;
  readonly repeats: number;
  readonly next: string | null;
}

const MOST_PASSES = 12;
/** A list that always repeats rows is complete after so many passes in a row that lacked no row of the one before. */
const ENOUGH_AGREEING = 3;
const ENOUGH_PASSES = 6;
const ENOUGH_BARREN = 3;
const MOST_IDLE_PAGES = 100;
/** Size limit of a page token as JSON; the limit of the whole state is 4,096. */
const MOST_TOKEN_BYTES = 2_048;

export function newScan(no: number): WindowScan {
  const read = {
    token: null,
    pages: 0,
    held: { rows: 0, ghosts: 0, repeats: 0 },
    idle: 0,
    kept: 0,
    found: 0,
  };
  return { ...read, no, pass: 1, firstNo: no, lastNo: no, last: null, agreeing: 0, barren: 0 };
}

/** @throws SOURCE_MALFORMED when the list repeats its pages. */
export function afterPage(
  scan: WindowScan,
  { fresh, ghosts, kept, found, repeats, next }: PageFacts,
): WindowScan {
  const idle = fresh + ghosts > 0 ? 0 : scan.idle + 1;
  if (next !== null) assertToken(scan, next, idle);
  const { held: before } = scan;
  const held = {
    rows: before.rows + fresh,
    ghosts: before.ghosts + ghosts,
    repeats: before.repeats + repeats,
  };
  const seen = { kept: scan.kept + kept, found: scan.found + found };
  return { ...scan, token: next, pages: scan.pages + 1, held, idle, ...seen };
}

/**
 * Whether a finished pass proves that no row was missed.
 * One page is one moment, and a list with the source's own cursor does not shift. In any other list, a row that leaves it moves all rows behind it up
 * by one, and the next page misses its first row. The row that left was read in that pass and is missing in the next: a pass that holds every row of
 * the one before proves that the one before missed none. Rows that came twice show that rows came and went in between; then several passes in a row
 * must lack no row. A list that moves in every pass proves nothing; then many passes are needed, of which the last ones found no new row.
 * @param hidesMoves a row may move past the source's own cursor without being in any later window: a change is seen in its time, and some rows have none
 */
export function isSettled(scan: WindowScan, style: PageStyle, hidesMoves = false): boolean {
  const { pages, pass, last } = scan;
  if (pages === 1 || (holdsStill(style) && !(hidesMoves && style === 'cursor'))) return true;
  if (pass >= ENOUGH_PASSES && barrenOf(scan) >= ENOUGH_BARREN) return true;
  return agreeingOf(scan) >= (last?.repeats === 0 ? 1 : ENOUGH_AGREEING);
}

/** The next pass over the same window. */
export function nextPass(scan: WindowScan, no: number): WindowScan {
  const { firstNo, held } = scan;
  const counts = { agreeing: agreeingOf(scan), barren: barrenOf(scan) };
  return { ...newScan(no), pass: scan.pass + 1, firstNo, lastNo: scan.no, last: held, ...counts };
}

/** From the first page again, because the source no longer knows the page token. */
export function restarted(scan: WindowScan, no: number): WindowScan {
  const { pass, firstNo, lastNo, last, agreeing, barren } = scan;
  return { ...newScan(no), pass, firstNo, lastNo, last, agreeing, barren };
}

/** Lists whose rows do not shift by one where another row leaves. */
export function holdsStill(style: PageStyle): boolean {
  return style === 'cursor' || style === 'whole';
}

/** A run gives up after so many passes over one window; the next run continues. */
export function isRestless({ pass, pages }: WindowScan): boolean {
  return pages === 0 && pass > 1 && (pass - 1) % MOST_PASSES === 0;
}

function agreeingOf({ last, kept, held, agreeing }: WindowScan): number {
  return last !== null && kept === last.rows && held.ghosts >= last.ghosts ? agreeing + 1 : 0;
}

function barrenOf({ pass, found, barren }: WindowScan): number {
  return pass > 1 && found === 0 ? barren + 1 : 0;
}

function assertToken(scan: WindowScan, next: string, idle: number): void {
  if (next === scan.token) throw malformed('the list names the same page as its next one');
  if (idle > MOST_IDLE_PAGES) throw malformed(`the list showed nothing new in ${idle} pages`);
  if (new TextEncoder().encode(JSON.stringify(next)).length > MOST_TOKEN_BYTES)
    throw malformed(`the name of the next page is longer than ${MOST_TOKEN_BYTES} bytes`);
}

function malformed(message: string): AppError {
  return new AppError('SOURCE_MALFORMED', message, { retry: 'safe' });
}
