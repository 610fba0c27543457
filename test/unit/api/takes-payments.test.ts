import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Event } from '../../../src/api/contract/event.ts';
import { TerminalDevice } from '../../../src/api/contract/terminal-device.ts';
import { Explanation, TerminalPayment } from '../../../src/api/contract/terminal-payment.ts';
import { DEVICE_ID } from './memory-payments.ts';
import { ask, KEYS, keyId, sale, startShop } from './shop.ts';

describe('the interface takes payments', () => {
  let started: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    started = await startShop();
  });
  afterAll(() => started.api.stop());

  const post = (body: string, headers = {}, to = started.api.url) =>
    ask(to, { method: 'POST', path: '/v2/terminal-payments', body, headers });

  it('creates one with 201 and shows it under its id, in the list, as an event and with its timeline', async () => {
    const created = await post(sale({ reference: 'order 1', metadata: { till: 3 } }));
    expect(created.status).toBe(201);
    const payment = TerminalPayment.parse(created.json.data);
    expect(payment).toMatchObject({
      status: 'requested',
      charged: 'unknown',
      amount_minor: 1234,
      reference: 'order 1',
      metadata: { till: 3 },
    });
    const { url } = started.api;
    expect((await ask(url, { path: `/v2/terminal-payments/${payment.id.toUpperCase()}` })).json.data.id).toBe(
      payment.id,
    );
    const list = await ask(url, { path: '/v2/terminal-payments?limit=1' });
    expect(list.json).toMatchObject({
      object: 'list',
      url: '/v2/terminal-payments',
      data: [{ id: payment.id }],
    });
    const events = await ask(url, { path: '/v2/events' });
    expect(Event.parse(events.json.data.at(-1))).toMatchObject({
      type: 'terminal_payment.requested',
      data: { id: payment.id },
    });
    const story = await ask(url, { path: `/v2/terminal-payments/${payment.id}/explain` });
    expect(Explanation.parse(story.json.data).story[0]?.text).toBe('requested');
  });

  it('takes blanks around a reference for no part of it, and ids in any letters for the same', async () => {
    const invoice = '0199c0de-0001-7000-8000-00000000000b';
    const body = sale({
      device_id: DEVICE_ID.toUpperCase(),
      reference: ' order 2 ',
      invoice_id: invoice.toUpperCase(),
    });
    const created = (await post(body)).json.data;
    expect(created).toMatchObject({ device_id: DEVICE_ID, reference: 'order 2', invoice_id: invoice });
    expect((await post(sale({ reference: '  ' }))).json).toMatchObject({ error: { param: 'reference' } });
  });

  it('lets a named person end a doubt, with words, and only a doubt', async () => {
    const { id } = (await post(sale())).json.data;
    const resolve = (body: object) =>
      ask(started.api.url, {
        method: 'POST',
        path: `/v2/terminal-payments/${id}/resolve`,
        body: JSON.stringify(body),
      });
    const words = { as: 'succeeded', by: 'Anna', reason: 'compared', shown: 'receipt 0042' };
    expect((await resolve(words)).json).toMatchObject({ error: { code: 'payment_not_in_doubt' } });
    started.shop.payments.move(id, { state: { name: 'in_doubt', hadApproval: false } });
    expect((await resolve({ ...words, by: ' ' })).json).toMatchObject({ error: { param: 'by' } });
    expect((await resolve({ ...words, as: 'declined' })).json).toMatchObject({ error: { param: 'as' } });
    const resolved = await resolve({ ...words, shown: 'card 4111111111111111' });
    expect(TerminalPayment.parse(resolved.json.data)).toMatchObject({ status: 'succeeded', charged: 'yes' });
    expect(started.shop.payments.get(id).attempt.evidence).toMatchObject({
      by: 'Anna',
      shown: 'card 411111******1111',
    });
  });

  it('says who called: the key over TCP, the socket over the socket', async () => {
    await post(sale(), { host: '127.0.0.1' });
    expect(started.shop.payments.attempts.at(-1)?.origin).toEqual({ kind: 'local', caller: keyId('full') });
    const answer = await ask(started.socketPath, {
      method: 'POST',
      path: '/v2/terminal-payments',
      body: sale(),
      key: null,
    });
    expect(answer.status).toBe(201);
    expect(started.shop.payments.attempts.at(-1)?.origin).toEqual({ kind: 'local', caller: 'socket' });
  });

  it.each(['1e3', '1E3', '1.0', '1000.00', '-0'])(
    'refuses the amount %s: it is a whole number, written in digits',
    async (amount) => {
      const answer = await post(`{"device_id":"${DEVICE_ID}","amount_minor":${amount},"currency":"EUR"}`);
      expect(answer).toMatchObject({ status: 400, json: { error: { param: 'amount_minor' } } });
    },
  );

  it('compares ids in lower case, so that one invoice cannot be two', async () => {
    const invoice = '0198C5A0-BBBB-7000-8000-00000000000A';
    const answer = await post(sale({ device_id: DEVICE_ID.toUpperCase(), invoice_id: invoice }));
    expect(answer.json.data).toMatchObject({ invoice_id: invoice.toLowerCase(), device_id: DEVICE_ID });
  });

  it('lets no card number into reference or metadata', async () => {
    const answer = await post(
      sale({
        reference: 'card 4111 1111 1111 1111',
        metadata: { a: ['5559 8300 0000 0004 x', 4111111111111111] },
      }),
    );
    const stored = JSON.stringify(started.shop.payments.attempts.at(-1));
    for (const text of [answer.text, stored])
      expect(text).not.toMatch(/4111[ ]?1111[ ]?1111|4111111111111111/);
  });

  it('lists devices by offset, in the shape of the version', async () => {
    const { url } = started.api;
    const now = await ask(url, { path: '/v2/terminal-devices?limit=1&offset=0' });
    expect(now.json).toMatchObject({ object: 'list', has_more: true, url: '/v2/terminal-devices' });
    expect(TerminalDevice.parse(now.json.data[0]).name).toBe('Counter 1');
    const before = await ask(url, {
      path: '/v2/terminal-devices?limit=1&offset=1',
      headers: { 'service-version': '2026-01-15' },
    });
    expect(before.json.pagination).toEqual({ limit: 1, offset: 1, total: 2, hasMore: false });
    expect(before.json.object).toBeUndefined();
    const one = await ask(url, { path: `/v2/terminal-devices/${DEVICE_ID}` });
    expect(one.json.data).toMatchObject({ id: DEVICE_ID, terminal_serial: 'S-1', identity_grade: 'serial' });
  });

  it('lists payments under 2026-01-15 with a pagination block', async () => {
    const answer = await ask(started.api.url, { path: '/v2/terminal-payments?limit=2&version=2026-01-15' });
    expect(answer.json).toMatchObject({ data: [{}, {}], pagination: { limit: 2, hasMore: true } });
  });

  it('walks the events oldest first by cursor', async () => {
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { json } = await ask(started.api.url, {
        path: `/v2/events?limit=2${after && `&starting_after=${after}`}`,
      });
      seen.push(...json.data.map((event: { id: string }) => event.id));
      if (!json.has_more) break;
      after = seen.at(-1) ?? '';
    }
    expect(seen).toEqual(started.shop.payments.log.map(({ id }) => id));
  });

  it('passes a refusal of the core on, with what stands in the way', async () => {
    await post(sale({ reference: 'twice' }));
    const answer = await post(sale({ reference: 'twice' }));
    expect(answer).toMatchObject({
      status: 409,
      json: { error: { code: 'payment_already_open', param: 'reference', details: { status: 'requested' } } },
    });
  });

  it('answers HEAD like GET, without a body', async () => {
    const answer = await ask(started.api.url, {
      method: 'HEAD',
      path: '/v2/terminal-devices',
      key: KEYS.reader,
    });
    expect(answer).toMatchObject({ status: 200, text: '' });
  });
});
