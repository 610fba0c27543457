import { CreateTerminalPayment } from '../../src/api/contract/terminal-payment.ts';
import type { HttpClient } from '../../src/net/http-client.ts';

/** How a till writes a reference and the id of an invoice. `blanks`: around both, which the interface refuses of an id. */
export type Spelling = 'plain' | 'other_letters' | 'blanks';

/** What a till sends of a sale, before the interface reads it. */
export interface SentSale {
  readonly device_id: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly invoice_id?: string;
  readonly reference?: string;
}

/** What the interface makes of it; null: it refuses the body. */
export type ReadSale = (sale: SentSale) => Pick<CreateTerminalPayment, 'invoice_id' | 'reference'> | null;

/** As the interface does it: blanks around a reference, and capitals in a UUID, are no part of them. */
export const readAsInterface: ReadSale = (sale) => CreateTerminalPayment.safeParse(sale).data ?? null;

/** The same reference and the same invoice, written in another way. */
export function spell(sale: SentSale, spelling: Spelling): SentSale {
  const { invoice_id: invoice, reference } = sale;
  const around = (text: string) => (spelling === 'plain' ? text : `  ${text} `);
  const written = spelling === 'other_letters' ? invoice?.toUpperCase() : invoice && around(invoice);
  return {
    ...sale,
    ...(reference === undefined ? {} : { reference: around(reference) }),
    ...(written === undefined ? {} : { invoice_id: written }),
  };
}

/** The line to a service that writes ids of invoices in capitals, with blanks around them. */
export function inOtherLetters(client: HttpClient): HttpClient {
  return {
    close: () => client.close(),
    request: async (request) => {
      const reply = await client.request(request);
      const written = (_: string, id: string) => `"invoice_id":" ${id.toUpperCase()} "`;
      return { ...reply, text: reply.text.replaceAll(/"invoice_id":"([^"]+)"/g, written) };
    },
  };
}
