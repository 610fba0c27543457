import type { ProcessMoment } from '../../base/process-moment.ts';
import type { ResourceManifest, SyncWindow } from '../connector.ts';
import { cut, nextPiece, type Spread, uncut, whole } from './chunks.ts';
import { advanced, lowerBound } from './cursor.ts';
import { higher, type ListPosition } from './list-position.ts';
import { overlapMs } from './source-lag.ts';
import type { Progress, RunKind, StreamState } from './stream.ts';
import { afterPage, isSettled, nextPass, type PageFacts } from './window-scan.ts';

const DAY_MS = 86_400_000;
const INVOICES = 'invoices';
/** An open window still has an end, for many sources require one: later than any change during its read. */
const OPEN_MS = 365 * DAY_MS;
/** How soon a second sweep decides on rows that the first one did not see. */
const RECHECK_MS = 30 * 60_000;

/** The facts that a new run is planned from. */
export interface PlanFacts {
  readonly manifest: ResourceManifest;
  readonly generation: number;
  readonly wantsFull: boolean;
  readonly lookbackDays: number | null;
  /** The lower bound of the first sync where the state does not know it any more. Absent: no first sync is known. */
  readonly keptHorizon?: number | null | undefined;
  readonly sweepEveryMs: number;
  /** A bad record of an earlier window is due: a second window reaches back to it. Undefined: none is due. */
  readonly reachBackTo?: number | null;
  /** By tilld's clock. */
  readonly now: number;
  /** The same moment by a clock that cannot be set; null: not known. */
  readonly begunIn: ProcessMoment | null;
}

/** The state with a run under way: the interrupted one, or a new one with a frozen upper bound. */
export function begun(state: StreamState, facts: PlanFacts): StreamState {
  const { progress } = state;
  if (progress && (progress.kind === 'full' || !facts.wantsFull)) return state;
  const kind = kindOf(state, facts);
  const horizon = horizonOf(state, facts, kind);
  const to = frozenBound(state, facts.now);
  const from = fromOf({ ...state, horizon }, kind);
  const scans = state.scans + 1;
  const generations = kind === 'full' ? state.generations + 1 : state.generations;
  const generation = kind === 'full' ? generations : facts.generation;
  const started: Progress = {
    kind,
    leg: 'scan',
    generation,
    begunScan: scans,
    ...whole({ from, to }, scans),
    ...reachOf(from, horizon, facts, kind),
    startedAt: facts.now,
    begunIn: facts.begunIn,
    ceiling: null,
    top: null,
  };
  const dropped = progress?.kind === 'sweep' ? uncounted(state) : {};
  return { ...state, ...dropped, horizon, scans, generations, progress: started };
}

/** The source's clock as tilld knows it; never below the cursor. */
function frozenBound(state: StreamState, now: number): number {
  return Math.max(now + state.clockOffsetMs, state.cursor?.at ?? 0);
}

function kindOf(state: StreamState, { manifest, wantsFull, sweepEveryMs, now }: PlanFacts): RunKind {
  if (wantsFull) return 'full';
  if (manifest.cursorField === null) return 'sweep';
  if (state.cursor === null || !isSwept(state, manifest)) return 'changes';
  const every = state.hasSuspects ? Math.min(RECHECK_MS, sweepEveryMs) : sweepEveryMs;
  return state.sweptAt !== null && now - state.sweptAt >= every ? 'sweep' : 'changes';
}

/** Whether only a reading of everything shows some of what has changed. */
function isSwept({ hasSuspects, hasTimeless }: StreamState, { deletes }: ResourceManifest): boolean {
  return deletes === 'scan' || hasSuspects || hasTimeless === true;
}

/** Only the first sync of invoices looks back a number of days (interface: `invoice-lookback`); a full resync reads everything. */
function horizonOf(state: StreamState, facts: PlanFacts, kind: RunKind): number | null {
  const { lookbackDays, manifest, now } = facts;
  if (kind === 'full' || !hasHorizon(manifest)) return null;
  if (state.horizon !== undefined) return state.horizon;
  if (facts.keptHorizon !== undefined) return facts.keptHorizon;
  return lookbackDays === null ? null : now + state.clockOffsetMs - lookbackDays * DAY_MS;
}

/** Whether the first sync of a resource may have a lower bound. */
export function hasHorizon({ name, cursorField }: ResourceManifest): boolean {
  return name === INVOICES && cursorField !== null;
}

function fromOf(state: StreamState, kind: RunKind): number | null {
  const horizon = state.horizon ?? null;
  if (kind !== 'changes' || state.cursor === null) return horizon;
  return Math.max(lowerBound(state.cursor, overlapMs(state.lateness)), horizon ?? Number.NEGATIVE_INFINITY);
}

/**
 * The window that reaches back to a bad record is separate from the window of the changes. Why: a source may show a part of a long list without
 * saying so, and a cursor that moved by such a list would never return to the rest.
 */
function reachOf(
  from: number | null,
  horizon: number | null,
  { reachBackTo }: PlanFacts,
  kind: RunKind,
): Pick<Progress, 'reach'> {
  if (kind !== 'changes' || reachBackTo === undefined || from === null) return {};
  const least = Math.max(reachBackTo ?? Number.NEGATIVE_INFINITY, horizon ?? Number.NEGATIVE_INFINITY);
  return least < from ? { reach: Number.isFinite(least) ? least : null } : {};
}

/** What a page adds to the state. */
export interface PageNews extends PageFacts {
  /** The highest place on the page that lies within the window. */
  readonly top: ListPosition | null;
  readonly isNextUnsure?: boolean | undefined;
  readonly sourceNow: number | null;
  /** Some of its rows have no time. */
  readonly hasTimeless: boolean;
  /** Some of its rows are newer than the requested upper bound. */
  readonly isBeyond: boolean;
  /** How its rows are spread in time; null: they have no times. */
  readonly spread: Spread | null;
  /** Marks of its newest rows, newest first. */
  readonly boundary: readonly string[];
  /** tilld's clock when the page had come. */
  readonly now: number;
}

export interface Step {
  readonly state: StreamState;
  /** The window was read to its end, and no row in it was missed. */
  readonly isWindowClosed: boolean;
}

/** The state after a page of the run under way. @throws SOURCE_MALFORMED for a list that repeats its pages or moves in every pass */
export function stepped(
  state: StreamState,
  progress: Progress,
  manifest: ResourceManifest,
  news: PageNews,
): Step {
  const { sourceNow, now } = news;
  const clockOffsetMs = sourceNow === null ? state.clockOffsetMs : sourceNow - now;
  const scan = afterPage(progress.scan, news);
  const present = now + clockOffsetMs;
  // The window of a tail is open: only the clock bounds the cursor there.
  const ceiling = progress.ceiling ?? sourceNow ?? (progress.leg === 'tail' ? present : null);
  const read = { ...progress, scan, ceiling, top: higher(progress.top, within(news.top, ceiling)) };
  const ignoresTo = state.ignoresTo || news.isBeyond;
  const timeless = state.hasTimeless || news.hasTimeless ? { hasTimeless: true } : {};
  const base = { ...state, clockOffsetMs, ignoresTo, ...timeless };
  const scans = state.scans + 1;
  const piece = ignoresTo ? uncut(read, scans) : cut(read, manifest.pageStyle, { ...news, present }, scans);
  if (piece) return { state: { ...base, scans, progress: piece }, isWindowClosed: false };
  if (news.next !== null) return { state: { ...base, progress: read }, isWindowClosed: false };
  if (isSettled(scan, manifest.pageStyle, hidesMoves(base, progress))) {
    const closed = { ...read, rows: (read.rows ?? 0) + scan.held.rows };
    const next = nextPiece(closed, scans, present);
    if (next) return { state: { ...base, scans, progress: next }, isWindowClosed: false };
    return { state: afterLeg(base, closed, manifest, news), isWindowClosed: true };
  }
  return {
    state: { ...base, scans, progress: { ...read, scan: nextPass(scan, scans) } },
    isWindowClosed: false,
  };
}

/** What a sweep or a full resync does not see counts as gone, and no tail shows a record without a time that has changed meanwhile. */
function hidesMoves({ hasTimeless }: StreamState, { kind, leg }: Progress): boolean {
  return hasTimeless === true && kind !== 'changes' && leg === 'scan';
}

/** A row cannot have changed later than the source's own clock. */
function within(top: ListPosition | null, ceiling: number | null): ListPosition | null {
  return top && ceiling !== null && top.at > ceiling ? { ...top, at: ceiling } : top;
}

function afterLeg(
  state: StreamState,
  read: Progress,
  manifest: ResourceManifest,
  news: PageNews,
): StreamState {
  if (read.leg === 'reach') return { ...state, progress: null };
  if (read.kind === 'changes')
    return reaching(completed(state, read, isOnePage(read) ? news.boundary : []), read);
  if (read.leg === 'tail' || manifest.cursorField === null)
    return { ...state, progress: { ...read, leg: 'settle' } };
  return withTail(state, read, tailWindow(state, read, news.now));
}

/** The whole leg came as one answer. */
function isOnePage({ scan, widthMs }: Progress): boolean {
  return scan.pages === 1 && scan.pass === 1 && widthMs === null;
}

/** The cursor has moved; the older window is read in the same run and moves nothing. */
function reaching(state: StreamState, { reach, ...read }: Progress): StreamState {
  if (reach === undefined || read.bounds.from === null) return state;
  const scans = state.scans + 1;
  const { firstScan } = read;
  const window = { from: reach, to: read.bounds.from };
  return { ...state, scans, progress: { ...read, leg: 'reach', ...whole(window, scans), firstScan } };
}

/**
 * The rows that may have moved during a scan: from below its upper bound, without an end. Why: a row that changes before its page is read moves up,
 * out of a window that ends; so does a row that is newer by the clock of the rows than by the clock of the answers.
 */
function tailWindow(state: StreamState, read: Progress, now: number): SyncWindow {
  const { to: end } = read.bounds;
  const at = Math.min(end, read.ceiling ?? end, read.top?.at ?? end);
  const from = lowerBound({ at }, overlapMs(state.lateness));
  const to = Math.max(frozenBound(state, now), end) + OPEN_MS;
  return { from: state.horizon ? Math.max(from, state.horizon) : from, to };
}

function withTail(state: StreamState, progress: Progress, window: SyncWindow): StreamState {
  const scans = state.scans + 1;
  return { ...state, scans, progress: { ...progress, leg: 'tail', ceiling: null, ...whole(window, scans) } };
}

/**
 * A full resync reads everything once more, into the same generation: two complete scans show what is gone.
 * @param lacked so many rows of before the first scan did not show
 */
export function readAgain(state: StreamState, progress: Progress, lacked: number, now: number): StreamState {
  const scans = state.scans + 1;
  const window = { from: null, to: frozenBound(state, now) };
  const second = {
    ...progress,
    leg: 'scan' as const,
    secondScan: scans,
    lacked,
    ceiling: null,
    ...whole(window, scans),
  };
  return { ...state, scans, progress: second };
}

/**
 * The run is over and its window complete: the cursor moves, never back. That of a sweep stays: its list may have been a part that the source showed
 * without saying so, and the next window of changes shows what changed since.
 */
export function completed(
  state: StreamState,
  progress: Progress,
  boundary: readonly string[] = [],
): StreamState {
  const { kind, bounds, ceiling, top, startedAt, rows = 0 } = progress;
  const isSwept = kind !== 'changes';
  const readTo = Math.min(bounds.to, ceiling ?? bounds.to);
  const begunBy = Math.max(bounds.to, ceiling ?? bounds.to);
  const window = { readTo, begunBy, rows, overlapMs: overlapMs(state.lateness) };
  return {
    ...state,
    ...(kind === 'sweep'
      ? {}
      : { cursor: advanced(state.cursor, top, boundary, isSwept ? null : window), readTo }),
    ...(isSwept ? { sweeps: state.sweeps + 1, countedSweep: state.sweeps + 1 } : {}),
    sweptAt: isSwept || state.sweptAt === null ? startedAt : state.sweptAt,
    progress: null,
  };
}

/** The last counted sweep: a row with a lower number was seen neither in it nor since. */
export function countedSweep({ countedSweep: counted, sweeps }: StreamState): number {
  return counted ?? sweeps;
}

/** After a sweep or full resync that proves nothing: the rows that it saw have its number, so no other one gets it. */
export function uncounted(state: StreamState): Pick<StreamState, 'sweeps' | 'countedSweep'> {
  return { sweeps: state.sweeps + 1, countedSweep: countedSweep(state) };
}

/** The sweep number of the rows that this run sees. */
export function sweepOf(state: StreamState, { kind }: Progress): number {
  return kind === 'changes' ? state.sweeps : state.sweeps + 1;
}
