import type { InjectOptions } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiContext } from '../../../src/api/context.ts';
import { createApi } from '../../../src/api/create-api.ts';
import { receiptAddress } from '../../../src/api/receipts/receipt-address.ts';
import { RECEIPT_LIFE_MS } from '../../../src/api/receipts/receipt-tokens.ts';
import type { AttemptState } from '../../../src/payment/attempt/state-machine.ts';
import { dataOf, ReceiptLink } from '../../contract/shapes.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { DEVICE_ID } from './memory-payments.ts';
import { KEYS, openShop } from './shop.ts';

const SUCCEEDED = { name: 'succeeded' } as AttemptState;
const LAN = { url: 'https://shop.local:8443', trustUrl: '', fingerprint: '' };
const TEXT = 'SHOP & SONS\nCARD **** 4242\n<b>12.34 EUR</b>';

/** An API that listens nowhere, of a shop with one paid sale of 12.34. */
function opened({ lan = true, language }: { lan?: boolean; language?: 'de' } = {}) {
  const shop = openShop();
  const clock = new VirtualClock(Date.parse('2026-11-27T09:00:00Z'));
  const deps = { ...shop.deps, clock, ...(language ? { language } : {}) };
  const context = new ApiContext({ environment: 'sandbox', version: '0.1.0' }, deps);
  if (lan) context.listeningInLan(LAN);
  const api = createApi(context, { via: 'tcp' });
  const ask = async (url: string, change: InjectOptions = {}) => {
    const headers = { host: '127.0.0.1', ...change.headers };
    const { statusCode, headers: got, body } = await api.inject({ ...change, url, headers });
    return { status: statusCode, headers: got, text: body };
  };
  const link = async (id: string, key: string = KEYS.full) => {
    const url = `/v2/terminal-payments/${id}/receipt-link`;
    const { status, text } = await ask(url, { method: 'POST', headers: { 'x-api-key': key } });
    return { status, json: JSON.parse(text) };
  };
  const paid = (minor = 1234, receipts: { readonly customer?: string } = { customer: TEXT }) => {
    const amount = { minor, currency: 'EUR' } as const;
    const sale = { deviceId: DEVICE_ID, amount, caller: 'test', invoiceId: null, reference: null } as const;
    const { attempt } = shop.payments.create({ ...sale, metadata: {}, after: null, trace: null });
    const completedAt = clock.now();
    shop.payments.move(attempt.id, { state: SUCCEEDED, receipts, completedAt });
    return attempt.id;
  };
  const pathOf = async (id: string) => new URL((await link(id)).json.data.url).pathname;
  return { shop, clock, ask, link, paid, pathOf };
}

describe('the link to a receipt', () => {
  let at: ReturnType<typeof opened>;
  beforeEach(() => {
    at = opened();
  });

  it('names the address that a phone reaches, and ends after 15 minutes', async () => {
    const { status, json } = await at.link(at.paid());
    expect(status).toBe(201);
    expect(dataOf(ReceiptLink).safeParse(json).error).toBeUndefined();
    expect(json.data).toEqual({
      url: expect.stringMatching(/^https:\/\/shop\.local:8443\/receipts\/v1\.[\w-]{104}$/),
      expires_at: '2026-11-27T09:15:00.000Z',
      certificate: 'shop',
    });
  });

  it.each([
    ['requested', { name: 'requested' }],
    ['declined', { name: 'declined' }],
    ['cancelled', { name: 'cancelled' }],
    ['error', { name: 'error' }],
    ['in doubt', { name: 'in_doubt', hadApproval: true }],
  ])('is not made for a payment that is %s, and an old one opens nothing then', async (_name, state) => {
    const id = at.paid();
    const path = await at.pathOf(id);
    at.shop.payments.move(id, { state: state as AttemptState });
    expect(await at.link(id)).toMatchObject({
      status: 409,
      json: { error: { code: 'receipt_unavailable' } },
    });
    expect((await at.ask(path)).status).toBe(404);
  });

  it.each([{ correctedBy: 'another' }, { charged: 'no' }, { charged: 'unknown' }] as const)(
    'is not made for a payment that newer evidence contradicts (%o), and an old one opens nothing then',
    async (evidence) => {
      const id = at.paid();
      const path = await at.pathOf(id);
      const { payments } = at.shop;
      const view = payments.get(id);
      payments.get = () => ({ ...view, ...evidence });
      expect((await at.link(id)).json.error.code).toBe('receipt_unavailable');
      expect((await at.ask(path)).status).toBe(404);
    },
  );

  it('is not made where no phone reaches tilld, for no unknown payment, and by no key that only reads', async () => {
    const inside = opened({ lan: false });
    expect(await inside.link(inside.paid())).toMatchObject({
      status: 409,
      json: { error: { code: 'receipts_not_served' } },
    });
    expect((await at.link('0198c5a0-0000-7000-8000-00000000dead')).status).toBe(404);
    expect((await at.link(at.paid(), KEYS.reader)).status).toBe(403);
  });

  it('prefers the certificate of the configuration, at a name that another machine can reach', () => {
    const lan = 'https://shop.local:8443';
    const own = { url: 'https://till.example', certificate: 'configured' };
    expect(receiptAddress('https://0.0.0.0:443', ['till.example', '0.0.0.0'], lan)).toEqual(own);
    expect(receiptAddress('https://0.0.0.0:8480', ['0.0.0.0'], lan)?.certificate).toBe('shop');
    expect(receiptAddress('http://127.0.0.1:8480', ['till.example', '127.0.0.1'], null)).toBeNull();
    expect(receiptAddress('https://127.0.0.1:8480', ['127.0.0.1'], null)).toBeNull();
  });
});

describe('the page of a receipt', () => {
  let at: ReturnType<typeof opened>;
  beforeEach(() => {
    at = opened();
  });

  it('shows the receipt of the terminal as text, without a sign-in, a script or a copy on the way', async () => {
    const { status, text, headers } = await at.ask(await at.pathOf(at.paid()));
    expect(status).toBe(200);
    expect(text).toContain('<h1>Paid: €12.34</h1>');
    expect(text).toContain('SHOP &amp; SONS\nCARD **** 4242\n&lt;b&gt;12.34 EUR&lt;/b&gt;');
    expect(text).toContain('27 November 2026 at 10:00');
    expect(text).toContain('until 10:15');
    expect(text).not.toMatch(/<script|<img|<link|href=|src=/);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri/,
    );
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('has no id of the payment or the terminal in it, and no reference', async () => {
    const id = at.paid();
    const { text } = await at.ask(await at.pathOf(id));
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it('shows the facts of a payment of which the terminal gave no text', async () => {
    const { text } = await at.ask(await at.pathOf(at.paid(500, {})));
    expect(text).toContain('<h1>Paid: €5.00</h1>');
    expect(text).not.toContain('<pre');
  });

  it('calls a refund a refund', async () => {
    const { attempt } = at.shop.payments.refund({ parentId: at.paid(), caller: 'test' } as never);
    at.shop.payments.move(attempt.id, { state: SUCCEEDED, completedAt: at.clock.now() });
    expect((await at.ask(await at.pathOf(attempt.id))).text).toContain('<h1>Refunded: €12.34</h1>');
  });

  it.each([
    ['de-AT,en;q=0.5', 'Bezahlt: 12,34\u00a0€'],
    ['fr', 'Payé\u202f: 12,34\u00a0€'],
    ['en-US,de', 'Paid: €12.34'],
  ])('is in the language of the phone: %s', async (accepted, title) => {
    const { text } = await at.ask(await at.pathOf(at.paid()), { headers: { 'accept-language': accepted } });
    expect(text).toContain(`<h1>${title}</h1>`);
  });

  it('is in the language of the shop where the phone names none that there is', async () => {
    const german = opened({ language: 'de' });
    const path = await german.pathOf(german.paid());
    expect((await german.ask(path, { headers: { 'accept-language': 'pl' } })).text).toContain('lang="de"');
    expect((await german.ask(path)).text).toContain('lang="de"');
    expect((await german.ask('/receipts/x')).text).toContain('lang="de"');
  });

  it('opens after a restart as well, and from a page that links to it, but in no frame', async () => {
    const path = await at.pathOf(at.paid());
    const mode = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' };
    const visit = (dest: string) => at.ask(path, { headers: { ...mode, 'sec-fetch-dest': dest } });
    expect((await visit('document')).status).toBe(200);
    expect((await visit('iframe')).status).toBe(403);
  });
});

describe('an address that opens no receipt', () => {
  let at: ReturnType<typeof opened>;
  beforeEach(() => {
    at = opened();
  });

  /** What every wrong address answers. */
  async function expectNothing(path: string): Promise<void> {
    const { status, text, headers } = await at.ask(path);
    const known = await at.ask('/receipts/nothing');
    expect([path.slice(0, 60), status, text]).toEqual([path.slice(0, 60), 404, known.text]);
    expect(text).toContain('Ask the staff for the receipt');
    expect(headers['content-security-policy']).toBe(known.headers['content-security-policy']);
    expect(headers['cache-control']).toBe('no-store');
  }

  it('is one and the same page, whatever is wrong with it', async () => {
    const path = await at.pathOf(at.paid());
    const content = `${at.paid()} ${at.clock.now() + RECEIPT_LIFE_MS}`;
    const sealedElsewhere = at.shop.deps.sealer.seal(content, 'endpoint 1');
    const sealedHere = at.shop.deps.sealer.seal(content, 'receipt link');
    expect((await at.ask(`/receipts/${sealedHere}`)).status).toBe(200);
    const [, token = ''] = path.split('/receipts/');
    for (const wrong of [
      '/receipts/',
      '/receipts/x',
      `/receipts/${'A'.repeat(107)}`,
      `/receipts/v1.${'A'.repeat(104)}`,
      `/receipts/${'A'.repeat(9_000)}`,
      `/receipts/${sealedElsewhere}`,
      `/receipts/${opened().shop.deps.sealer.seal('y'.repeat(50), 'receipt link')}`,
      `/receipts/${at.shop.deps.sealer.seal('y'.repeat(50), 'receipt link')}`,
      `${path}/`,
      `${path}${token}`,
      `${path}/${token}`,
      `${path}%00`,
      `${path}%zz`,
      '/receipts/%',
      `/receipts/%2e%2e%2f..%2fcredentials%2fseal.key`,
      `/receipts//${token}`,
      '/receipts/<script>alert(1)</script>',
    ]) {
      await at.clock.advance(2_000);
      await expectNothing(wrong);
    }
  });

  it('is a token of which one character was changed, wherever', async () => {
    const path = await at.pathOf(at.paid());
    const start = '/receipts/v1.'.length;
    for (let index = start; index < path.length; index += 1) {
      await at.clock.advance(1_000);
      const other = path[index] === 'A' ? 'B' : 'A';
      const { status } = await at.ask(path.slice(0, index) + other + path.slice(index + 1));
      expect([index, status]).toEqual([index, 404]);
    }
  });

  it('is a token that has expired, also where the clock was set back since', async () => {
    const path = await at.pathOf(at.paid());
    await at.clock.advance(RECEIPT_LIFE_MS - 1);
    expect((await at.ask(path)).status).toBe(200);
    await at.clock.advance(1);
    await expectNothing(path);
    at.clock.jumpWallClock(-RECEIPT_LIFE_MS - 1_000);
    await expectNothing(path);
  });

  it('is the token of another shop’s key, as after a restore', async () => {
    const other = opened();
    await expectNothing(await other.pathOf(other.paid()));
  });

  it('opens its own payment alone', async () => {
    const [one, two] = [await at.pathOf(at.paid(1111)), await at.pathOf(at.paid(2222))];
    expect(one).not.toBe(two);
    expect((await at.ask(one)).text).toContain('€11.11');
    expect((await at.ask(two)).text).toContain('€22.22');
    const mixed = one.slice(0, 60) + two.slice(60);
    await expectNothing(mixed);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const)(
    'is asked for by %s',
    async (method) => {
      const { status, text } = await at.ask(await at.pathOf(at.paid()), { method });
      expect(status).toBe(404);
      expect(text).not.toContain('12.34');
    },
  );

  it('is asked for too often from one address, until a minute later, and by other addresses still', async () => {
    const path = await at.pathOf(at.paid());
    for (let index = 0; index < 20; index += 1) await at.ask('/receipts/guess');
    const busy = await at.ask(path);
    expect([busy.status, busy.headers['retry-after']]).toEqual([429, '1']);
    expect(busy.text).toContain('Wait a minute');
    expect(busy.text).not.toContain('12.34');
    expect((await at.ask(path, { remoteAddress: '192.168.1.77' })).status).toBe(200);
    await at.clock.advance(60_000);
    expect((await at.ask(path)).status).toBe(200);
  });
});
