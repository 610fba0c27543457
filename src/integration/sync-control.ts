import type { Parked, QuarantineEntry, RunRecord } from './ports.ts';
import type { StreamKey } from './window/stream.ts';

/** Requests of people for streams between their runs; synchronous, each call one transaction. */
export interface SyncControl {
  /** The next run of the stream is a full resync. */
  requestFull(stream: StreamKey): void;
  /** A person approves what is held: these rows may be deleted, or a full resync may swap with so many missing. */
  approve(stream: StreamKey): void;
  /** Mappings for these products exist now: the next run retries the records that wait for them. @returns how many */
  release(integration: string, products: readonly string[], now: number): number;
  /** In the order of their keys. */
  parked(stream: StreamKey, after: string, limit: number): readonly Parked[];
  /** The same records without their content. */
  parkedEntries(stream: StreamKey, after: string, limit: number): readonly QuarantineEntry[];
  /** The next run retries these records, whatever they wait for. @returns how many */
  retry(stream: StreamKey, keys: readonly string[], now: number): number;
  parkedCount(stream: StreamKey): number;
  /** Records are parked, and readers see none that is not. */
  isAllParked(stream: StreamKey): boolean;
  /** Newest first. */
  runsSince(stream: StreamKey, since: number, limit: number): readonly RunRecord[];
  /** Newest first, numbered below `before`; null: from the newest. */
  runsBefore(stream: StreamKey, before: number | null, limit: number): readonly RunRecord[];
  /** @returns how many are forgotten */
  forgetRuns(endedBefore: number, limit: number): number;
}
