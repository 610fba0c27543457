import { messageOf } from '../base/errors.ts';
import { canonicalId } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { ProcessMoment } from '../base/process-moment.ts';
import type { MirrorReader, MirrorRow } from '../integration/views/mirror.ts';
import type { InvoiceCopy, InvoiceSource } from '../payment/invoice/bill.ts';
import type { ServiceConnection } from '../service/service-connection.ts';

const INVOICES = { integration: 'service', resource: 'invoices' } as const;

export interface InvoiceDeps {
  /** null: nothing is mirrored. */
  readonly mirror: MirrorReader | null;
  /** null: no service is configured. */
  readonly connection: Pick<ServiceConnection, 'health' | 'invoices'> | null;
  /** tilld reports local sales to the service. */
  readonly confirmsCreates: boolean;
  readonly log: Log;
}

/** The sources of invoices: the mirror of the service, and the service itself while it is reachable. */
export function invoiceSource({ mirror, connection, confirmsCreates, log }: InvoiceDeps): InvoiceSource {
  return {
    confirmsCreates,
    copyOf: (invoiceId) => {
      try {
        const row = mirror?.find(INVOICES, canonicalId(invoiceId));
        return mirror && row ? copyOf(row, mirror.begunIn(INVOICES)) : null;
      } catch (error) {
        log.warn(
          { invoice: invoiceId, error: messageOf(error) },
          'the mirror could not be asked of an invoice',
        );
        return null;
      }
    },
    // Without a reason nothing is known of the line yet: the first sale after a start asks, too.
    isOnline: () =>
      connection !== null &&
      (connection.health.view.state === 'online' || connection.health.view.reason === null),
    ask: async (invoiceId, signal) => (await connection?.invoices.ask(invoiceId, signal)) ?? null,
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
