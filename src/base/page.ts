/** Which page of a list: behind an item, or right before one. */
export interface PageQuery {
  /** An id. */
  readonly startingAfter?: string;
  /** An id. */
  readonly endingBefore?: string;
  readonly limit: number;
  /** Counts the whole list, too; that takes a while in a long one. */
  readonly isCounted?: boolean;
}

/** A page of a list, and whether there is more behind it (before it, with `endingBefore`). */
export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  /** The items of the list before this page, and all of them; absent unless they were counted. */
  readonly place?: { readonly offset: number; readonly total: number };
}
