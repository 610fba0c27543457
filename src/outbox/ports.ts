import type { Traced } from '../base/trace.ts';

/** What kind of attempt a report is about; decides where its `create` goes. */
export type Operation = 'sale' | 'refund' | 'void';

/** One thing we owe the service. Written in the transaction that changed the attempt; its key never changes. */
export interface OutboxRow {
  readonly id: string;
  readonly attemptId: string;
  readonly kind: 'create' | 'result';
  readonly operation: Operation;
  /** Our id of the sale that a refund or a void belongs to; null for a sale. */
  readonly parentId: string | null;
  /** `Idempotency-Key`, fixed with the row. */
  readonly key: string;
  /** Body as JSON: only fields that the interface names; ours live in `metadata.tilld`. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  /** `parked`: a person must look; or it was born so (held back) and goes when the payment core releases it. */
  readonly state: 'pending' | 'done' | 'parked';
  /** Requests made so far. */
  readonly tries: number;
  /** The service's clock when the key was first used; null before. */
  readonly firstUsedAt: number | null;
  /** True when a request may have reached the service and no answer to it is recorded. */
  readonly unanswered: boolean;
  readonly lastError: string | null;
}

/** `parked`: what waits for a person or is held back by us; `refused`: those of them that the service did not take. */
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
  /** Notes, before the request leaves, that the key is used: counts the try, keeps the first `serviceNow`, sets `unanswered`. */
  beginTry(id: string, serviceNow: number): void;
  /**
   * The service has it. `serviceId`: the id it gave the payment, stored as alias when it is not ours.
   * Where there is none this reaches the disk with the next commit, like that of the next row's try, or by `harden`: a power cut
   * before leaves the row unanswered, and what is unanswered is looked up.
   */
  done(id: string, serviceId: string | null): void;
  /** Waits until what is done is on disk. */
  harden(): void;
  /** The answer was no, or none; the row stays. */
  failed(id: string, error: string, unanswered: boolean): void;
  /** A person must look: the reason says why. An older `report_rejected` task of the attempt is opened again, else `taskId` becomes one. */
  park(id: string, reason: string, taskId: string): void;
  /** The service may hold this payment twice: a person must look. Once per attempt. */
  askAboutTwice(attemptId: string, taskId: string): void;
  summary(): OutboxSummary;
  /** The service's id of our attempt, if it differs. */
  serviceIdOf(attemptId: string): string | null;
  /** The trace of our attempt. */
  tracedOf(attemptId: string): Traced;
}

/** Where we stand in the service's event feed, kept across restarts. */
export interface FeedPlace {
  /** Id of the last event that was read; null before the first. */
  eventCursor(): string | null;
  keepEventCursor(eventId: string): void;
}
