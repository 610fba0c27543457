import type { Clock } from '../base/clock.ts';
import type { ProcessMoment } from '../base/process-moment.ts';
import type { Budget } from '../outbox/budget.ts';
import type { Answer, Refusal } from '../outbox/report-port.ts';
import type { InvoiceCopy, InvoiceRecord, ListedPayment } from '../payment/invoice/bill.ts';
import type { ServiceInvoice, ServicePayment } from './contract.ts';
import type { CreateWatch } from './create-watch.ts';
import type { ServiceClient } from './service-client.ts';

export interface InvoiceRecordsDeps {
  readonly client: Pick<ServiceClient, 'invoice' | 'paymentsOfInvoice'>;
  readonly creates: CreateWatch;
  readonly budget: Budget;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The id of this process run; absent: it has none, and every payment of this agent counts as one that no copy knows. */
  readonly processRun?: string;
}

/** The service's own record of an invoice: the amount due, and its listed terminal payments. */
export class InvoiceRecords {
  readonly #deps: InvoiceRecordsDeps;

  constructor(deps: InvoiceRecordsDeps) {
    this.#deps = deps;
  }

  /** Null: neither could be read. Rejects with the signal's reason when it is aborted. */
  async ask(invoiceId: string, signal: AbortSignal): Promise<InvoiceRecord | null> {
    const { client, budget, clock } = this.#deps;
    const askedAt = clock.monotonic();
    budget.spend();
    budget.spend();
    const [shown, listed] = await Promise.all([
      client.invoice(invoiceId, signal),
      client.paymentsOfInvoice(invoiceId, signal),
    ]);
    const copy = this.#shown(shown.answer, askedAt);
    const found = listed.answer.kind === 'applied' ? listed.answer.value.items : null;
    const ofInvoice = found?.filter(({ invoice_id }) => invoice_id === invoiceId) ?? null;
    const payments = ofInvoice?.map((one) => this.#listed(one, askedAt)) ?? null;
    return copy === null && payments === null ? null : { copy, payments };
  }

  /** A 404 counts only with the interface's code of a missing resource: a service without this path answers another one. */
  #shown(answer: Answer<ServiceInvoice>, askedAt: number): InvoiceRecord['copy'] {
    if (answer.kind === 'applied') return copyOf(answer.value, this.#momentOf(askedAt));
    return answer.kind === 'not_found' && isMissing(answer.refusal) ? 'missing' : null;
  }

  #momentOf(askedAt: number): ProcessMoment | null {
    const { processRun = null } = this.#deps;
    return processRun === null ? null : { run: processRun, ms: Math.floor(askedAt) };
  }

  #listed(payment: ServicePayment, askedAt: number): ListedPayment {
    const type = typeOf(payment);
    const [parentId, amountMinor] = [payment.parent_id ?? null, payment.amount_minor ?? 0];
    const listed = { type, parentId, deviceId: payment.device_id ?? '', amountMinor };
    return {
      id: payment.id,
      type,
      status: payment.status ?? '',
      amountMinor,
      parentId,
      mayBeOurs: this.#deps.creates.mayBeOurs(listed, askedAt),
      metadata: payment.metadata ?? {},
    };
  }
}

/** Its two codes of a missing resource, to be treated alike. */
function isMissing({ code }: Refusal): boolean {
  return code === 'resource_missing' || code === 'resource_not_found';
}

function typeOf({ type }: ServicePayment): 'sale' | 'refund' | 'void' {
  return type === 'refund' || type === 'void' ? type : 'sale';
}

function copyOf(invoice: ServiceInvoice, copied: ProcessMoment | null): InvoiceCopy {
  return {
    status: invoice.status ?? null,
    dueMinor: invoice.amount_due_minor ?? null,
    totalMinor: invoice.total_minor ?? null,
    currency: invoice.currency ?? null,
    copied,
  };
}
