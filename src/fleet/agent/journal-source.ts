/** A row of the journal; where `damaged` says what is wrong with it, the other fields are what could be read. */
export type SourceRow =
  | {
      readonly seq: number;
      readonly attempt_id: string;
      readonly at: number;
      readonly event: string;
      readonly from_state: string;
      readonly to_state: string;
      readonly details: string;
      readonly hash: string;
    }
  | {
      readonly seq: number;
      readonly damaged: string;
      readonly attempt_id: string | null;
      readonly content: string | null;
      readonly hash: string;
    };

/** Consecutive rows; `previous` is the hash of the row before the first one. */
export interface SourcePage {
  readonly previous: string;
  readonly rows: readonly SourceRow[];
}

/** The agent's own journal, with what its archive has of it. */
export interface JournalSource {
  /** The id of this database's life. */
  readonly epoch: string;
  /** The number of the newest row; 0: there is none. */
  readonly end: number;
  /**
   * Rows from a number on, at most so many; the first one is that of `from`.
   * @throws ARCHIVE_DAMAGED, STORAGE_FAILED and others of the store when the part that has them cannot be read
   */
  read(from: number, most: number): SourcePage;
}
