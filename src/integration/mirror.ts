import type { ProcessMoment } from '../base/process-moment.ts';
import type { JsonObject } from './connector.ts';
import type { StreamKey } from './stream.ts';

/** A row that readers see. */
export interface MirrorRow {
  readonly id: string;
  readonly updatedAt: number | null;
  readonly body: JsonObject;
}

export interface MirrorQuery {
  /** Words that its text must hold, in any case; all of them. */
  readonly words: readonly string[];
  /** Fields that must have exactly this value, for example `status: open`. */
  readonly where: Readonly<Record<string, string | number | boolean>>;
  readonly limit: number;
}

/** The mirror of a stream: always one whole generation, never one that is still being built. */
export interface MirrorReader {
  /** In the order of their ids, behind `after`. */
  list(stream: StreamKey, after: string | null, limit: number): readonly MirrorRow[];
  find(stream: StreamKey, id: string): MirrorRow | null;
  /**
   * Searches at most `scanned` rows behind `after`, so that a large mirror never delays a payment.
   * `next`: where to continue; null: all rows are searched.
   */
  search(
    stream: StreamKey,
    query: MirrorQuery,
    after: string | null,
    scanned: number,
  ): { readonly rows: readonly MirrorRow[]; readonly next: string | null };
  /** Up to when the stream is complete, epoch ms; null: it never was. */
  freshAt(stream: StreamKey): number | null;
  /** When the run began that made it complete; null: it never was, or the moment is not known. */
  begunIn(stream: StreamKey): ProcessMoment | null;
  /** How many rows readers see, and up to when the stream is complete; null: it never was. */
  sizeOf(stream: StreamKey): { readonly rows: number; readonly freshAt: number | null };
}
