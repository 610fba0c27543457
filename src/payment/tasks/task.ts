/** What a person is asked to do; an open set for readers. */
export const TASK_KINDS = [
  /** The sale stands although it was to be cancelled. */
  'cancel_too_late',
  /** Less than asked was approved and stands. */
  'partial_approval',
  /** More than asked was charged without a reason that the terminal told. */
  'amount_differs',
  /** Evidence contradicted an attempt that had ended: refund it, or let it stand. */
  'correction',
  /** What a void undid is not what it was meant to undo. */
  'void_mismatch',
  /** The money of a refund went to another card than the sale's. */
  'refund_to_other_card',
  /** The service holds on to another outcome, or refused ours. */
  'report_rejected',
  /** The service gives ids of its own, and our first create was without an answer for longer than it remembers keys: it may hold the payment twice. */
  'maybe_reported_twice',
  /** Our memory is not the one that was here before: compare what this terminal shows before the next sale without an invoice. */
  'memory_lost',
  /** The database was damaged and set aside: what could be saved is in its place. It is about no payment and no device in particular. */
  'storage_damaged',
  /** The terminal's sum of the day is not ours. */
  'settlement_differs',
  /** The customer signed: compare the signature. Without an answer the payment stands. */
  'signature_to_check',
  /** The terminal that took a payment was replaced before it told how the payment ended: it stays in doubt until a person has found out. */
  'terminal_replaced',
  /** An invoice was paid here and elsewhere: more was taken than it is of. */
  'invoice_paid_twice',
  /** The service could not be asked who else has paid the invoice. Listed until it has confirmed. */
  'invoice_unconfirmed',
  /** The terminal approved without asking the bank. Listed until its day is closed. */
  'offline_approval',
] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/** What is listed, though nobody has to do anything about it. */
export const ONLY_LISTED: readonly TaskKind[] = ['offline_approval', 'invoice_unconfirmed'];

/** Something only a person can do. It never expires; one attempt, settlement or device has at most one open one of each kind. */
export interface Task {
  readonly id: string;
  readonly kind: TaskKind;
  readonly attemptId: string | null;
  readonly settlementId: string | null;
  readonly deviceId: string | null;
  /** What was seen and never changes: of a device, a settlement, a card. How an attempt is now stands nowhere but in the attempt. */
  readonly message: string;
  readonly createdAt: number;
  readonly done: TaskDone | null;
}

/** Who did it, and what came of it. */
export interface TaskDone {
  readonly by: string;
  readonly note: string;
  readonly at: number;
}

/** What a task is about: exactly one of the three. */
export type TaskSubject =
  | { readonly attemptId: string }
  | { readonly settlementId: string }
  | { readonly deviceId: string };
