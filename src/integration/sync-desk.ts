import type { Parked, RunRecord } from './ports.ts';
import type { StreamKey } from './stream.ts';

/** What people ask of streams between their runs; synchronous, each call one transaction. */
export interface SyncDesk {
  /** The next run of the stream reads everything anew. */
  requestFull(stream: StreamKey): void;
  /** A person has looked at what is held: these very rows may go, or a full resync may swap with so many missing. */
  approve(stream: StreamKey): void;
  /** Mappings for these products have appeared: what waits for them is taken up by the next run. @returns how many */
  release(slot: string, products: readonly string[], now: number): number;
  /** In the order of their keys. */
  parked(stream: StreamKey, after: string, limit: number): readonly Parked[];
  parkedCount(stream: StreamKey): number;
  /** Newest first. */
  runsSince(stream: StreamKey, since: number, limit: number): readonly RunRecord[];
  /** @returns how many are forgotten */
  forgetRuns(endedBefore: number, limit: number): number;
}
