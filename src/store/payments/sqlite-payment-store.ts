import { z } from 'zod';
import { invariant } from '../../base/invariant.ts';
import type { Page, PageQuery } from '../../base/page.ts';
import type { ProcessMoment } from '../../base/process-moment.ts';
import type { Attempt } from '../../payment/attempt/attempt.ts';
import type { Settlement } from '../../payment/batch/settlement.ts';
import type {
  AttemptFilter,
  AttemptSearch,
  CreatedSpan,
  PaymentEvent,
  PaymentTotals,
} from '../../payment/payments.ts';
import type {
  DuplicateSearch,
  JournalEntry,
  KeyRow,
  NewReport,
  PaymentStore,
  PlaceInOrder,
  ReportState,
} from '../../payment/ports.ts';
import type { Task, TaskDone, TaskFilter, TaskKind } from '../../payment/tasks/task.ts';
import type { ArchivedTimelines } from '../archive/archived-timelines.ts';
import { askedValues, attemptOf, BECAME_COLUMNS, becameValues } from '../attempts/attempt-row.ts';
import { inOrder, OlderIdForms } from '../backfill/older-id-forms.ts';
import type { Database } from '../database.ts';
import { placeInOrder } from '../epoch/process-runs.ts';
import { SqliteIdempotencyStore } from '../idempotency/sqlite-idempotency-store.ts';
import { SqliteReportStore } from '../outbox/sqlite-report-store.ts';
import { remembered } from '../query-cache.ts';
import { PaymentSearch } from '../search/payment-search.ts';
import { JournalStore } from './journal-store.ts';
import { PaymentList } from './payment-list.ts';
import {
  ANY_OF_DEVICE,
  APPROVED_AT,
  ATTEMPT_OF_ALIAS,
  BIND_ALIAS,
  CHILDREN_OF,
  CORRECTION_OF,
  DATABASE_COMPARED,
  DUPLICATES_BY_AMOUNT,
  DUPLICATES_BY_NAME,
  FIND_ATTEMPT,
  FROM_BEFORE,
  FROM_EARLIER_BOOT,
  HAS_TICKET,
  INDEXED_BEFORE,
  INSERT_ATTEMPT,
  LAST_SENT,
  LAST_SENT_ARCHIVED,
  LAST_SENT_OF_ANY,
  LAST_STARTED,
  LAST_TICKET,
  LAST_TICKET_ARCHIVED,
  NOTE_COMPARISON_UNREAD,
  OPEN_ATTEMPTS,
  RETRY_OF,
  STARTED_AGAIN,
  SUCCEEDED_IN_BATCH,
  SUCCEEDED_ON_DAY,
  UNCOMPARED_SINCE_BOOT,
  updateAttempt,
} from './payment-statements.ts';
import { SqliteEventStore } from './sqlite-event-store.ts';
import { SqliteSettlementStore } from './sqlite-settlement-store.ts';
import { SqliteTaskStore } from './sqlite-task-store.ts';

const Ticket = z.object({ ticket: z.string().nullable() });
const IndexedBefore = z.object({
  status: z.string(),
  completed_at: z.int().nullable(),
  completed_elapsed: z.int().nullable(),
  batch: z.int().nullable(),
  day: z.int().nullable(),
  ticket: z.string().nullable(),
});
const EVERY_DEVICE = '';

/** Payments in `money.db`. */
export class SqlitePaymentStore implements PaymentStore {
  readonly #database: Database;
  readonly #olderIds: OlderIdForms;
  readonly #list: PaymentList;
  readonly #journal: JournalStore;
  readonly #keys: SqliteIdempotencyStore;
  readonly #reports: SqliteReportStore;
  readonly #events: SqliteEventStore;
  readonly #tasks: SqliteTaskStore;
  readonly #settlements: SqliteSettlementStore;
  readonly #search: PaymentSearch;
  readonly #find: (id: string) => Attempt | null;
  readonly #open: (deviceId: string) => readonly Attempt[];
  readonly #ofServiceId: (serviceId: string) => Attempt | null;

  /** @param archive the rows that the journal does not have any more */
  constructor(database: Database, archive: ArchivedTimelines | null = null) {
    this.#database = database;
    this.#olderIds = new OlderIdForms(database);
    this.#list = new PaymentList(database, this.#olderIds);
    this.#journal = new JournalStore(database, archive);
    this.#keys = new SqliteIdempotencyStore(database);
    this.#reports = new SqliteReportStore(database);
    this.#events = new SqliteEventStore(database);
    this.#tasks = new SqliteTaskStore(database);
    this.#settlements = new SqliteSettlementStore(database);
    this.#search = new PaymentSearch(database);
    this.#find = remembered(database, (id) => orNull(database.get(FIND_ATTEMPT, id)));
    this.#ofServiceId = remembered(database, (id) => {
      const ofId = (form: string) => database.get(ATTEMPT_OF_ALIAS, form, form);
      return orNull(ofId(id) ?? this.#olderIds.ofServiceId(id).map(ofId)[0]);
    });
    const everywhere = remembered(database, () => database.all(OPEN_ATTEMPTS).map(attemptOf));
    this.#open = remembered(database, (deviceId) => {
      const all = everywhere(EVERY_DEVICE);
      return deviceId === EVERY_DEVICE ? all : all.filter((attempt) => attempt.deviceId === deviceId);
    });
  }

  transaction<T>(work: () => T): T {
    return this.#database.transaction(work);
  }

  deferSync<T>(work: () => T): T {
    return this.#database.deferSync(work);
  }

  flush(): void {
    this.#database.flush();
  }

  onDurable(heard: () => void): void {
    this.#database.onDurable(heard);
  }

  insertAttempt(attempt: Attempt): void {
    this.#database.run(INSERT_ATTEMPT, ...askedValues(attempt), ...becameValues(attempt));
  }

  updateAttempt(attempt: Attempt): void {
    const { id, version } = attempt;
    const before = this.#database.get(INDEXED_BEFORE, id, version - 1);
    invariant(before !== undefined, 'an attempt is written over its last version only', {
      attempt: id,
      version,
    });
    const indexed: Readonly<Record<string, unknown>> = IndexedBefore.parse(before);
    const values = becameValues(attempt);
    const changes = BECAME_COLUMNS.map((name, index) => ({ name, value: values[index] })).filter(
      ({ name, value }) => !(name in indexed) || indexed[name] !== value,
    );
    const sql = updateAttempt(changes.map(({ name }) => name));
    this.#database.run(sql, ...changes.map(({ value }) => value), id, version - 1);
  }

  findAttempt(id: string): Attempt | null {
    return this.#find(id);
  }

  listAttempts(filter: AttemptFilter): Page<Attempt> {
    return this.#list.page(filter);
  }

  readForSearch(): boolean {
    return this.#search.read();
  }

  searchAttempts(search: AttemptSearch): Page<Attempt> {
    return this.#search.page(search);
  }

  totals(span: CreatedSpan): readonly PaymentTotals[] {
    return this.#search.totals(span);
  }

  openAttempts(deviceId?: string): readonly Attempt[] {
    return this.#open(deviceId ?? EVERY_DEVICE);
  }

  appendJournal(entry: JournalEntry): void {
    this.#journal.append(entry);
  }

  journalOf(attemptId: string): readonly JournalEntry[] {
    return this.#journal.rowsOf(attemptId);
  }

  gapIn(entries: readonly JournalEntry[]): string | null {
    return this.#journal.gapIn(entries);
  }

  appendEvent(event: PaymentEvent): void {
    this.#events.append(event);
  }

  events(page: PageQuery): Page<PaymentEvent> {
    return this.#events.list(page);
  }

  findEvent(id: string): PaymentEvent | null {
    return this.#events.find(id);
  }

  insertKey(row: KeyRow): void {
    this.#keys.insert(row);
  }

  findKey(caller: string, key: string): KeyRow | null {
    return this.#keys.find(caller, key);
  }

  enqueueReport(report: NewReport): void {
    this.#reports.enqueue(report);
  }

  reportsOf(attemptId: string): readonly ReportState[] {
    return this.#reports.of(attemptId);
  }

  releaseReports(attemptId: string): void {
    this.#reports.release(attemptId);
  }

  placeInOrder(moment: ProcessMoment): PlaceInOrder | null {
    return placeInOrder(this.#database, moment);
  }

  attemptOfServiceId(serviceId: string): Attempt | null {
    return this.#ofServiceId(serviceId);
  }

  bindServiceId(serviceId: string, attemptId: string): void {
    this.#database.run(BIND_ALIAS, serviceId, attemptId);
  }

  possibleDuplicates(search: DuplicateSearch): readonly Attempt[] {
    const { invoiceId, reference, referenceSince, deviceId, amountMinor, amountSince } = search;
    if (invoiceId === null && reference === null) {
      const byAmount = (id: string) =>
        this.#database.all(DUPLICATES_BY_AMOUNT, id, amountMinor, id, amountMinor, amountSince);
      return this.#olderIds.rowsOfDevice(deviceId, byAmount).map(attemptOf);
    }
    const byName = (...named: readonly [string | null, string | null]) =>
      this.#database.all(DUPLICATES_BY_NAME, ...named, ...named, referenceSince);
    const older = invoiceId === null ? [] : this.#olderIds.ofInvoice(invoiceId);
    const found = [byName(invoiceId, reference), ...older.map((form) => byName(form, null))];
    return inOrder(found).map(attemptOf);
  }

  childrenOf(parentId: string): readonly Attempt[] {
    return this.#database.all(CHILDREN_OF, parentId).map(attemptOf);
  }

  correctionOf(attemptId: string): Attempt | null {
    return orNull(this.#database.get(CORRECTION_OF, attemptId));
  }

  retryOf(attemptId: string): Attempt | null {
    return orNull(this.#database.get(RETRY_OF, attemptId));
  }

  lastTicket(): string | null {
    const row = this.#database.get(LAST_TICKET) ?? this.#database.get(LAST_TICKET_ARCHIVED);
    return row === undefined ? null : Ticket.parse(row).ticket;
  }

  hasTicket(ticket: string): boolean {
    return this.#database.get(HAS_TICKET, ticket) !== undefined;
  }

  lastSent(deviceId: string): Attempt | null {
    const older = this.#olderIds.ofDevice(deviceId);
    const hasOlder = older.length > 0;
    if (!hasOlder && this.#database.get(ANY_OF_DEVICE, deviceId) === undefined) return null;
    const row = hasOlder
      ? this.#database.get(LAST_SENT_OF_ANY, JSON.stringify([deviceId, ...older]))
      : this.#database.get(LAST_SENT, deviceId);
    return orNull(row ?? this.#database.get(LAST_SENT_ARCHIVED, deviceId));
  }

  lastStarted(deviceId: string): Attempt | null {
    const found = this.#olderIds.rowsOfDevice(deviceId, (form) => this.#database.all(LAST_STARTED, form));
    return orNull(found.at(-1));
  }

  succeededIn(
    deviceId: string,
    span: { readonly batch: number } | { readonly day: number },
  ): readonly Attempt[] {
    const rows = this.#olderIds.rowsOfDevice(deviceId, (form) =>
      'batch' in span
        ? this.#database.all(SUCCEEDED_IN_BATCH, form, span.batch)
        : this.#database.all(SUCCEEDED_ON_DAY, form, span.day),
    );
    return rows.map(attemptOf);
  }

  approvedAt(deviceId: string, terminalClock: string): readonly Attempt[] {
    return this.#olderIds
      .rowsOfDevice(deviceId, (form) => this.#database.all(APPROVED_AT, form, terminalClock))
      .map(attemptOf);
  }

  insertTask(task: Task): boolean {
    return this.#tasks.insert(task);
  }

  finishTask(id: string, done: TaskDone): void {
    this.#tasks.finish(id, done);
  }

  findTask(id: string): Task | null {
    return this.#tasks.find(id);
  }

  tasks(filter: TaskFilter): readonly Task[] {
    return this.#tasks.list(filter);
  }

  openTasksOfKind(kind: TaskKind): readonly Task[] {
    return this.#tasks.openOfKind(kind);
  }

  openTasksOf(attemptId: string): readonly Task[] {
    return this.#tasks.openOf(attemptId);
  }

  openTasksOfDevice(deviceId: string): readonly Task[] {
    return this.#tasks.openOfDevice(deviceId);
  }

  isFromBefore(attemptId: string): boolean {
    return this.#database.get(FROM_BEFORE, attemptId) !== undefined;
  }

  isStartedAgain(): boolean {
    return this.#database.get(STARTED_AGAIN) !== undefined;
  }

  isUncomparedSinceBoot(deviceId: string): boolean {
    return this.#database.get(UNCOMPARED_SINCE_BOOT, deviceId) !== undefined;
  }

  isFromEarlierBoot(attemptId: string): boolean {
    return this.#database.get(FROM_EARLIER_BOOT, attemptId) !== undefined;
  }

  wasDatabaseCompared(deviceId: string): boolean {
    return this.#database.get(DATABASE_COMPARED, deviceId) !== undefined;
  }

  noteComparisonUnread(deviceId: string): void {
    this.#database.run(NOTE_COMPARISON_UNREAD, deviceId);
  }

  insertSettlement(settlement: Settlement): void {
    this.#settlements.insert(settlement);
  }

  updateSettlement(settlement: Settlement): void {
    this.#settlements.update(settlement);
  }

  findSettlement(id: string): Settlement | null {
    return this.#settlements.find(id);
  }

  openSettlements(deviceId?: string): readonly Settlement[] {
    return this.#settlements.open(deviceId);
  }

  listSettlements(page: {
    readonly deviceId: string;
    readonly startingAfter?: string;
    readonly limit: number;
  }) {
    return this.#settlements.list(page);
  }
}

function orNull(row: unknown): Attempt | null {
  return row === undefined ? null : attemptOf(row);
}
