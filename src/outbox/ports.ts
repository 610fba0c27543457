import type { Traced } from '../base/trace.ts';

/** The type of the attempt that a report is about; decides where its `create` goes. */
export type Operation = 'sale' | 'refund' | 'void';

/** One pending report to the service. Written in the transaction that changed the attempt; its key never changes. */
export interface OutboxRow {
  readonly id: string;
  readonly attemptId: string;
  readonly kind: 'create' | 'result';
  readonly operation: Operation;
  /** Our id of the sale that a refund or a void belongs to; null for a sale. */
  readonly parentId: string | null;
  /** `Idempotency-Key`, fixed with the row. */
  readonly key: string;
  /** Body as JSON: only fields that the interface names; those of tilld are in `metadata.tilld`. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  /** `parked`: a dead letter for a person, or created held back until the payment core releases it. */
  readonly state: 'pending' | 'done' | 'parked';
  /** Requests made so far. */
  readonly tries: number;
  /** The service's clock when the key was first used; null before. */
  readonly firstUsedAt: number | null;
  /** True when a request may have reached the service and no answer to it is recorded. */
  readonly unanswered: boolean;
  readonly lastError: string | null;
}

/** `parked`: dead letters, and rows that tilld holds back; `refused`: those of them that the service refused. */
export interface OutboxSummary {
  readonly pending: number;
  readonly oldestAt: number | null;
  readonly parked: number;
  readonly refused: number;
}

/** The rows as the sender sees them; each call is one durable transaction, but for {@link OutboxStore.done}. */
export interface OutboxStore {
  /**
   * Rows that may go now: pending, every earlier row of the same attempt done, every row of its parent done. Newest first.
   * `kind`: only rows of this kind (a row that waits for one of another kind still waits).
   */
  due(limit: number, kind?: OutboxRow['kind']): readonly OutboxRow[];
  /** Records, before the request leaves, that the key is used: counts the try, keeps the first `serviceNow`, sets `unanswered`. */
  beginTry(id: string, serviceNow: number): void;
  /**
   * The service has it. `serviceId`: the id it gave the payment, stored as alias when it is not ours.
   * Without `serviceId` this reaches the disk with the next commit, like that of the next row's try, or by `flush`. A power cut before that
   * leaves the row unanswered, and an unanswered row is looked up.
   */
  done(id: string, serviceId: string | null): void;
  /** Waits until finished rows are on disk. */
  flush(): void;
  /** The answer was a refusal, or there was none; the row stays. */
  failed(id: string, error: string, unanswered: boolean): void;
  /** Makes the row a dead letter with its reason. An older `report_rejected` task of the attempt is opened again, else `taskId` becomes one. */
  park(id: string, reason: string, taskId: string): void;
  /** Asks a person whether the service holds this payment twice. Once per attempt. */
  askAboutTwice(attemptId: string, taskId: string): void;
  summary(): OutboxSummary;
  /**
   * Whether a create of ours may have made this payment at the service without an answer that says so, in this process run or an earlier one. Of a
   * refund or a void its type and its sale count, by either id; of a sale its device and amount.
   */
  mayHaveCreated(payment: {
    readonly type: Operation;
    readonly parentId: string | null;
    readonly deviceId: string;
    readonly amountMinor: number;
  }): boolean;
  /** The service's id of our attempt, if it differs. */
  serviceIdOf(attemptId: string): string | null;
  /** The trace of our attempt. */
  tracedOf(attemptId: string): Traced;
}

/** The cursor in the service's event feed, kept across restarts. */
export interface FeedPlace {
  /** Id of the last event that was read; null before the first. */
  eventCursor(): string | null;
  keepEventCursor(eventId: string): void;
}
