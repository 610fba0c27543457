/** What every compared queue is given: about as much as a report of one payment. */
export interface Job {
  /** 1, 2, 3 … */
  readonly n: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly reference: string;
  readonly kind: string;
}

/** A queue under comparison, opened on one database file. */
export interface Queue {
  /** Returns or resolves exactly when the queue says that it has the job; gives what the job is found by in its table. */
  enqueue(job: Job): string | number | Promise<string | number>;
  /** A PRAGMA of the very connection that writes, its value or nothing; absent where the library keeps the connection to itself. */
  pragma?(text: string): unknown;
  /** Claims the next job and completes it; absent where that is done in a loop of the library's own. */
  take?(): unknown;
}

/** What a file in `queues/` exports. */
export interface QueueFile {
  open(path: string): Queue | Promise<Queue>;
}
