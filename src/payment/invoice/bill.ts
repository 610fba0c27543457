import type { ProcessMoment } from '../../base/process-moment.ts';

/** A copy of an invoice: the mirror's, or the service's newest answer. */
export interface InvoiceCopy {
  /** The service's own status, like `open` or `paid`: an open set; null: it gives none. */
  readonly status: string | null;
  /** The amount due, in minor units; null: not given. */
  readonly dueMinor: number | null;
  readonly totalMinor: number | null;
  readonly currency: string | null;
  /** When the copy was begun; null: unknown. */
  readonly copied: ProcessMoment | null;
}

/** A terminal payment of an invoice, as the service lists it. */
export interface ListedPayment {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly amountMinor: number;
  /** The sale that a refund or a void belongs to. */
  readonly parentId: string | null;
  /** It may be the result of a create of ours that the service has not answered yet. */
  readonly mayBeOurs: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The service's answer about an invoice; null: it did not give that part. */
export interface InvoiceRecord {
  /** `missing`: it has no invoice of this id. */
  readonly copy: InvoiceCopy | 'missing' | null;
  readonly payments: readonly ListedPayment[] | null;
}

/** A source of invoice data. Nothing here throws. */
export interface InvoiceSource {
  /** The mirror's copy; null: there is none. */
  copyOf(invoiceId: string): InvoiceCopy | null;
  /** The service gets the `create` of a local sale before the sale is sent. */
  readonly confirmsCreates: boolean;
  /** The service can be asked now, as far as is known: also before its first answer. */
  isOnline(): boolean;
  /** The service's own record; null: it did not answer before the signal was aborted. */
  ask(invoiceId: string, signal: AbortSignal): Promise<InvoiceRecord | null>;
}

/** Without a mirror and without a service. */
export const NO_INVOICES: InvoiceSource = {
  copyOf: () => null,
  confirmsCreates: false,
  isOnline: () => false,
  ask: async () => null,
};

/** What is known of an invoice before it is charged. */
export interface Bill {
  /** `missing`: the service has no invoice of this id. */
  readonly status: 'open' | 'paid' | 'void' | 'draft' | 'missing';
  readonly currency: string | null;
  /** What may still be charged by the copy, the service's list and our database, in minor units; null: unknown. */
  readonly leftMinor: number | null;
  /** Payments by others than this tilld, by the service's record. */
  readonly elsewhere: Elsewhere;
}

export interface Elsewhere {
  readonly paidMinor: number;
  /** The newest payment that charged it. */
  readonly paidBy: string | null;
  /** Another tilld took it without asking the service before: it asks afterwards, as this one does. */
  readonly isUnconfirmed: boolean;
  /** A payment that is requested or in progress. */
  readonly open: string | null;
}

/** What was paid of the invoice in our database. */
export interface PaidHere {
  /** Net of what was given back. */
  readonly sumMinor: number;
  /** The part of it that the copy does not contain yet; negative: the copy does not contain yet what was given back. */
  readonly unseenMinor: number;
}

/**
 * Combines a copy of an invoice with what was paid of it. What is left is never more than the copy's due amount less what the copy does not
 * contain yet, and never more than the total less everything that was paid. So a service that updates the due amount slowly does not cause a
 * second charge, and what was given back here is due again at once.
 */
export function billOf(found: InvoiceRecord['copy'], here: PaidHere, elsewhere: Elsewhere): Bill {
  if (found === 'missing') return { status: 'missing', currency: null, leftMinor: null, elsewhere };
  const copy = found;
  const status = statusOf(copy);
  const due = copy?.dueMinor ?? (status === 'paid' ? 0 : null);
  const whole = copy?.totalMinor ?? copy?.dueMinor ?? null;
  const byDue = due === null ? [] : [due - here.unseenMinor];
  const byTotal = whole === null ? [] : [whole - here.sumMinor - elsewhere.paidMinor];
  const limits = [...byDue, ...byTotal];
  return {
    status: status === 'paid' && here.unseenMinor < 0 ? 'open' : status,
    currency: copy?.currency ?? null,
    leftMinor: limits.length === 0 ? null : Math.min(...limits),
    elsewhere,
  };
}

/** Payments by others, net of what they gave back. @param isOurs whether one is in our database, under any id */
export function elsewhereOf(
  payments: readonly ListedPayment[],
  isOurs: (payment: ListedPayment) => boolean,
): Elsewhere {
  const others = payments.filter((payment) => !isOurs(payment));
  const sales = others.filter(({ type }) => type === 'sale');
  const paid = sales.filter(({ status }) => status === 'succeeded');
  const ids = new Set(paid.map(({ id }) => id));
  const back = payments.filter(
    ({ type, status, parentId }) => type !== 'sale' && status === 'succeeded' && ids.has(parentId ?? ''),
  );
  const sum = (some: readonly ListedPayment[]) => some.reduce((total, one) => total + one.amountMinor, 0);
  return {
    paidMinor: Math.max(0, sum(paid) - sum(back)),
    paidBy: paid[0]?.id ?? null,
    isUnconfirmed: Reflect.get(Object(paid[0]?.metadata['tilld']), 'invoice_unconfirmed') === true,
    open: sales.find(({ status }) => status === 'requested' || status === 'in_progress')?.id ?? null,
  };
}

function statusOf(copy: InvoiceCopy | null): Bill['status'] {
  switch (copy?.status?.toLowerCase()) {
    case 'void':
    case 'voided':
      return 'void';
    case 'draft':
      return 'draft';
    case 'paid':
      return 'paid';
    default:
      return copy?.dueMinor === 0 ? 'paid' : 'open';
  }
}
