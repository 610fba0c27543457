import type { TerminalIdentity } from '../terminal/ports.ts';
import type { Attempt } from './attempt.ts';
import type { AttemptFilter, AttemptView, PaymentEvent, StoredAnswer } from './payments.ts';

/** One change of one attempt, as the journal keeps it: appended, never altered. */
export interface JournalEntry {
  readonly attemptId: string;
  readonly at: number;
  /** The machine's event, or what was noted (`cancel_requested`, `discrepancy`, `released`). */
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A report to the service, written in the transaction that changed the attempt. */
export interface NewReport {
  readonly id: string;
  readonly attemptId: string;
  readonly kind: 'create' | 'result';
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
}

/** What became of one report, for the story of an attempt. */
export interface ReportState {
  readonly kind: 'create' | 'result';
  readonly state: 'pending' | 'done' | 'parked';
  readonly tries: number;
  readonly createdAt: number;
  readonly doneAt: number | null;
  readonly lastError: string | null;
}

/** An idempotency key and the answer that was given under it. */
export interface KeyRow extends StoredAnswer {
  readonly caller: string;
  readonly key: string;
  readonly attemptId: string;
  readonly createdAt: number;
}

/**
 * Where payments live. Every method is synchronous; `transaction` returns when its work is on disk
 * (WAL with synchronous FULL) and throws STORAGE_FULL or STORAGE_FAILED when it is not.
 */
export interface PaymentStore {
  transaction<T>(work: () => T): T;
  insertAttempt(attempt: Attempt): void;
  /** @throws INVARIANT_BROKEN when the stored version is not one less than this one's. */
  updateAttempt(attempt: Attempt): void;
  findAttempt(id: string): Attempt | null;
  listAttempts(filter: AttemptFilter): { readonly items: readonly Attempt[]; readonly hasMore: boolean };
  /** Every attempt that is not final, oldest first. */
  openAttempts(deviceId?: string): readonly Attempt[];
  appendJournal(entry: JournalEntry): void;
  journalOf(attemptId: string): readonly JournalEntry[];
  appendEvent(event: Omit<PaymentEvent, 'view'>, view: Omit<AttemptView, 'progress'>): void;
  events(page: { readonly startingAfter?: string; readonly endingBefore?: string; readonly limit: number }): {
    readonly items: readonly PaymentEvent[];
    readonly hasMore: boolean;
  };
  insertKey(row: KeyRow): void;
  findKey(caller: string, key: string): KeyRow | null;
  enqueueReport(report: NewReport): void;
  reportsOf(attemptId: string): readonly ReportState[];
  /** The attempt with this id or alias at the service. */
  attemptOfServiceId(serviceId: string): Attempt | null;
  bindServiceId(serviceId: string, attemptId: string): void;
  /** Sales that may stand against a new one, oldest first: same invoice or same reference since; with neither, same device and amount since. */
  rivalSales(search: RivalSearch): readonly Attempt[];
}

export interface RivalSearch {
  readonly invoiceId: string | null;
  readonly reference: string | null;
  readonly referenceSince: number;
  readonly deviceId: string;
  readonly amountMinor: number;
  readonly amountSince: number;
}

/** Which terminal serves a device: remembered, so that another one at the same path is noticed. */
export interface IdentityStore {
  identityOf(deviceId: string): TerminalIdentity | null;
  rememberIdentity(deviceId: string, identity: TerminalIdentity, at: number): void;
}
