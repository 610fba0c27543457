import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'undici';
import { DaemonLife } from '../../crash/rounds/daemon-life.ts';
import type { CommitKill } from '../../crash/rounds/kill-order.ts';
import { DEVICE_ID } from '../../support/attempts.ts';
import { OFFICE_KEY } from './office.ts';
import type { InvoiceShop } from './shop.ts';

/** One invoice takes this long at most, all its lives together. */
const LIMIT_MS = 120_000;
const LOOK_MS = 40;
/** That of the payment's record at the provider, after which the way has no other. */
const LAST_COMMIT = 'UPDATE provider_payments SET';
const FINAL = ['succeeded', 'declined', 'cancelled', 'error'];

/** An answer of the daemon; null: it died, or cannot be reached yet. */
type Answer = { readonly status: number; readonly body: Record<string, never> & { data?: unknown } } | null;

/** What became of the lives in which an invoice went its way. */
export interface Walked {
  /** Where the ordered kill struck; null: there was no such commit on this way. */
  readonly killed: Pick<CommitKill, 'name' | 'when'> | null;
  /** The commits of the last life, by name. */
  readonly commits: readonly string[];
}

/**
 * The daemon of a shop over its lives, and the till that asks it: imports an invoice, finds it, takes its payment under one key, and waits until service and
 * provider know. When the daemon dies, the till asks the next life the same.
 */
export class Way {
  readonly #shop: InvoiceShop;
  readonly #compileCache: string;
  #life: DaemonLife | null = null;

  constructor(shop: InvoiceShop, compileCache: string) {
    this.#shop = shop;
    this.#compileCache = compileCache;
  }

  /** The first life: the integration is switched on, and its invoices are sent. */
  async begin(): Promise<void> {
    const life = this.#born(null);
    await Promise.race([life.ready, life.died.then(() => Promise.reject(new Error(life.log.join('\n'))))]);
    const credentials = { apiKey: OFFICE_KEY, baseUrl: this.#shop.office.url };
    await this.#insist('PUT', '/v2/integrations/provider_a/auto-send', { autoSend: true });
    await this.#insist('POST', '/v2/integrations/provider_a/activate', { credentials });
    await this.#until(async () => (await this.#streams()).every(({ fresh_at: fresh }) => fresh !== null));
  }

  /** A new life that dies where it is told to, for the next invoice. */
  async walk(index: number, order: CommitKill | null): Promise<Walked> {
    await this.#life?.kill();
    const life = this.#born(order);
    const { id, number } = this.#shop.office.bill(index);
    let killed: Walked['killed'] = null;
    let isOver = false;
    const watched = life.died.then(({ atCommit }) => {
      killed = atCommit;
      if (atCommit && !isOver) this.#born(null);
    });
    const invoiceId = await this.#found(number);
    await this.#paid(invoiceId);
    await this.#until(async () => this.#reported(invoiceId));
    await this.#until(async () => this.#shop.office.receipts.some(({ invoice }) => invoice === id));
    await this.#until(async () => life.isDead || life.commits.includes(LAST_COMMIT));
    if (life.isDead) await watched;
    isOver = true;
    return { killed, commits: [...(this.#life?.commits ?? [])] };
  }

  /** The mirror as a till reads it. */
  async invoices(): Promise<readonly Record<string, unknown>[]> {
    const answer = await this.#ask('GET', '/v2/invoices?limit=100');
    return (answer?.body.data as Record<string, unknown>[] | undefined) ?? [];
  }

  async end(): Promise<void> {
    await this.#life?.kill();
  }

  #born(order: CommitKill | null): DaemonLife {
    const { config, stateDir } = this.#shop;
    this.#life = new DaemonLife({ config, stateDir, order, compileCache: this.#compileCache });
    return this.#life;
  }

  async #streams(): Promise<readonly { resource: string; fresh_at: string | null }[]> {
    const answer = await this.#ask('GET', '/v2/integrations/provider_a/streams');
    return (answer?.body.data as { resource: string; fresh_at: string | null }[] | undefined) ?? [];
  }

  /** Each life is asked to sync once, and the invoice is looked for as the picker finds it. */
  async #found(number: string): Promise<string> {
    let asked: DaemonLife | null = null;
    return this.#until(async () => {
      const life = this.#life;
      const sync = { resource: 'invoices' };
      if (
        asked !== life &&
        (await this.#ask('POST', '/v2/integrations/provider_a/sync', sync))?.status === 202
      )
        asked = life;
      const answer = await this.#ask('GET', `/v2/invoices?limit=100&search=${number}`);
      const found = (answer?.body.data as { id: string; number: string }[] | undefined) ?? [];
      return found.find((invoice) => invoice.number === number)?.id ?? false;
    });
  }

  /** One key until the daemon has answered and the payment has ended; a new one only after an end that charged nothing. */
  async #paid(invoiceId: string): Promise<void> {
    let key = randomUUID();
    await this.#until(async () => {
      const body = { device_id: DEVICE_ID, invoice_id: invoiceId };
      const created = await this.#ask('POST', '/v2/terminal-payments', body, { 'idempotency-key': key });
      if (!created) return false;
      if (created.status === 409) return codeOf(created) === 'invoice_already_paid';
      if (created.status !== 201) return false;
      const { id } = created.body.data as { id: string };
      const payment = await this.#ended(id);
      if (payment.charged === 'no') key = randomUUID();
      return payment.charged === 'yes';
    });
  }

  async #ended(id: string): Promise<{ readonly charged: string }> {
    return this.#until(async () => {
      const answer = await this.#ask('GET', `/v2/terminal-payments/${id}`);
      const payment = answer?.body.data as { status: string; charged: string } | undefined;
      return payment && FINAL.includes(payment.status) ? payment : false;
    });
  }

  #reported(invoiceId: string): boolean {
    return this.#shop.service.control
      .ledger()
      .some((line) => line['invoice_id'] === invoiceId && line['status'] === 'succeeded');
  }

  async #insist(method: string, path: string, body: object): Promise<void> {
    await this.#until(async () => ((await this.#ask(method, path, body))?.status ?? 500) < 300);
  }

  async #until<T>(look: () => Promise<T | false>): Promise<T> {
    const end = performance.now() + LIMIT_MS;
    for (;;) {
      const found = await look();
      if (found !== false) return found;
      if (performance.now() > end)
        throw new Error(`nothing within ${LIMIT_MS} ms\n${this.#life?.log.slice(-20).join('\n')}`);
      await wait(LOOK_MS);
    }
  }

  async #ask(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const client = new Client('http://localhost', { socketPath: join(this.#shop.stateDir, 'tilld.sock') });
    try {
      const reply = await client.request({
        method: method as 'GET',
        path,
        headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
        headersTimeout: 10_000,
        bodyTimeout: 10_000,
      });
      return { status: reply.statusCode, body: JSON.parse(await reply.body.text()) };
    } catch {
      return null;
    } finally {
      await client.destroy();
    }
  }
}

function codeOf({ body }: NonNullable<Answer>): unknown {
  return (body['error'] as { code?: unknown } | undefined)?.code;
}
