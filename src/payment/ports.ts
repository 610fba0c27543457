import type { Page, PageQuery } from '../base/page.ts';
import type { ProcessMoment } from '../base/process-moment.ts';
import type { TerminalIdentity } from '../terminal/ports.ts';
import type { Attempt } from './attempt/attempt.ts';
import type { Settlement } from './batch/settlement.ts';
import type {
  AttemptFilter,
  AttemptSearch,
  CreatedSpan,
  PaymentEvent,
  PaymentTotals,
  StoredAnswer,
} from './payments.ts';
import type { Task, TaskDone, TaskFilter, TaskKind } from './tasks/task.ts';

/** One change of one attempt in the journal: appended, never altered. */
export interface JournalEntry {
  readonly attemptId: string;
  readonly at: number;
  /** The state machine's event, `create`, or what was recorded (`released`, `person_asked`, `invoice_paid_twice`, …). */
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
  /** The type of the payment: a refund and a void belong to the sale `parentId` and are reported under it. */
  readonly operation: 'sale' | 'refund' | 'void';
  readonly parentId: string | null;
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  /** Why it must not go yet; null: it may. */
  readonly withheld: string | null;
}

/** A place in an order that no clock decides: the number of a process run with this database, and the monotonic clock of that run, ms. */
export interface PlaceInOrder {
  readonly run: number;
  readonly ms: number;
}

/** The state of one report, for the timeline of an attempt. */
export interface ReportState {
  readonly kind: 'create' | 'result';
  readonly state: 'pending' | 'done' | 'parked';
  readonly tries: number;
  readonly createdAt: number;
  readonly doneAt: number | null;
  /** The place of its end in the order of ends; null: it has not ended, or ended before runs were numbered. */
  readonly doneIn: PlaceInOrder | null;
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
 * The store of payments. Every method is synchronous; `transaction` returns when its work is on disk (WAL with synchronous FULL) and throws
 * STORAGE_FULL or STORAGE_FAILED when it is not.
 */
export interface PaymentStore {
  transaction<T>(work: () => T): T;
  /** Transactions in `work` may reach the disk later, at the latest before they are published. */
  deferSync<T>(work: () => T): T;
  /** Returns when everything that was written is on disk. @throws STORAGE_FAILED */
  flush(): void;
  /** Calls `heard` once everything that was written is on disk: at once, or later. */
  onDurable(heard: () => void): void;
  insertAttempt(attempt: Attempt): void;
  /** @throws INVARIANT_BROKEN when the stored version is not one less than this one's. */
  updateAttempt(attempt: Attempt): void;
  findAttempt(id: string): Attempt | null;
  /** Newest first. */
  listAttempts(filter: AttemptFilter): Page<Attempt>;
  /** Reads the next few hundred payments for `searchAttempts` and `totals`, which are complete once it has returned true. */
  readForSearch(): boolean;
  /** Newest first. */
  searchAttempts(search: AttemptSearch): Page<Attempt>;
  totals(span: CreatedSpan): readonly PaymentTotals[];
  /** Every attempt that is not final, oldest first. */
  openAttempts(deviceId?: string): readonly Attempt[];
  appendJournal(entry: JournalEntry): void;
  /** In their order; archived entries first, where the archive can be read. */
  journalOf(attemptId: string): readonly JournalEntry[];
  /** The part of {@link journalOf} in an unreadable archive, in words; null: none. */
  gapIn(entries: readonly JournalEntry[]): string | null;
  appendEvent(event: PaymentEvent): void;
  events(page: PageQuery): Page<PaymentEvent>;
  insertKey(row: KeyRow): void;
  findKey(caller: string, key: string): KeyRow | null;
  enqueueReport(report: NewReport): void;
  reportsOf(attemptId: string): readonly ReportState[];
  /** The place of a moment among the ends of reports; null: it is of a process run that this database does not know. */
  placeInOrder(moment: ProcessMoment): PlaceInOrder | null;
  /** The attempt with this id or alias at the service. */
  attemptOfServiceId(serviceId: string): Attempt | null;
  bindServiceId(serviceId: string, attemptId: string): void;
  /**
   * Attempts of any type that may conflict with a new sale, oldest first: open ones, and those that may have charged, with the same invoice, or the
   * same reference since; with neither, the same device and amount since.
   */
  possibleDuplicates(search: DuplicateSearch): readonly Attempt[];
  /** Of the device's newest attempts those that its terminal approved at this time of its own clock. */
  approvedAt(deviceId: string, terminalClock: string): readonly Attempt[];
  /** Refunds and voids of a sale, oldest first. */
  childrenOf(parentId: string): readonly Attempt[];
  /** The correction that was recorded because evidence contradicted this attempt's end. */
  correctionOf(attemptId: string): Attempt | null;
  /** The sale that was made as the retry of this one. */
  retryOf(attemptId: string): Attempt | null;
  /** The ticket of the newest dispatch on any device; null: there is none. */
  lastTicket(): string | null;
  /** An attempt went to its terminal under this ticket. */
  hasTicket(ticket: string): boolean;
  /** The attempt of this device that was sent to its terminal last. */
  lastSent(deviceId: string): Attempt | null;
  /** The same without attempts that are proved not to have been started there (`not_started`); null: none that is not archived. */
  lastStarted(deviceId: string): Attempt | null;
  /** The attempts that succeeded on this device in one batch, or on one day, of its terminal. */
  succeededIn(
    deviceId: string,
    span: { readonly batch: number } | { readonly day: number },
  ): readonly Attempt[];
  /** Releases reports of this attempt that were held back. */
  releaseReports(attemptId: string): void;
  /** @returns false when such a task of its attempt or settlement exists already, or an open one of its device. */
  insertTask(task: Task): boolean;
  finishTask(id: string, done: TaskDone): void;
  findTask(id: string): Task | null;
  /** Oldest first. @throws CURSOR_UNKNOWN */
  tasks(filter: TaskFilter): readonly Task[];
  /** All of them, however many others are open. */
  openTasksOfKind(kind: TaskKind): readonly Task[];
  openTasksOf(attemptId: string): readonly Task[];
  openTasksOfDevice(deviceId: string): readonly Task[];
  /** The attempt was in the database before its present identity began. */
  isFromBefore(attemptId: string): boolean;
  /** The machine was rebooted since the newest payment that went to a terminal: the disk may be an older image. */
  isStartedAgain(): boolean;
  /** The machine was rebooted since this database was created, and no person was asked to compare this device since. */
  isUncomparedSinceBoot(deviceId: string): boolean;
  /** The machine was rebooted since: its disk may be an older image. */
  isFromEarlierBoot(attemptId: string): boolean;
  /** A person was shown what the terminal of this device shows, since the present identity of the database began. */
  wasDatabaseCompared(deviceId: string): boolean;
  /** The open question about this device was asked because its terminal could not be read: it has shown nothing. */
  noteComparisonUnread(deviceId: string): void;
  insertSettlement(settlement: Settlement): void;
  updateSettlement(settlement: Settlement): void;
  findSettlement(id: string): Settlement | null;
  /** Requested or in progress, oldest first. */
  openSettlements(deviceId?: string): readonly Settlement[];
  /** Newest first. */
  listSettlements(page: {
    readonly deviceId: string;
    readonly startingAfter?: string;
    readonly limit: number;
  }): { readonly items: readonly Settlement[]; readonly hasMore: boolean };
}

export interface DuplicateSearch {
  readonly invoiceId: string | null;
  readonly reference: string | null;
  readonly referenceSince: number;
  readonly deviceId: string;
  readonly amountMinor: number;
  readonly amountSince: number;
}

/** Stored facts about the terminal of a device, besides its identity. */
export interface TerminalFacts {
  /** The number of its open batch, counted by tilld. */
  readonly batch: number;
  /** The number of its open day, counted by tilld; 1 until the first close that tilld knows of. */
  readonly day: number;
  /** tilld knows when the day began, so that the database holds every transaction of it that went through tilld. */
  readonly dayIsWhole: boolean;
  /** The terminal was used without a command from tilld. */
  readonly sharedUse: boolean;
  /** A void reversed another sale than its own. */
  readonly voidWithdrawn: boolean;
  /** Why what answers there is not believed to be the terminal, in words; null: it is. */
  readonly setAside: string | null;
}

/** Which terminal serves a device, stored so that another one at the same path is noticed; and what was learned about it. */
export interface IdentityStore {
  identityOf(deviceId: string): TerminalIdentity | null;
  /** What was learned of the terminal stays. */
  rememberIdentity(deviceId: string, identity: TerminalIdentity, at: number): void;
  /** The next terminal that is seen will serve the device; nothing is known about it but that its batch is a new one. */
  forgetIdentity(deviceId: string): void;
  factsOf(deviceId: string): TerminalFacts;
  /** The continuity between our older transactions and the present batch is broken: by a close, or by a use without tilld. */
  beginBatch(deviceId: string): void;
  /** Its day was closed: a new batch begins, too. */
  beginDay(deviceId: string): void;
  noteSharedUse(deviceId: string): void;
  withdrawVoid(deviceId: string): void;
  /** What answers there gets no payment until a person adopts it. @param why in words */
  setAside(deviceId: string, why: string): void;
}
