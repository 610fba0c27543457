import type { ProcessMoment } from '../../base/process-moment.ts';
import type { SyncWindow } from '../connector.ts';
import type { Cursor } from './cursor.ts';
import type { ListPosition } from './list-position.ts';
import type { Lateness } from './source-lag.ts';
import type { WindowScan } from './window-scan.ts';

/** One resource of one integration, for example `provider_a/invoices`. */
export interface StreamKey {
  readonly integration: string;
  readonly resource: string;
}

export function nameOf({ integration, resource }: StreamKey): string {
  return `${integration}/${resource}`;
}

/**
 * The kind of a run. `changes`: what is new since the cursor. `sweep`: everything, because only that shows deletes, or because the source has no
 * filter for changes. `full`: everything, into a new generation beside the old one.
 */
export type RunKind = 'changes' | 'sweep' | 'full';

/**
 * The phase of a run. `scan`: its window is read. `tail`: what changed during a long scan, for a row may have moved past it.
 * `reach`: an older window, for a record of it that could not be read; the cursor has moved already, and this window moves nothing.
 * `settle`: all is read; deletes are applied, or the generations swapped.
 */
export type Leg = 'scan' | 'tail' | 'reach' | 'settle';

export const MOST_REASON = 200;

/** A run under way, as stored: a killed run continues here. */
export interface Progress {
  readonly kind: RunKind;
  readonly leg: Leg;
  /** The number of the second scan of a full resync, whose first one lacked rows; absent: there was none. */
  readonly secondScan?: number;
  /** So many rows the first of two scans lacked; absent: there was none. */
  readonly lacked?: number;
  /** The generation that is written. */
  readonly generation: number;
  /** The window that is read now: all of the leg, or a piece of it. */
  readonly window: SyncWindow;
  /** The first scan of the run; absent: that of the leg. */
  readonly begunScan?: number;
  /** Where the leg begins and ends, and its first scan. */
  readonly bounds: SyncWindow;
  readonly firstScan: number;
  /** The start of a window that is read after this one and ends where this one begins; null: from the beginning. Absent: there is none. */
  readonly reach?: number | null;
  /** The target length of a piece, ms; null: the leg is not cut into pieces. */
  readonly widthMs: number | null;
  /** Where the window is cut if its second page has rows, for the source did not say whether there is one; null or absent: not known. */
  readonly aim?: number | null;
  /** Different rows in the pieces that are complete; absent: 0. */
  readonly rows?: number;
  /** tilld's clock when the upper bound of the first leg was frozen. */
  readonly startedAt: number;
  /** The same moment by a clock that cannot be set; null or absent: not known. */
  readonly begunIn?: ProcessMoment | null;
  /** Why a list of this run is not all that the source has, cut to {@link MOST_REASON} characters; absent: it is, as far as the source says. */
  readonly cutOff?: string;
  /** The source's own clock at the first answer of this leg, which bounds the cursor, too; null: not known yet. */
  readonly ceiling: number | null;
  /** The highest place seen so far in this run. */
  readonly top: ListPosition | null;
  readonly scan: WindowScan;
}

/** The durable state of a stream beside its rows: at most 4 KiB of JSON, whatever the source sends. */
export interface StreamState {
  readonly cursor: Cursor | null;
  /** The lower bound of the first sync, kept for ever; null: from the beginning. Undefined before the first sync. */
  readonly horizon?: number | null;
  /** The upper bound of the last complete window, by the source's clock. */
  readonly readTo: number | null;
  readonly lateness: Lateness;
  /** By tilld's clock: the source wants no request before then; absent: it does not say. */
  readonly askAgainAt?: number;
  /** The source's clock minus tilld's at its last answer. */
  readonly clockOffsetMs: number;
  /** The number of the last sweep or full resync; no two have the same, for it says which of them saw a row. */
  readonly sweeps: number;
  /** The last one that was counted: it was complete, and its list plausible. Absent: the last one. */
  readonly countedSweep?: number;
  /** When the last complete one began by tilld's clock; before the first one: when the first run began. */
  readonly sweptAt: number | null;
  /** The last complete scan did not show rows that are kept: another scan decides soon. */
  readonly hasSuspects: boolean;
  /** The last judged sweep, where it lacked too many rows to prove anything; null: it did not. */
  readonly doubtedSweep: number | null;
  /** The source sent rows newer than the requested upper bound. */
  readonly ignoresTo: boolean;
  /** It has records without a time, which only a reading of everything shows; absent: none was seen. */
  readonly hasTimeless?: boolean;
  /** The number of the newest generation. */
  readonly generations: number;
  /** The number of the last scan; a row has the number of the scan that saw it last. */
  readonly scans: number;
  readonly progress: Progress | null;
}

export const NEW_STREAM: StreamState = {
  cursor: null,
  readTo: null,
  lateness: [],
  clockOffsetMs: 0,
  sweeps: 0,
  sweptAt: null,
  hasSuspects: false,
  doubtedSweep: null,
  ignoresTo: false,
  generations: 1,
  scans: 0,
  progress: null,
};
