import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rest } from '../../../../drivers/providers/rest/manifest.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { systemClock } from '../../../../src/runtime/system-clock.ts';
import { startSandboxProvider } from '../../../../src/sandbox/provider/start-sandbox-provider.ts';
import { textMemory } from '../../../support/shop.ts';
import { openOverHttp } from '../../../support/source-context.ts';

const DEMO = join(import.meta.dirname, '../../../../config/demo/tilld.jsonc');
const { settings } = parse(readFileSync(DEMO, 'utf8')).integrations.provider_a;
const signal = new AbortController().signal;
const PAYMENT = {
  id: '0199c0de-0000-7000-8000-000000000101',
  invoiceId: 'I-1',
  amountMinor: 1999,
  currency: 'EUR',
  paidAt: Date.parse('2026-11-26T09:00:00Z'),
} as const;

async function opened(baseUrl: string, recipe: object = settings.recipe) {
  const { connector, close } = await openOverHttp(rest, { recipe }, { apiKey: 'k', baseUrl });
  onTestFinished(close);
  return connector;
}

/** A source whose answers the test chooses; it keeps what was sent to it. */
async function aSource(
  answer: (request: IncomingMessage) => { status: number; body?: unknown; location?: string },
) {
  const seen: { method: string; url: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    seen.push({ method: request.method ?? '', url: request.url ?? '', body });
    const { status, body: sent, location } = answer(request);
    const headers = { 'content-type': 'application/json', ...(location ? { location } : {}) };
    response.writeHead(status, headers).end(JSON.stringify(sent ?? null));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, seen, posts: () => seen.filter(({ method }) => method === 'POST') };
}

describe('a recipe that says how payments are recorded', () => {
  it('records a payment once at the provider of the demo, and pays its invoice there', async () => {
    const provider = await startSandboxProvider(
      { listen: { host: '127.0.0.1', port: 0 }, key: 'k' },
      { clock: systemClock, log: silentLog, memory: textMemory() },
    );
    onTestFinished(() => provider.stop());
    const connector = await opened(provider.url);
    const invoice = await connector.get?.('invoices', 'I-1', signal);
    const amountMinor = Number(invoice?.fields['total_minor']);
    const record = () => connector.recordPayment?.({ ...PAYMENT, amountMinor }, signal);
    expect(await record()).toBe('created');
    expect(await record()).toBe('present');
    expect((await connector.get?.('invoices', 'I-1', signal))?.fields).toMatchObject({ status: 'paid' });
    const answer = await fetch(`${provider.url}/invoices/I-1/payments`, {
      headers: { authorization: 'Bearer k' },
    });
    expect((await answer.json()).data).toMatchObject([
      { external_id: PAYMENT.id, amount: (amountMinor / 100).toFixed(2) },
    ]);
  });

  it('writes both ids into paths and queries, and expressions into the body', async () => {
    const { url, seen } = await aSource(({ method }) => ({
      status: method === 'POST' ? 201 : 200,
      body: [],
    }));
    const payments = {
      find: { path: '/payments', query: { q: 'ref:{payment}' }, where: 'ref = $payment.id' },
      create: {
        path: '/bills/{invoice}/payments',
        body: {
          ref: 'id',
          bill: 'invoice_id',
          sum: 'amount_minor',
          in: 'currency',
          at: 'paid_at',
          by: '$values.by',
        },
      },
    };
    const connector = await opened(url, { ...settings.recipe, values: { by: 'till' }, payments });
    expect(await connector.recordPayment?.({ ...PAYMENT, invoiceId: 'a/b?c' }, signal)).toBe('created');
    expect(seen.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
      `GET /payments?q=ref%3A${PAYMENT.id}`,
      'POST /bills/a%2Fb%3Fc/payments',
    ]);
    expect(JSON.parse(seen[1]?.body ?? '')).toEqual({
      ref: PAYMENT.id,
      bill: 'a/b?c',
      sum: 1999,
      in: 'EUR',
      at: '2026-11-26T09:00:00.000Z',
      by: 'till',
    });
  });

  it.each([
    ['the look-up fails', (get: boolean) => ({ status: get ? 500 : 201 }), 'SOURCE_UNAVAILABLE', 0],
    [
      'the look-up gives no list',
      (get: boolean) => ({ status: get ? 200 : 201, body: {} }),
      'SOURCE_MALFORMED',
      0,
    ],
    [
      'the source refuses it',
      (get: boolean) => (get ? { status: 200, body: { data: [] } } : { status: 422 }),
      'SOURCE_REFUSED',
      1,
    ],
    ['the source refuses the key', () => ({ status: 401 }), 'SOURCE_UNAUTHORISED', 0],
    [
      'the source redirects it',
      (get: boolean) => (get ? { status: 200, body: { data: [] } } : { status: 307, location: '/elsewhere' }),
      'SOURCE_MALFORMED',
      1,
    ],
    [
      'the source fails',
      (get: boolean) => (get ? { status: 200, body: { data: [] } } : { status: 503 }),
      'SOURCE_UNAVAILABLE',
      1,
    ],
  ])('sends it once at most when %s', async (_why, answer, code, sent) => {
    const source = await aSource(({ method }) => answer(method === 'GET'));
    const connector = await opened(source.url);
    await expect(connector.recordPayment?.(PAYMENT, signal)).rejects.toMatchObject({ code });
    expect(source.posts()).toHaveLength(sent);
  });

  it('may be a form; a failure with a status of 200 is no payment that was recorded', async () => {
    const source = await aSource(({ method }) => ({
      status: 200,
      body: method === 'GET' ? { data: [] } : { error: { code: 'closed', message: 'the invoice is paid' } },
    }));
    const { payments } = settings.recipe;
    const create = { path: '/payments', encoding: 'form', body: { ref: 'id', sum: 'amount_minor' } };
    const recipe = {
      ...settings.recipe,
      payments: { find: { ...payments.find, items: 'data' }, create },
      failure: { when: 'error', code: 'error.code', codes: { closed: 'refused' } },
    };
    const connector = await opened(source.url, recipe);
    await expect(connector.recordPayment?.(PAYMENT, signal)).rejects.toMatchObject({
      code: 'SOURCE_REFUSED',
      message: expect.stringContaining('the invoice is paid'),
    });
    expect(source.seen[1]?.body).toBe(`ref=${PAYMENT.id}&sum=${PAYMENT.amountMinor}`);
  });

  it('does not offer it without the section, and refuses a section that cannot work', async () => {
    const { payments, ...recipe } = settings.recipe;
    expect((await opened('http://127.0.0.1:9', recipe)).recordPayment).toBeUndefined();
    const wrong = { ...payments, find: { ...payments.find, where: 'external_id =' } };
    await expect(rest.configure({ recipe: { ...recipe, payments: wrong } })).rejects.toThrow(
      /payments\.find\.where: this is no JSONata/,
    );
  });
});
