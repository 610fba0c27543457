import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const OFFICE_KEY = 'a key of the office';

/** An invoice of the office: one customer, one amount that no other invoice has. */
interface OfficeInvoice {
  readonly id: string;
  readonly number: string;
  readonly total: number;
  changedAt: number;
}

/** How the office is read, and told of payments: written for it alone, in other words than those of the demo. */
export const OFFICE_RECIPE = {
  recipe: 1,
  id: 'office',
  title: 'The office',
  documentation: 'https://office.example/docs',
  auth: { type: 'header', name: 'X-Office-Key' },
  payments: {
    find: { path: '/receipts', query: { invoice: '{invoice}' }, where: 'note = $payment.id' },
    create: { path: '/receipts', body: { invoice: 'invoice_id', cents: 'amount_minor', note: 'id' } },
  },
  resources: {
    customers: {
      path: '/people',
      page: { style: 'whole' },
      id: 'no',
      updatedAt: { value: 'changed', format: 'unix_ms' },
      fields: { name: 'name' },
    },
    invoices: {
      path: '/bills',
      page: { style: 'whole' },
      changes: { from: { parameter: 'since', format: 'unix_ms' } },
      id: 'no',
      updatedAt: { value: 'changed', format: 'unix_ms' },
      fields: {
        number: 'title',
        customer_external_id: "'P1'",
        status: "open ? 'open' : 'paid'",
        currency: "'EUR'",
        total_minor: 'cents',
      },
      drop: ['changed', 'open', 'cents'],
    },
  },
} as const;

/**
 * A provider in this process: it goes on when the daemon is killed. It writes down every receipt that it is sent, also the same one twice: that each comes
 * once is what the rounds are to show.
 */
export class Office {
  readonly receipts: { readonly invoice: string; readonly cents: number; readonly note: string }[] = [];
  readonly #invoices: OfficeInvoice[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Writes a new invoice. */
  bill(index: number): OfficeInvoice {
    const invoice = { id: `B${index}`, number: `BILL-${index}`, total: 1000 + index, changedAt: Date.now() };
    this.#invoices.push(invoice);
    return invoice;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers['x-office-key'] !== OFFICE_KEY) return void send(401, {});
    if (request.method === 'POST' && pathname === '/receipts') {
      const receipt = JSON.parse(Buffer.concat(await request.toArray()).toString());
      this.receipts.push(receipt);
      const paid = this.#invoices.find(({ id }) => id === receipt.invoice);
      if (paid) paid.changedAt = Date.now();
      return void send(201, {});
    }
    const since = Number(searchParams.get('since') ?? 0);
    if (pathname === '/people') return void send(200, [{ no: 'P1', name: 'Ada Adler', changed: 1 }]);
    if (pathname === '/bills') return void send(200, this.#shown(since));
    const of = searchParams.get('invoice');
    if (pathname === '/receipts')
      return void send(
        200,
        this.receipts.filter(({ invoice }) => invoice === of),
      );
    send(404, {});
  }

  #shown(since: number) {
    return this.#invoices
      .filter(({ changedAt }) => changedAt >= since)
      .map(({ id, number, total, changedAt }) => {
        const paid = this.receipts.filter(({ invoice }) => invoice === id);
        const open = paid.reduce((sum, { cents }) => sum + cents, 0) < total;
        return { no: id, title: number, cents: total, open, changed: changedAt };
      });
  }
}
