import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../support/virtual-clock.ts';
import { type AtWork, KEY, textMemory, withSandbox } from './sandbox-at-work.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LIST = '/v2/terminal-payments';
const READER = { scopes: ['payments:read'] };

async function make({ ask }: AtWork, body: object = READER) {
  const reply = await ask('POST', '/sandbox/keys', { body, key: null });
  expect(reply.status).toBe(201);
  return reply.body.data;
}

async function roll({ ask }: AtWork, id: string, body?: object) {
  return ask('POST', `/sandbox/keys/${id}/roll`, { ...(body ? { body } : {}), key: null });
}

/** What a key hears: 200, or the code of the refusal. */
async function heard({ ask }: AtWork, key: string) {
  const reply = await ask('GET', LIST, { key });
  return reply.status === 200 ? 200 : reply.body.error.code;
}

describe('an API key made at the dashboard', () => {
  it('shows its text once, works at once within its scopes, and is kept as a hash only', async () => {
    await withSandbox(async (at) => {
      const { key, ...shown } = await make(at, { ...READER, name: 'till 1' });
      expect(key).toMatch(/^rk_sandbox_[0-9a-f]{48}$/);
      expect(shown).toMatchObject({
        object: 'api_key',
        name: 'till 1',
        status: 'active',
        last_used_at: null,
      });
      expect(await heard(at, key)).toBe(200);
      const denied = await at.ask('POST', LIST, { key, body: {} });
      expect([denied.status, denied.body.error.details]).toEqual([403, { required: ['payments:write'] }]);
      const listed = (await at.ask('GET', '/sandbox/keys', { key: null })).body.data;
      expect(listed.at(-1)).toMatchObject({ ...shown, last_used_at: '2026-01-05T09:00:00.000Z' });
      expect(JSON.stringify(listed)).not.toContain(key);
      expect(at.memory.load()).not.toContain(key);
      expect(at.memory.load()).not.toContain(KEY);
    });
  });

  it.each([
    [{}, 'scopes'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['payments:eat'] }, 'scopes.0'],
    [{ ...READER, allow: ['10.0.0.0/33'] }, 'allow.0'],
    [{ ...READER, allow: ['somewhere'] }, 'allow.0'],
    [{ ...READER, expires_in_s: 0 }, 'expires_in_s'],
    [{ ...READER, key: 'rk_sandbox_mine' }, 'key'],
  ])('is refused for %j naming %s', async (body, param) => {
    await withSandbox(async ({ ask }) => {
      const reply = await ask('POST', '/sandbox/keys', { body });
      expect([reply.status, reply.body.error.param]).toEqual([400, param]);
    });
  });

  it('expires', async () => {
    await withSandbox(async (at) => {
      const { key } = await make(at, { ...READER, expires_in_s: 60 });
      await at.clock.advance(59_999);
      expect(await heard(at, key)).toBe(200);
      await at.clock.advance(1);
      expect(await heard(at, key)).toBe('expired_api_key');
    });
  });
});

describe('rolling a key', () => {
  it('gives a new one with the same terms; the old one works for 24 hours more, then has expired', async () => {
    await withSandbox(async (at) => {
      const old = await make(at, { ...READER, allow: ['127.0.0.0/8'], name: 'till 1' });
      const reply = await roll(at, old.id);
      expect(reply.status).toBe(201);
      const { data } = reply.body;
      expect(data).toMatchObject({ name: 'till 1', scopes: ['payments:read'], allow: ['127.0.0.0/8'] });
      expect([await heard(at, old.key), await heard(at, data.key)]).toEqual([200, 200]);
      const [, shown] = (await at.ask('GET', '/sandbox/keys')).body.data;
      expect(shown).toMatchObject({
        status: 'overlap',
        replaced_by: data.id,
        overlap_ends_at: '2026-01-06T09:00:00.000Z',
      });
      await at.clock.advance(DAY - 1);
      expect(await heard(at, old.key)).toBe(200);
      await at.clock.advance(1);
      expect([await heard(at, old.key), await heard(at, data.key)]).toEqual(['expired_api_key', 200]);
    });
  });

  it.each([
    [0, 'expired_api_key', 'expired_api_key'],
    [168, 200, 'expired_api_key'],
  ])('with an overlap of %i hours', async (overlap_hours, atOnce, after) => {
    await withSandbox(async (at) => {
      const old = await make(at);
      expect((await roll(at, old.id, { overlap_hours })).status).toBe(201);
      expect(await heard(at, old.key)).toBe(atOnce);
      await at.clock.advance(168 * HOUR);
      expect(await heard(at, old.key)).toBe(after);
    });
  });

  it.each([169, -1, '24'])('with an overlap of %j hours is refused', async (overlap_hours) => {
    await withSandbox(async (at) => {
      const { id } = await make(at);
      expect((await roll(at, id, { overlap_hours })).body.error.param).toBe('overlap_hours');
    });
  });

  it('is refused for a key that was rolled or revoked before, and for an unknown one', async () => {
    await withSandbox(async (at) => {
      const { id } = await make(at);
      await roll(at, id);
      const again = await roll(at, id);
      expect([again.status, again.body.error.details]).toEqual([400, { status: 'overlap' }]);
      await at.ask('POST', `/sandbox/keys/${id}/revoke`, { key: null });
      expect((await roll(at, id)).body.error.details).toEqual({ status: 'revoked' });
      expect((await roll(at, '0198b000-0000-7000-8000-000000000009')).status).toBe(404);
    });
  });
});

describe('revoking a key', () => {
  it('strikes at once, in its overlap too, and for ever: also one of the settings, after a restart', async () => {
    const world = { memory: textMemory(), clock: new VirtualClock() };
    let made = { id: '', key: '' };
    await withSandbox(
      async (at) => {
        made = await make(at);
        await roll(at, made.id);
        const [configured] = (await at.ask('GET', '/sandbox/keys')).body.data;
        for (const id of [made.id, configured.id]) {
          const reply = await at.ask('POST', `/sandbox/keys/${id}/revoke`, { key: null });
          expect(reply.body.data).toMatchObject({ id, status: 'revoked' });
        }
        expect(await heard(at, made.key)).toBe('api_key_revoked');
        expect(await heard(at, KEY)).toBe('api_key_revoked');
      },
      {},
      world,
    );
    await withSandbox(
      async (at) => {
        expect([await heard(at, made.key), await heard(at, KEY)]).toEqual([
          'api_key_revoked',
          'api_key_revoked',
        ]);
      },
      {},
      world,
    );
  });
});

describe('the inventory of keys', () => {
  it('names a key stale that was not used for 90 days, until it is used or revoked', async () => {
    await withSandbox(async (at) => {
      const used = await make(at);
      const idle = await make(at);
      const stale = async () =>
        (await at.ask('GET', '/sandbox/keys?stale=true', { key: null })).body.data.map(
          ({ id }: { id: string }) => id,
        );
      await heard(at, KEY);
      await at.clock.advance(89 * DAY);
      await heard(at, used.key);
      await heard(at, KEY);
      expect(await stale()).toEqual([]);
      await at.clock.advance(DAY);
      expect(await stale()).toEqual([idle.id]);
      await at.ask('POST', `/sandbox/keys/${idle.id}/revoke`, { key: null });
      expect(await stale()).toEqual([]);
    });
  });

  it('keeps the audit trail, the overlap and the last use across a restart', async () => {
    const world = { memory: textMemory(), clock: new VirtualClock() };
    const seen: unknown[] = [];
    const look = async ({ ask }: AtWork) => {
      for (const path of ['keys', 'key-events']) seen.push((await ask('GET', `/sandbox/${path}`)).body);
    };
    await withSandbox(
      async (at) => {
        const { id, key } = await make(at);
        await roll(at, id);
        await at.ask('POST', `/sandbox/keys/${id}/revoke`, { key: null });
        await heard(at, KEY);
        await heard(at, key);
        await look(at);
        const [, trail] = seen as { data: { type: string; key_id: string }[] }[];
        expect(trail?.data.map(({ type }) => type)).toEqual([
          'created',
          'created',
          'created',
          'rolled',
          'revoked',
        ]);
        expect(trail?.data.at(-1)?.key_id).toBe(id);
      },
      {},
      world,
    );
    const before = seen.splice(0);
    await withSandbox(look, {}, world);
    expect(seen).toEqual(before);
  });

  it('forgets a key that stands in the settings no more', async () => {
    const memory = textMemory();
    await withSandbox(async (at) => expect(await heard(at, KEY)).toBe(200), {}, { memory });
    await withSandbox(
      async (at) => expect(await heard(at, KEY)).toBe('invalid_api_key'),
      { keys: [{ key: 'rk_sandbox_other', scopes: ['payments:read'] }] },
      { memory },
    );
  });
});

describe('an address that is not on the list of a key', () => {
  const get = (url: string, localAddress: string, forwarded: string) =>
    new Promise<{ status: number; body: unknown }>((resolve, reject) => {
      const headers = { 'x-api-key': KEY, 'x-forwarded-for': forwarded };
      const sent = request(url + LIST, { headers, localAddress }, (response) => {
        json(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      });
      sent.on('error', reject);
      sent.end();
    });

  it.each([
    [['127.0.0.1'], '127.0.0.1', 200],
    [['127.0.0.1'], '127.0.0.2', 403],
    [['10.0.0.0/8', '127.0.0.0/30'], '127.0.0.2', 200],
    [['10.0.0.0/8', '::1'], '127.0.0.1', 403],
    [[], '127.0.0.9', 200],
  ])('%j, from %s: %i, whatever X-Forwarded-For says', async (allow, from, status) => {
    await withSandbox(
      async ({ service }) => {
        const reply = await get(service.url, from, '127.0.0.1');
        expect(reply.status).toBe(status);
        if (status === 403)
          expect(reply.body).toMatchObject({
            error: { type: 'authorization_error', code: 'ip_not_allowed' },
          });
      },
      { keys: [{ key: KEY, scopes: ['payments:read'], allow }] },
    );
  });

  it('costs the key nothing of its budget', async () => {
    await withSandbox(
      async ({ service }) => {
        for (let count = 0; count < 12; count += 1)
          expect((await get(service.url, '127.0.0.1', '')).status).toBe(403);
      },
      { plan: 'starter', keys: [{ key: KEY, scopes: ['payments:read'], allow: ['10.0.0.0/8'] }] },
    );
  });
});
