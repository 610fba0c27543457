import { canonicalId } from '../../base/ids.ts';
import type { MirrorReader, MirrorRow } from '../../integration/mirror.ts';
import type { InvoiceHere, Payments } from '../../payment/payments.ts';
import type { RoutePlugin } from '../api.ts';
import { type Invoice, InvoiceList, ListInvoices } from '../contract/invoice.ts';
import { instantOrNull } from '../render/instant.ts';

const INVOICES = { slot: 'service', resource: 'invoices' } as const;
/** Rows that one response scans: a mirror of a hundred thousand rows must not delay a payment. */
const SCANNED = 2_000;
const MAX_WORDS = 8;

/**
 * Mirrored invoices of the service, and what tilld has taken for them since: also while the shop is offline.
 * `mirror` null: there is no mirror.
 */
export function invoiceRoutes(
  mirror: MirrorReader | null,
  payments: Pick<Payments, 'ofInvoice'>,
): RoutePlugin {
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/v2/invoices',
      schema: { querystring: ListInvoices },
      config: {
        operationId: 'listInvoices',
        tag: 'Invoices',
        access: 'invoices:read',
        summary: 'List invoices from the mirror, also offline; fresh_at says how old it is.',
        replies: [{ status: 200, description: 'One page of invoices.', schema: InvoiceList }],
        refusals: [],
      },
      handler: ({ query }) => {
        const { rows, next } = found(mirror, query);
        const begunIn = mirror?.begunIn(INVOICES) ?? null;
        return {
          object: 'list',
          data: rows.map((row) => invoiceOf(row, payments.ofInvoice(canonicalId(row.id), begunIn))),
          has_more: next !== null,
          url: '/v2/invoices',
          next_cursor: next,
          fresh_at: instantOrNull(mirror?.freshAt(INVOICES) ?? null),
        } satisfies InvoiceList;
      },
    });
  };
}

type Query = (typeof ListInvoices)['_output'];

function found(mirror: MirrorReader | null, { search = '', status, currency, starting_after, limit }: Query) {
  const words = search
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
  const where = {
    ...(status === undefined ? {} : { status }),
    ...(currency === undefined ? {} : { currency }),
  };
  const nothing = { rows: [], next: null };
  return mirror?.search(INVOICES, { words, where, limit }, starting_after ?? null, SCANNED) ?? nothing;
}

/** The mirror keeps the service's data as it is; a field of another type is left out. */
function invoiceOf({ id, body }: MirrorRow, here: InvoiceHere): Invoice {
  const { number, status, customer_id, currency, total_minor, amount_due_minor, ...others } = body;
  return {
    ...others,
    id: canonicalId(id),
    ...texts({ number, status, customer_id, currency }),
    ...integers({ total_minor, amount_due_minor }),
    open_payment_id: here.openPaymentId,
    paid_here_minor: here.unseenMinor,
  };
}

function texts(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const pairs = Object.entries(fields);
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

function integers(fields: Readonly<Record<string, unknown>>): Record<string, number> {
  const pairs = Object.entries(fields);
  return Object.fromEntries(pairs.filter((pair): pair is [string, number] => Number.isSafeInteger(pair[1])));
}
