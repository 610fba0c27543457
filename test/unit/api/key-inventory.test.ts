import { describe, expect, it } from 'vitest';
import { KeyAudit, KeySummary } from '../../../src/api/contract/key.ts';
import { Database } from '../../../src/store/database.ts';
import { SqliteKeyStore } from '../../../src/store/keys/sqlite-key-store.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { aFolder } from '../../support/money-database.ts';
import { DAY, HOUR, KeyShop } from './key-shop.ts';

describe('which keys there are', () => {
  it('a key is stale when nobody has used it for 90 days; one that was never used counts from its creation', async () => {
    const shop = new KeyShop();
    const [never, used] = [await shop.make({ name: 'never' }), await shop.make({ name: 'used' })];
    const stale = async () => (await listed(shop, '?stale=true')).map(({ name }) => name);
    shop.clock.jumpWallClock(DAY);
    await shop.fate(used.key);
    shop.clock.jumpWallClock(89 * DAY - 1);
    expect(await stale()).toEqual([]);
    shop.clock.jumpWallClock(1);
    expect(await stale()).toEqual(['never']);
    shop.clock.jumpWallClock(DAY);
    expect(await stale()).toEqual(['used', 'never']);
    await shop.fate(never.key);
    expect(await stale()).toEqual(['used']);
    expect((await listed(shop, '?stale=false')).map(({ name }) => name)).toEqual(['never']);
    expect((await listed(shop, '')).map((key) => key.stale)).toEqual([true, false]);
  });

  it('what opens nothing any more is not called stale', async () => {
    const shop = new KeyShop();
    await shop.make({ expires_in_days: 1 });
    const { id } = await shop.make();
    await shop.revoke(id);
    shop.clock.jumpWallClock(365 * DAY);
    expect((await listed(shop, '')).map(({ status, stale }) => [status, stale])).toEqual([
      ['revoked', false],
      ['expired', false],
    ]);
  });

  it('can be asked for by status', async () => {
    const shop = new KeyShop();
    await shop.make({ name: 'a' });
    await shop.make({ name: 'b', expires_in_days: 1 });
    const { id } = await shop.make({ name: 'c', expires_in_days: 1 });
    await shop.revoke(id);
    shop.clock.jumpWallClock(DAY);
    const names = async (query: string) => (await listed(shop, query)).map(({ name }) => name);
    expect(await names('?status=active')).toEqual(['a']);
    expect(await names('?status=expired')).toEqual(['b']);
    expect(await names('?status=revoked')).toEqual(['c']);
    expect((await shop.socket('GET', '/v2/keys?status=lost')).json.error).toMatchObject({ param: 'status' });
  });

  it('the last use is noted to the minute, and a clock that was set back does not stop it', async () => {
    const shop = new KeyShop();
    const { id, key } = await shop.make();
    const lastUse = () => shop.keys.find(id)?.lastUsedAt;
    const first = shop.clock.now();
    await shop.fate(key);
    await shop.clock.advance(59_999);
    await shop.fate(key);
    expect(lastUse()).toBe(first);
    await shop.clock.advance(1);
    await shop.fate(key);
    expect(lastUse()).toBe(first + 60_000);
    shop.clock.jumpWallClock(-DAY);
    await shop.clock.advance(60_000);
    await shop.fate(key);
    expect(lastUse()).toBe(shop.clock.now());
  });

  it('there are at most 256 that live; what was revoked or has expired makes room', async () => {
    const shop = new KeyShop();
    const first = await shop.make({ expires_in_days: 1 });
    const second = await shop.make();
    for (let count = 2; count < 256; count += 1) await shop.make();
    const ask = () => shop.socket('POST', '/v2/keys', { scopes: ['payments:read'] });
    expect(await ask()).toMatchObject({ status: 422, json: { error: { code: 'api_key_limit_reached' } } });
    await shop.revoke(second.id);
    expect((await ask()).status).toBe(201);
    expect((await ask()).status).toBe(422);
    shop.clock.jumpWallClock(DAY);
    expect(await shop.fate(first.key)).toBe('expired_api_key');
    expect((await ask()).status).toBe(201);
    expect((await shop.roll(first.id)).status).toBe(400);
  });

  it.each([
    ['', 'name'],
    ['   ', 'name'],
    ['x'.repeat(65), 'name'],
    ['till\n3', 'name'],
    ['till\u202e3', 'name'],
  ])('a name like %j is refused', async (name, param) => {
    const shop = new KeyShop();
    const body = { scopes: ['payments:read'], name };
    expect(await shop.socket('POST', '/v2/keys', body)).toMatchObject({
      status: 400,
      json: { error: { param } },
    });
    expect(await listed(shop, '')).toEqual([]);
  });

  it('a card number or a key in a name or behind `by` is cut before it is kept', async () => {
    const shop = new KeyShop();
    const secret = `rk_live_${'Z'.repeat(32)}`;
    const { id } = await shop.make({ name: '4111 1111 1111 1111', by: secret });
    const rows = JSON.stringify([
      shop.database.all('SELECT * FROM api_keys'),
      shop.database.all('SELECT * FROM key_audit'),
    ]);
    expect(rows).not.toContain('1111 1111');
    expect(rows).not.toContain('ZZZZ');
    expect((await shop.audit(id))[0]).toMatchObject({ by: 'rk_live_[cut]' });
  });
});

describe('the audit trail of a key', () => {
  it('says what was done, when, through what and by whom, newest first', async () => {
    const shop = new KeyShop();
    const start = shop.clock.now();
    const { id } = await shop.make({ by: 'Anna' });
    shop.clock.jumpWallClock(HOUR);
    await shop.roll(id, { overlap_hours: 2, by: 'Ben' });
    shop.clock.jumpWallClock(HOUR);
    await shop.revoke(id);
    const entries = (await shop.audit(id)).map((entry) => KeyAudit.parse(entry));
    expect(
      entries.map(({ event, at, caller, by, overlap_ends_at }) => [event, at, caller, by, overlap_ends_at]),
    ).toEqual([
      ['revoked', iso(start + 2 * HOUR), 'socket', null, null],
      ['rolled', iso(start + HOUR), 'socket', 'Ben', iso(start + 3 * HOUR)],
      ['created', iso(start), 'socket', 'Anna', null],
    ]);
    const page = await shop.socket('GET', `/v2/keys/${id}/audit?limit=1&offset=1`);
    expect(page.json).toMatchObject({ has_more: true, data: [{ event: 'rolled' }] });
  });

  it('holds no secret and no hash', async () => {
    const shop = new KeyShop();
    const { id, key } = await shop.make();
    const rolled = (await shop.roll(id)).json.data.key;
    const answered = JSON.stringify([await shop.audit(id), await listed(shop, '')]);
    for (const secret of [key, rolled, shop.keys.find(id)?.hash ?? '?'])
      expect(answered).not.toContain(secret);
    expect(JSON.stringify(shop.database.all('SELECT * FROM retired_key_secrets'))).not.toContain(key);
  });

  it.each(["UPDATE key_audit SET said_by = 'x'", 'DELETE FROM key_audit'])(
    'cannot be changed: %s',
    async (sql) => {
      const shop = new KeyShop();
      await shop.make();
      expect(() => shop.database.run(sql)).toThrow();
      expect(shop.database.all('SELECT 1 FROM key_audit')).toHaveLength(1);
    },
  );

  it('is written with what it records or neither is: a refused entry leaves no key, no roll, no revocation', async () => {
    const shop = new KeyShop();
    const { id, key } = await shop.make();
    shop.database.run(
      "CREATE TRIGGER no_entry BEFORE INSERT ON key_audit BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    const asked = [
      await shop.socket('POST', '/v2/keys', { scopes: ['payments:read'] }),
      await shop.roll(id, { overlap_hours: 0 }),
      await shop.revoke(id),
    ];
    expect(asked.map(({ status }) => status)).toEqual([503, 503, 503]);
    shop.restart();
    expect(await listed(shop, '')).toMatchObject([{ id, status: 'active', overlap_ends_at: null }]);
    expect(await shop.fate(key)).toBe(200);
    expect(shop.database.all('SELECT 1 FROM retired_key_secrets')).toEqual([]);
  });

  it('a full disk refuses in words, shows no secret, and leaves everything as it was', async () => {
    const shop = new KeyShop();
    const { id, key } = await shop.make();
    const pages = shop.database.get('PRAGMA page_count') as { page_count: number };
    shop.database.get(`PRAGMA max_page_count = ${pages.page_count}`);
    const answers = [];
    for (let time = 0; time < 200; time += 1)
      answers.push(await shop.socket('POST', '/v2/keys', { scopes: ['payments:read'], by: 'x'.repeat(200) }));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused[0]).toMatchObject({ status: 503, json: { error: { code: 'storage_full' } } });
    for (const { text } of refused) expect(text).not.toContain('rk_');
    const keys = shop.database.all('SELECT 1 FROM api_keys').length;
    expect(keys).toBe(1 + answers.length - refused.length);
    expect(shop.database.all('SELECT 1 FROM key_audit')).toHaveLength(keys);
    expect([await shop.fate(key), shop.keys.find(id)?.revokedAt]).toEqual([200, null]);
  });

  it('begins with the creation of keys that are older than the trail', () => {
    const path = `${aFolder()}/money.db`;
    const before = MONEY_MIGRATIONS.findIndex(({ name }) => name === 'keys-that-are-rolled-and-audited');
    const older = Database.open(path, MONEY_MIGRATIONS.slice(0, before), '0.1.0');
    const insert = `INSERT INTO api_keys (id, name, hash, scopes, allow, created_at, revoked_at) VALUES (?, 'till', ?, '["payments:read"]', '[]', 7, ?)`;
    older.run(insert, 'a', 'aa', null);
    older.run(insert, 'b', 'bb', 9);
    older.close();
    const database = Database.open(path, MONEY_MIGRATIONS, '0.1.0');
    const store = new SqliteKeyStore(database);
    const events = (id: string) => store.audit(id).map(({ event, at }) => [event, at]);
    expect(events('a')).toEqual([['created', 7]]);
    expect(events('b')).toEqual([
      ['revoked', 9],
      ['created', 7],
    ]);
    expect(store.byHash('aa')?.record).toMatchObject({ id: 'a', overlapEndsAt: null });
    database.close();
  });
});

async function listed(shop: KeyShop, query: string): Promise<readonly KeySummary[]> {
  const { json } = await shop.socket('GET', `/v2/keys${query}`);
  return json.data.map((key: unknown) => KeySummary.parse(key));
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
