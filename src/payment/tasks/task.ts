/** The kinds of tasks for a person; an open set for readers. */
export const TASK_KINDS = [
  /** The sale stands although it was cancelled. */
  'cancel_too_late',
  /** Less than asked was approved and stands. */
  'partial_approval',
  /** More than asked was charged, and the terminal reported no reason. */
  'amount_differs',
  /** Evidence contradicted an attempt that had ended: refund it, or let it stand. */
  'correction',
  /** A void reversed another transaction than its own sale. */
  'void_mismatch',
  /** The money of a refund went to another card than the sale's. */
  'refund_to_other_card',
  /** The service keeps another outcome, or refused ours. */
  'report_rejected',
  /** The service assigns its own ids, and our first create had no answer for longer than it remembers keys: it may hold the payment twice. */
  'maybe_reported_twice',
  /** The database is not the one of the last process run: compare what this terminal shows before the next sale. */
  'memory_lost',
  /** The database was damaged and moved aside; a repaired one is in its place. The task is about no payment and no device in particular. */
  'storage_damaged',
  /** The terminal's sum of the day differs from ours. */
  'settlement_differs',
  /** The customer signed: compare the signature. Without an answer the payment stands. */
  'signature_to_check',
  /** The terminal that took a payment was replaced before it reported the end: it stays in doubt until a person has found out. */
  'terminal_replaced',
  /** What answers at the address of a network terminal has answered as that terminal cannot: it gets no payment until a person adopts it. */
  'terminal_not_believed',
  /** An invoice was paid here and elsewhere: more was charged than it is of. */
  'invoice_paid_twice',
  /** The service could not be asked whether the invoice was paid elsewhere. Listed until it has confirmed. */
  'invoice_unconfirmed',
  /** The terminal approved without asking the bank. Listed until its day is closed. */
  'offline_approval',
] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/** Kinds that are only listed: no person has to act. */
export const ONLY_LISTED: readonly TaskKind[] = ['offline_approval', 'invoice_unconfirmed'];

/** A task that only a person can do. It never expires; an attempt or a settlement has at most one of each kind, a device at most one open one. */
export interface Task {
  readonly id: string;
  readonly kind: TaskKind;
  readonly attemptId: string | null;
  readonly settlementId: string | null;
  readonly deviceId: string | null;
  /** What was seen and never changes: of a device, a settlement, a card. Only the attempt has its present state. */
  readonly message: string;
  readonly createdAt: number;
  readonly done: TaskDone | null;
}

/** A page of tasks, behind the one with the id `startingAfter`. */
export interface TaskFilter {
  readonly open: boolean;
  readonly limit: number;
  readonly startingAfter?: string;
}

/** Who did it, and the result. */
export interface TaskDone {
  readonly by: string;
  readonly note: string;
  readonly at: number;
}

/** The subject of a task: exactly one of the three. */
export type TaskSubject =
  | { readonly attemptId: string }
  | { readonly settlementId: string }
  | { readonly deviceId: string };
