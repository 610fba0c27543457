import type { ProcessMoment } from '../../base/process-moment.ts';

/** A copy of an invoice: what the mirror holds, or what the service has just answered. */
export interface InvoiceCopy {
  /** The service's own word, like `open` or `paid`: an open set; null: it tells none. */
  readonly status: string | null;
  /** What was left to be paid, in minor units; null: it does not tell. */
  readonly dueMinor: number | null;
  readonly totalMinor: number | null;
  readonly currency: string | null;
  /** When it was begun; null: not known. */
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
  /** A create of ours that the service has not answered yet may stand behind it. */
  readonly mayBeOurs: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What the service answered of an invoice; null: it did not tell that part. */
export interface InvoiceRecord {
  readonly copy: InvoiceCopy | null;
  readonly payments: readonly ListedPayment[] | null;
}

/** Where an invoice is known. Nothing here throws. */
export interface InvoiceSource {
  /** The mirror's copy; null: there is none. */
  copyOf(invoiceId: string): InvoiceCopy | null;
  /** The service is told of a sale of ours before it is sent. */
  readonly tellsCreates: boolean;
  /** The service can be asked now. */
  isOnline(): boolean;
  /** The service's own record; null: it did not answer before the signal was aborted. */
  ask(invoiceId: string, signal: AbortSignal): Promise<InvoiceRecord | null>;
}

/** Without a mirror and without a service. */
export const NO_INVOICES: InvoiceSource = {
  copyOf: () => null,
  tellsCreates: false,
  isOnline: () => false,
  ask: async () => null,
};

/** What is known of an invoice before money is asked for it. */
export interface Bill {
  readonly status: 'open' | 'paid' | 'void' | 'draft';
  readonly currency: string | null;
  /** What may still be charged by what the copy and this till's books say, in minor units; null: not known. */
  readonly leftMinor: number | null;
  /** By the service's record, through others than this tilld. */
  readonly elsewhere: Elsewhere;
}

export interface Elsewhere {
  readonly paidMinor: number;
  /** The newest payment that has charged. */
  readonly paidBy: string | null;
  /** An agent like this one took it without having been able to ask: it asks afterwards, as we do. */
  readonly isUnconfirmed: boolean;
  /** A payment that is requested or in progress. */
  readonly open: string | null;
}

/** What stands of the invoice in our books. */
export interface PaidHere {
  /** Net of what was given back. */
  readonly sumMinor: number;
  /** The part of it that the copy does not know yet. */
  readonly unseenMinor: number;
}

/**
 * Puts a copy of an invoice and what was paid of it together. Never more than the copy says is due, less what it does not know yet; and
 * never more than the total, less everything that was paid: a service that is slow to take a payment off what is due has it charged
 * once all the same.
 */
export function billOf(copy: InvoiceCopy | null, here: PaidHere, elsewhere: Elsewhere): Bill {
  const due = copy?.dueMinor ?? null;
  const whole = copy?.totalMinor ?? due;
  const byDue = due === null ? [] : [due - here.unseenMinor];
  const byTotal = whole === null ? [] : [whole - here.sumMinor - elsewhere.paidMinor];
  const limits = [...byDue, ...byTotal];
  return {
    status: statusOf(copy),
    currency: copy?.currency ?? null,
    leftMinor: limits.length === 0 ? null : Math.min(...limits),
    elsewhere,
  };
}

/** Payments of others, net of what they gave back. @param isOurs whether one is in our books, under whatever id */
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
