import type { VirtualKey } from './virtual-security.ts';

/** How a virtual Terminal API terminal behaves where vendors differ; times in ms. */
export interface NexoVirtualOptions {
  /** A payment ends when no card is presented within this time. */
  readonly customerTimeoutMs: number;
  /** How long the bank takes. */
  readonly hostMs: number;
  /** The path that it answers at. */
  readonly path: string;
  /** Whether it refuses requests with the POIID of another terminal. */
  readonly checksPoiId: boolean;
  /** Whether it asks for a Login before anything else. */
  readonly needsLogin: boolean;
  /** Whether it repeats SaleTransactionID in its responses. */
  readonly repeatsSaleData: boolean;
  /** Whether a response comes in chunks, without a length. */
  readonly chunked: boolean;
  /** Whether it takes back payments (Reversal). */
  readonly voids: boolean;
  /** Whether it knows GetTotals and Reconciliation. */
  readonly knowsTotals: boolean;
  /** Whether a Diagnosis in the middle of a payment gets the condition Busy, or a GlobalStatus that says so. */
  readonly busyIs: 'condition' | 'status';
  /** What it says of its printer. */
  readonly printer: 'OK' | 'PaperOut';
  /** The key with which messages are encrypted; null: they are not. */
  readonly security: VirtualKey | null;
}

export const usualNexo: NexoVirtualOptions = {
  customerTimeoutMs: 120_000,
  hostMs: 1000,
  path: '/nexo',
  checksPoiId: true,
  needsLogin: false,
  repeatsSaleData: true,
  chunked: false,
  voids: true,
  knowsTotals: true,
  busyIs: 'condition',
  printer: 'OK',
  security: null,
};
