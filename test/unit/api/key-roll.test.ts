import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { KeySummary, RolledKey } from '../../../src/api/contract/key.ts';
import { DAY, HOUR, KeyShop } from './key-shop.ts';
import { sale } from './shop.ts';

describe('a key that is rolled', () => {
  it('opens the door with both secrets until the overlap ends, to the millisecond, and with the new one after it', async () => {
    const shop = new KeyShop();
    const { id, key: before } = await shop.make({ name: 'till 3' });
    const answer = await shop.roll(id, { overlap_hours: 2 });
    expect(answer.status).toBe(200);
    const rolled = RolledKey.parse(answer.json.data);
    expect(rolled).toMatchObject({ id, name: 'till 3', scopes: ['payments:read', 'payments:write'] });
    expect(rolled.key).not.toBe(before);
    expect(Date.parse(rolled.overlap_ends_at ?? '')).toBe(shop.clock.now() + 2 * HOUR);
    shop.clock.jumpWallClock(2 * HOUR - 1);
    expect([await shop.fate(before), await shop.fate(rolled.key)]).toEqual([200, 200]);
    shop.clock.jumpWallClock(1);
    expect([await shop.fate(before), await shop.fate(rolled.key)]).toEqual(['expired_api_key', 200]);
  });

  it.each([
    [{}, 24 * HOUR],
    [{ overlap_hours: 168 }, 168 * HOUR],
  ])('with %o the one before lives %i ms', async (body, ms) => {
    const shop = new KeyShop();
    const { id, key } = await shop.make();
    await shop.roll(id, body);
    shop.clock.jumpWallClock(ms - 1);
    expect(await shop.fate(key)).toBe(200);
    shop.clock.jumpWallClock(1);
    expect(await shop.fate(key)).toBe('expired_api_key');
  });

  it('without an overlap ends the one before at once, and no clock that is set back brings it to life', async () => {
    const shop = new KeyShop();
    const { id, key } = await shop.make();
    const { json } = await shop.roll(id, { overlap_hours: 0 });
    expect(json.data.overlap_ends_at).toBeNull();
    expect(await shop.fate(key)).toBe('expired_api_key');
    shop.clock.jumpWallClock(-30 * DAY);
    expect([await shop.fate(key), await shop.fate(json.data.key)]).toEqual(['expired_api_key', 200]);
  });

  it('again during the overlap ends the older one at once and for good, and the newest two work', async () => {
    const shop = new KeyShop();
    const { id, key: first } = await shop.make();
    const second = (await shop.roll(id)).json.data.key;
    const third = (await shop.roll(id, { overlap_hours: 1 })).json.data.key;
    const statuses = async () => [await shop.fate(first), await shop.fate(second), await shop.fate(third)];
    expect(await statuses()).toEqual(['expired_api_key', 200, 200]);
    shop.clock.jumpWallClock(-30 * DAY);
    expect(await statuses()).toEqual(['expired_api_key', 200, 200]);
    shop.clock.jumpWallClock(30 * DAY + HOUR);
    expect(await statuses()).toEqual(['expired_api_key', 'expired_api_key', 200]);
  });

  it('is given the time back by a clock that is set back: only a person ends a secret for good', async () => {
    const shop = new KeyShop();
    const { id, key } = await shop.make();
    await shop.roll(id, { overlap_hours: 1 });
    shop.clock.jumpWallClock(2 * HOUR);
    expect(await shop.fate(key)).toBe('expired_api_key');
    shop.clock.jumpWallClock(-2 * HOUR);
    expect(await shop.fate(key)).toBe(200);
  });

  it('is what it was after a restart in the middle of the overlap', async () => {
    const shop = new KeyShop();
    const { id, key } = await shop.make();
    const rolled = (await shop.roll(id, { overlap_hours: 2 })).json.data.key;
    shop.clock.jumpWallClock(HOUR);
    shop.restart();
    expect([await shop.fate(key), await shop.fate(rolled)]).toEqual([200, 200]);
    shop.clock.jumpWallClock(HOUR);
    expect([await shop.fate(key), await shop.fate(rolled)]).toEqual(['expired_api_key', 200]);
  });

  it('keeps its addresses, and its own end comes before that of the overlap', async () => {
    const shop = new KeyShop();
    const { id, key } = await shop.make({ allow: ['10.0.0.0/8'], expires_in_days: 1 });
    const rolled = (await shop.roll(id, { overlap_hours: 168 })).json.data.key;
    for (const secret of [key, rolled]) {
      expect(await shop.fate(secret, '10.1.2.3')).toBe(200);
      expect(await shop.fate(secret, '11.1.2.3')).toBe('ip_not_allowed');
    }
    shop.clock.jumpWallClock(DAY);
    expect([await shop.fate(key, '10.1.2.3'), await shop.fate(rolled, '10.1.2.3')]).toEqual([
      'expired_api_key',
      'expired_api_key',
    ]);
  });

  it('stays one caller: a request is answered again under its idempotency key whichever secret asks', async () => {
    const shop = new KeyShop();
    const { id, key } = await shop.make();
    const pay = (secret: string) =>
      shop.till('/v2/terminal-payments', {
        key: secret,
        method: 'POST',
        body: JSON.parse(sale()),
        headers: { 'idempotency-key': 'once' },
      });
    const first = await pay(key);
    expect(first.status).toBe(201);
    const again = await pay((await shop.roll(id)).json.data.key);
    expect(again).toMatchObject({
      status: 201,
      text: first.text,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect(shop.shop.payments.attempts).toHaveLength(1);
  });

  it('stays one caller: both secrets have one budget', async () => {
    const shop = new KeyShop({ rateLimit: { perMinute: 1, burst: 2 } });
    const { id, key } = await shop.make();
    const rolled = (await shop.roll(id)).json.data.key;
    expect([
      await shop.fate(key),
      await shop.fate(rolled),
      await shop.fate(key),
      await shop.fate(rolled),
    ]).toEqual([200, 200, 'rate_limit_exceeded', 'rate_limit_exceeded']);
  });

  it('shows the overlap while it lasts and not after it', async () => {
    const shop = new KeyShop();
    const { id } = await shop.make();
    await shop.roll(id, { overlap_hours: 1 });
    const shown = async () => KeySummary.parse((await shop.socket('GET', '/v2/keys')).json.data[0]);
    expect(Date.parse((await shown()).overlap_ends_at ?? '')).toBe(shop.clock.now() + HOUR);
    shop.clock.jumpWallClock(HOUR);
    expect(await shown()).toMatchObject({ id, overlap_ends_at: null, status: 'active' });
  });

  it.each([
    [{ overlap_hours: 169 }, 'overlap_hours'],
    [{ overlap_hours: -1 }, 'overlap_hours'],
    [{ overlap_hours: 1.5 }, 'overlap_hours'],
    [{ overlap_hours: '24' }, 'overlap_hours'],
    [{ hours: 1 }, 'hours'],
    [{ by: '' }, 'by'],
    [{ by: 'Anna\u0007' }, 'by'],
  ])('is not for %o', async (body, param) => {
    const shop = new KeyShop();
    const { id, key } = await shop.make();
    expect(await shop.roll(id, body)).toMatchObject({ status: 400, json: { error: { param } } });
    expect(await shop.fate(key)).toBe(200);
    expect(await shop.audit(id)).toHaveLength(1);
  });

  it('is not rolled once it has ended, and is not there when nobody made it', async () => {
    const shop = new KeyShop();
    const expired = await shop.make({ expires_in_days: 1 });
    const revoked = await shop.make();
    await shop.revoke(revoked.id);
    shop.clock.jumpWallClock(DAY);
    for (const { id } of [expired, revoked])
      expect(await shop.roll(id)).toMatchObject({ status: 400, json: { error: { code: 'invalid_status' } } });
    const nobody = '0198c5a0-cccc-7000-8000-000000000009';
    for (const verb of ['roll', 'revoke'])
      expect(await shop.socket('POST', `/v2/keys/${nobody}/${verb}`)).toMatchObject({
        status: 404,
        json: { error: { code: 'resource_not_found', param: 'id' } },
      });
    expect((await shop.socket('GET', `/v2/keys/${nobody}/audit`)).status).toBe(404);
  });

  it('is rolled once by one request that is sent twice, also across a restart: the lost secret is told again', async () => {
    const shop = new KeyShop();
    const { id, key } = await shop.make();
    const once = { 'idempotency-key': 'roll-1' };
    const first = await shop.roll(id, {}, once);
    shop.restart();
    const again = await shop.roll(id, {}, once);
    expect(again).toMatchObject({
      status: 200,
      text: first.text,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect([await shop.fate(key), await shop.fate(first.json.data.key)]).toEqual([200, 200]);
    expect(await shop.audit(id)).toHaveLength(2);
    expect((await shop.roll(id, { overlap_hours: 0 }, once)).status).toBe(422);
  });

  it('what is kept of an answer with a secret is sealed: the books hold no key in plain text', async () => {
    const shop = new KeyShop();
    const once = (name: string) => ({ 'idempotency-key': name });
    const body = { scopes: ['payments:read'] };
    const created = (await shop.socket('POST', '/v2/keys', body, once('a'))).json.data;
    const rolled = (await shop.roll(created.id, {}, once('b'))).json.data;
    const again = (await shop.socket('POST', '/v2/keys', body, once('a'))).json.data;
    expect(again).toEqual(created);
    expect(shop.database.all('SELECT 1 FROM kept_answers')).toHaveLength(2);
    shop.database.checkpoint();
    const books = readFileSync(shop.path, 'latin1') + readFileSync(`${shop.path}-wal`, 'latin1');
    for (const { key } of [created, rolled]) expect(books).not.toContain(key);
  });
});
