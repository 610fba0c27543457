/** One thing we owe the service. Written in the transaction that changed the attempt; its key never changes. */
export interface OutboxRow {
  readonly id: string;
  readonly attemptId: string;
  readonly kind: 'create' | 'result';
  /** `Idempotency-Key`, fixed with the row. */
  readonly key: string;
  /** Body as JSON: only fields that the interface names; ours live in `metadata.tilld`. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly state: 'pending' | 'done' | 'parked';
  /** Requests made so far. */
  readonly tries: number;
  /** The service's clock when the key was first used; null before. */
  readonly firstUsedAt: number | null;
  /** True when a request may have reached the service and no answer to it is recorded. */
  readonly unanswered: boolean;
  readonly lastError: string | null;
}

/** The rows as the sender sees them; each call is one durable transaction. */
export interface OutboxStore {
  /**
   * Rows that may go now: pending, and every earlier row of the same attempt and of its parent done. Newest first.
   * `kind`: only rows of this kind (a row that waits for one of another kind still waits).
   */
  due(limit: number, kind?: OutboxRow['kind']): readonly OutboxRow[];
  /** Notes, before the request leaves, that the key is used: counts the try, keeps the first `serviceNow`, sets `unanswered`. */
  beginTry(id: string, serviceNow: number): void;
  /** The service has it. `serviceId`: the id it gave the payment, stored as alias when it is not ours. */
  done(id: string, serviceId: string | null): void;
  /** The answer was no, or none; the row stays. */
  failed(id: string, error: string, unanswered: boolean): void;
  /** A person must look: the reason says why. */
  park(id: string, reason: string): void;
  summary(): { readonly pending: number; readonly oldestAt: number | null; readonly parked: number };
  /** The service's id of our attempt, if it differs. */
  serviceIdOf(attemptId: string): string | null;
}
