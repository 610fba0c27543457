import { approvedMinor } from './amounts.ts';
import type { Attempt } from './attempt.ts';
import { wrongVoid } from './follow-up.ts';
import { givenBackMinor } from './given-back.ts';
import { isFinal } from './machine.ts';
import type { PaymentStore } from './ports.ts';

/** What these books know of an invoice, beside a copy of it that was made before. */
export interface InvoiceHere {
  /** Its sale that is open or in doubt. */
  readonly openPaymentId: string | null;
  /** Minor units that were charged for it and not given back, as far as the copy cannot know of them; tips and cash left out. */
  readonly unseenMinor: number;
}

type Books = Pick<PaymentStore, 'rivalSales' | 'childrenOf' | 'reportsOf'>;

/**
 * What was charged for an invoice and is not in its copy: the copy knows of a sale once the service had taken its result before
 * `copiedAt` (epoch ms by this machine's clock; null: there is no whole copy yet).
 */
export function invoiceHere(books: Books, invoiceId: string, copiedAt: number | null): InvoiceHere {
  const sales = books
    .rivalSales({ ...BY_INVOICE_ALONE, invoiceId })
    .filter((sale) => sale.type === 'sale' && sale.invoiceId === invoiceId);
  const unseen = sales.filter(
    (sale) => sale.state.name === 'succeeded' && !isInCopy(books, sale.id, copiedAt),
  );
  return {
    openPaymentId: sales.find((sale) => !isFinal(sale.state))?.id ?? null,
    unseenMinor: unseen.reduce((sum, sale) => sum + paidOf(books, sale), 0),
  };
}

const BY_INVOICE_ALONE = { reference: null, referenceSince: 0, deviceId: '', amountMinor: 0, amountSince: 0 };

function isInCopy(books: Books, saleId: string, copiedAt: number | null): boolean {
  if (copiedAt === null) return false;
  return books
    .reportsOf(saleId)
    .some(({ kind, state, doneAt }) => kind === 'result' && state === 'done' && (doneAt ?? 0) < copiedAt);
}

/** What pays the invoice: a tip or cash that went with it does not. */
function paidOf(books: Books, sale: Attempt): number {
  const back = givenBackMinor(books.childrenOf(sale.id).filter((child) => wrongVoid(child) === null));
  return Math.max(0, Math.min(sale.amount.minor, approvedMinor(sale)) - back);
}
