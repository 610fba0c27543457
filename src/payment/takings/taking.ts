import type { Currency } from '../../base/money.ts';
import type { Attempt } from '../attempt/attempt.ts';

/** What sums need of one attempt. */
export interface Taking {
  /** Its creation, epoch ms: a correction counts when it was recorded. */
  readonly at: number;
  readonly deviceId: string;
  readonly type: Attempt['type'];
  /** `open`: it has no outcome yet, so it counts in no sum. */
  readonly outcome: 'succeeded' | 'open';
  readonly currency: Currency;
  /** What the terminal charged or gave back; without an amount in its report, the requested amount. */
  readonly amountMinor: number;
  /** Of a sale the part of it that is a tip, of a void that of its sale; null: not reported, or a refund. */
  readonly tipMinor: number | null;
  /** The card's scheme, of a refund or void without one that of its sale; null: not reported. */
  readonly scheme: string | null;
}

/** The store of what sums are made of. */
export interface TakingsSource {
  /**
   * Every attempt that was created in a span and succeeded or is open, page by page in any order: between two pages the caller may do other work.
   * @throws STORAGE_FAILED
   */
  pages(span: { readonly from: number; readonly to: number }): Iterable<readonly Taking[]>;
}
