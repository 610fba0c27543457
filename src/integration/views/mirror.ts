import type { ProcessMoment } from '../../base/process-moment.ts';
import type { JsonObject } from '../connector.ts';
import type { StreamKey } from '../window/stream.ts';

/** A row that readers see. */
export interface MirrorRow {
  readonly id: string;
  readonly updatedAt: number | null;
  readonly body: JsonObject;
}

/** Where a page begins: behind so many rows, or beside the row with this id. */
export type MirrorPlace =
  | { readonly offset: number }
  | { readonly after: string }
  | { readonly before: string };

/** A field by which a list is ordered; rows without it come last. */
export interface MirrorOrder {
  readonly field: string;
  readonly descending: boolean;
}

export interface MirrorQuery {
  /** Any text: rows must have a word that begins with each of its words, whatever case and accents. */
  readonly search?: string;
  /** Fields that must have exactly this value, for example `status: open`. */
  readonly where?: Readonly<Record<string, string>>;
  /** Rows of this customer alone. */
  readonly customerId?: string;
  /** Absent: in the order in which tilld first read the rows, which no change moves. Only small lists have an order of their own, read by `offset`. */
  readonly order?: MirrorOrder;
  readonly place: MirrorPlace;
  readonly limit: number;
  /** `offset` and `total` of the page are wanted. */
  readonly isCounted?: boolean;
}

export interface MirrorPage {
  readonly rows: readonly MirrorRow[];
  readonly hasMore: boolean;
  /** Rows before the first of the page; null: it was not asked for. */
  readonly offset: number | null;
  /** Rows of all pages, at most {@link MOST_COUNTED} where the list is filtered; null: it was not asked for. */
  readonly total: number | null;
}

/** A filtered list is counted up to here: a till that reads a page does not wait for the count of a million rows. */
export const MOST_COUNTED = 100_000;

/** The mirror of a stream: always one whole generation, never one that is still being built. */
export interface MirrorReader {
  /** In the order of their ids, behind `after`. */
  list(stream: StreamKey, after: string | null, limit: number): readonly MirrorRow[];
  /** By its id, or by its `public_id` where it has one. */
  find(stream: StreamKey, id: string): MirrorRow | null;
  /** @throws CURSOR_UNKNOWN when the place names no row of the stream */
  page(stream: StreamKey, query: MirrorQuery): MirrorPage;
  /** Up to when the stream is complete, epoch ms; null: it never was. */
  freshAt(stream: StreamKey): number | null;
  /** When the run began that made it complete; null: it never was, or the moment is not known. */
  begunIn(stream: StreamKey): ProcessMoment | null;
  /** How many rows readers see, and up to when the stream is complete; null: it never was. */
  sizeOf(stream: StreamKey): { readonly rows: number; readonly freshAt: number | null };
}
