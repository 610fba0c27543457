import { messageOf } from '../base/errors.ts';
import { canonicalId } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { ProcessMoment } from '../base/process-moment.ts';
import type { MirrorReader, MirrorRow } from '../integration/mirror.ts';
import type { InvoiceCopy, InvoiceSource } from '../payment/invoice/bill.ts';
import type { ServiceLink } from '../service/service-link.ts';

const INVOICES = { slot: 'service', resource: 'invoices' } as const;

export interface InvoiceDeps {
  /** null: nothing is mirrored, or not yet. */
  readonly mirror: () => MirrorReader | null;
  /** null: no service is configured, or it is not wired yet. */
  readonly link: () => ServiceLink | null;
  /** tilld reports local sales to the service. */
  readonly tellsCreates: boolean;
  readonly log: Log;
}

/** The sources of invoices: the mirror of the service, and the service itself while it is reachable. */
export function invoiceSource({ mirror, link, tellsCreates, log }: InvoiceDeps): InvoiceSource {
  return {
    tellsCreates,
    copyOf: (invoiceId) => {
      try {
        const reader = mirror();
        const row = reader?.find(INVOICES, canonicalId(invoiceId));
        return reader && row ? copyOf(row, reader.begunIn(INVOICES)) : null;
      } catch (error) {
        log.warn(
          { invoice: invoiceId, error: messageOf(error) },
          'the mirror could not be asked of an invoice',
        );
        return null;
      }
    },
    isOnline: () => link()?.state.view.state === 'online',
    ask: async (invoiceId, signal) => (await link()?.invoices.ask(invoiceId, signal)) ?? null,
  };
}

/** The mirror stores what the source sent; a field of the wrong type is left out. */
function copyOf({ body }: MirrorRow, copied: ProcessMoment | null): InvoiceCopy {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const minor = (value: unknown) => (Number.isSafeInteger(value) ? Number(value) : null);
  return {
    status: text(body['status']),
    dueMinor: minor(body['amount_due_minor']),
    totalMinor: minor(body['total_minor']),
    currency: text(body['currency']),
    copied,
  };
}
