import { AppError } from '../base/errors.ts';
import type { PageStyle } from './connector.ts';

/** What a pass over a window held: how many different rows, and the sum of their digests. */
export interface Sum {
  readonly rows: number;
  readonly sum: number;
  /** Rows that came more than once: the list moved under us. */
  readonly repeats: number;
}

/** A window that is read page by page, and again until it has held still. */
export interface Scan {
  /** Different for each pass; a row that carries it was seen in this pass. */
  readonly no: number;
  readonly token: string | null;
  /** Pages of this pass so far. */
  readonly pages: number;
  readonly held: Sum;
  /** Pages in a row that brought nothing new to this pass. */
  readonly idle: number;
  /** The sums of earlier passes over this window, the last one first; at most three. */
  readonly earlier: readonly Sum[];
  readonly pass: number;
  /** The scan of the first pass over this window. */
  readonly firstNo: number;
  /** Rows of this pass that no earlier pass had seen. */
  readonly found: number;
  /** Passes in a row that found nothing which earlier ones had not seen. */
  readonly barren: number;
}

/** What a page brought to a pass. */
export interface PageFacts {
  /** Digests of the records that this pass had not seen before. */
  readonly fresh: readonly string[];
  /** How many of those no earlier pass had seen either. */
  readonly found: number;
  readonly repeats: number;
  readonly next: string | null;
}

export const NOTHING: Sum = { rows: 0, sum: 0, repeats: 0 };
const MOST_PASSES = 12;
/** A list that always repeats rows proves itself by so many more equal passes. */
const ENOUGH_REPEATING = 2;
const ENOUGH_PASSES = 6;
const ENOUGH_BARREN = 3;
const MOST_IDLE_PAGES = 100;
/** Of a page token as JSON; the whole state has 4,096. */
const MOST_TOKEN_BYTES = 2_048;
/** Sums of twelve hexadecimal digits stay exact. */
const SUM_DIGITS = 12;
const SUM_RANGE = 2 ** 48;

export function newScan(no: number): Scan {
  return {
    no,
    token: null,
    pages: 0,
    held: NOTHING,
    idle: 0,
    earlier: [],
    pass: 1,
    firstNo: no,
    found: 0,
    barren: 0,
  };
}

/** @throws SOURCE_MALFORMED when the list goes in circles. */
export function afterPage(scan: Scan, { fresh, found, repeats, next }: PageFacts): Scan {
  const idle = fresh.length > 0 ? 0 : scan.idle + 1;
  if (next !== null) assertToken(scan, next, idle);
  const sum = fresh.reduce((total, digest) => (total + numberOf(digest)) % SUM_RANGE, scan.held.sum);
  const held = { rows: scan.held.rows + fresh.length, sum, repeats: scan.held.repeats + repeats };
  return { ...scan, token: next, pages: scan.pages + 1, held, idle, found: scan.found + found };
}

/**
 * Whether a pass that came to its end proves that nothing was missed.
 * One page is one moment, and a list with a cursor of the source's own does not shift. In any other a row that leaves the list moves all
 * rows behind it up by one, and the first of the next page is never shown. Such a row was read in this pass and is missing in the next:
 * two passes that hold the same rows prove that the first of them missed none. Rows that came twice tell of rows that came and went in
 * between; there four equal passes are asked for.
 * A list that never rests proves nothing; there many passes must have been read, of which the last ones found nothing more.
 */
export function isSettled(scan: Scan, style: PageStyle): boolean {
  const { pages, pass, held } = scan;
  const [last, ...rest] = scan.earlier;
  if (pages === 1 || holdsStill(style)) return true;
  if (pass >= ENOUGH_PASSES && barrenOf(scan) >= ENOUGH_BARREN) return true;
  if (!last || !isSame(last, held)) return false;
  return last.repeats === 0 || (rest.length >= ENOUGH_REPEATING && rest.every((sum) => isSame(sum, held)));
}

/** The next pass over the same window. */
export function nextPass(scan: Scan, no: number): Scan {
  return {
    ...newScan(no),
    pass: scan.pass + 1,
    earlier: [scan.held, ...scan.earlier].slice(0, 1 + ENOUGH_REPEATING),
    firstNo: scan.firstNo,
    barren: barrenOf(scan),
  };
}

/** From the first page again, for the source does not know the place any more where we stopped. */
export function restarted(scan: Scan, no: number): Scan {
  const { pass, earlier, firstNo, barren } = scan;
  return { ...newScan(no), pass, earlier, firstNo, barren };
}

/** Lists in which no row can move past the reader. */
export function holdsStill(style: PageStyle): boolean {
  return style === 'cursor' || style === 'whole';
}

/** A run gives up after so many passes over one window; the next one goes on. */
export function isRestless({ pass, pages }: Scan): boolean {
  return pages === 0 && pass > 1 && (pass - 1) % MOST_PASSES === 0;
}

function barrenOf({ pass, found, barren }: Scan): number {
  return pass > 1 && found === 0 ? barren + 1 : 0;
}

function assertToken(scan: Scan, next: string, idle: number): void {
  if (next === scan.token) throw malformed('the list names the same page as its next one');
  if (idle > MOST_IDLE_PAGES) throw malformed(`the list showed nothing new in ${idle} pages`);
  if (new TextEncoder().encode(JSON.stringify(next)).length > MOST_TOKEN_BYTES)
    throw malformed(`the name of the next page is longer than ${MOST_TOKEN_BYTES} bytes`);
}

function malformed(message: string): AppError {
  return new AppError('SOURCE_MALFORMED', message, { retry: 'safe' });
}

function isSame(one: Sum, other: Sum): boolean {
  return one.rows === other.rows && one.sum === other.sum;
}

function numberOf(digest: string): number {
  return Number.parseInt(digest.slice(0, SUM_DIGITS), 16);
}
