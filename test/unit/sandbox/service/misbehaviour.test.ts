import { describe, expect, it } from 'vitest';
import { type AtWork, OUR_ID, withSandbox } from './sandbox-at-work.ts';

const PATH = '/v2/terminal-payments';

function behave({ ask }: AtWork, body: unknown) {
  return ask('POST', '/sandbox/behaviour', { body, key: null });
}

describe('told to misbehave, the sandbox service', () => {
  it('offline: destroys every connection and does nothing, while the control routes answer', async () => {
    await withSandbox(async (at) => {
      await behave(at, { offline: true });
      await expect(at.create()).rejects.toThrow('fetch failed');
      await expect(at.ask('GET', '/v2/unicorns')).rejects.toThrow('fetch failed');
      expect((await at.ask('GET', '/sandbox/ledger')).body.data).toEqual([]);
      await behave(at, { offline: false });
      expect((await at.create()).status).toBe(201);
    });
  });

  it('slow: answers only after the time it was told', async () => {
    await withSandbox(async (at) => {
      await behave(at, { slow_ms: 5000 });
      let answered = false;
      const reply = at.create().finally(() => {
        answered = true;
      });
      while (!at.clock.pending.includes('sandbox slow')) await at.clock.settle();
      await at.clock.advance(4999);
      expect([answered, at.service.control.ledger()]).toEqual([false, []]);
      await at.clock.advance(1);
      expect((await reply).status).toBe(201);
    });
  });

  it.each([
    [402, 'card_error', 'payment_failed', '7'],
    [403, 'authorization_error', 'forbidden', '7'],
    [409, 'idempotency_error', 'idempotency_conflict', '7'],
    [429, 'rate_limit_error', 'rate_limit_exceeded', '7'],
    [500, 'api_error', 'internal_error', '7'],
    [501, 'api_error', 'not_implemented', '7'],
    [502, 'api_error', 'gateway_error', '7'],
    [503, 'api_error', 'service_unavailable', '7'],
    [504, 'api_error', 'gateway_error', '7'],
  ])('status %i: for as many requests as told, nothing done', async (code, type, errorCode, retryAfter) => {
    await withSandbox(async (at) => {
      await behave(at, { status: { code, times: 2, retry_after_s: 7 } });
      for (let count = 0; count < 2; count += 1) {
        const reply = await at.create();
        expect([reply.status, reply.headers.get('retry-after')]).toEqual([code, retryAfter]);
        expect(reply.body.error).toMatchObject({ type, code: errorCode });
      }
      expect(at.service.control.ledger()).toEqual([]);
      expect((await at.create()).status).toBe(201);
    });
  });

  it.each([
    [400, 'IDEMPOTENCY_KEY_INVALID'],
    [409, 'IDEMPOTENCY_KEY_IN_PROGRESS'],
    [422, 'IDEMPOTENCY_KEY_MISMATCH'],
    [503, 'IDEMPOTENCY_UNAVAILABLE'],
  ])('status %i, flat: the body about an Idempotency-Key, nothing done', async (code, word) => {
    await withSandbox(async (at) => {
      await behave(at, { status: { code, times: 1, flat: true } });
      const reply = await at.create({}, 'k1');
      expect([reply.status, reply.body]).toEqual([
        code,
        { error: expect.any(String), code: word, originalRequestId: expect.stringMatching(/^req_/) },
      ]);
      expect((await at.create({}, 'k1')).status).toBe(201);
    });
  });

  it('hides_rate_limit: sends none of the three headers, and Retry-After all the same', async () => {
    await withSandbox(
      async (at) => {
        await behave(at, { hides_rate_limit: true });
        const names = ['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`);
        for (let count = 0; count < 10; count += 1) {
          const { status, headers } = await at.ask('GET', PATH);
          expect([status, ...names.map((name) => headers.get(name))]).toEqual([200, null, null, null]);
        }
        const { status, headers, body } = await at.ask('GET', PATH);
        expect([status, headers.get('retry-after'), body.error.details]).toEqual([
          429,
          '1',
          { retry_after: 1 },
        ]);
        expect(names.map((name) => headers.get(name))).toEqual([null, null, null]);
      },
      { plan: 'starter' },
    );
  });

  it('issue_lists: lists what failed validation outside the envelope, and nothing else', async () => {
    await withSandbox(async (at) => {
      await behave(at, { issue_lists: true });
      const { status, body } = await at.create({ amount_minor: 'much', metadata: [], colour: 'red' });
      expect(status).toBe(400);
      expect(Object.keys(body)).toEqual(['success', 'error']);
      expect(body).toMatchObject({ success: false, error: { name: expect.any(String) } });
      expect(body.error.issues.map(({ path }: { path: unknown }) => path)).toEqual([
        ['amount_minor'],
        ['metadata'],
        ['colour'],
      ]);
      for (const { message } of body.error.issues) expect(message).not.toBe('');
      const query = await at.ask('GET', `${PATH}?limit=0`);
      expect(query.body.error.issues).toMatchObject([{ path: ['limit'] }]);
      for (const [path, headers] of [
        [PATH, { 'service-version': 'never' }],
        [`${PATH}/${OUR_ID}`, {}],
      ] as const) {
        expect((await at.ask('GET', path, { headers })).body.error.type).toBe('invalid_request_error');
      }
    });
  });

  it('status with only: strikes the named requests and no other', async () => {
    await withSandbox(async (at) => {
      await behave(at, { status: { code: 503, times: 1, only: 'POST /v2/terminal-payments' } });
      expect((await at.ask('GET', PATH)).status).toBe(200);
      expect((await at.create()).status).toBe(503);
      expect((await at.create()).status).toBe(201);
    });
  });

  it.each([
    ['page', 200],
    ['redirect', 302],
    ['json', 200],
    ['empty', 200],
    ['forbidden', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['version', 200],
  ] as const)(
    'foreign %s: another host answers, and nothing is done until it is over',
    async (answer, status) => {
      await withSandbox(async (at) => {
        at.service.control.behave({ foreign: { answer, only: 'POST ' } });
        const reply = await fetch(`${at.service.url}${PATH}`, { method: 'POST', redirect: 'manual' });
        expect([reply.status, reply.headers.get('service-version')]).toEqual([
          status,
          answer === 'version' ? '2027-01-01' : null,
        ]);
        expect((await at.ask('GET', PATH)).status).toBe(200);
        at.service.control.behave({ foreign: null });
        expect((await at.create()).status).toBe(201);
        expect(at.service.control.ledger()).toHaveLength(1);
      });
    },
  );

  it('answer_lost: has done the work, so that the same key gives the first answer', async () => {
    await withSandbox(async (at) => {
      await behave(at, { answer_lost: { times: 1, only: 'POST ' } });
      expect((await at.create({ colour: 'red' })).status).toBe(400);
      await expect(at.create({ id: OUR_ID }, 'k1')).rejects.toThrow('fetch failed');
      expect(at.ledgerLine(OUR_ID)?.['status']).toBe('requested');
      const again = await at.create({ id: OUR_ID }, 'k1');
      expect([again.status, again.body.data.id]).toEqual([201, OUR_ID]);
      expect(at.ledgerLine(OUR_ID)?.['calls']).toMatchObject({ create: { applied: 1, replayed: 1 } });
    });
  });

  const eventIds = async ({ ask }: AtWork, query = ''): Promise<string[]> =>
    (await ask('GET', `/v2/events${query}`)).body.data.map((event: { id: string }) => event.id);

  it('duplicate: lists every event twice, within the limit, and a cursor still reaches the end', async () => {
    await withSandbox(async (at) => {
      for (let count = 0; count < 3; count += 1) await at.create();
      const [first, second, third] = await eventIds(at);
      await behave(at, { duplicate: true });
      expect(await eventIds(at)).toEqual([first, first, second, second, third, third]);
      expect(await eventIds(at, '?limit=4')).toEqual([first, first, second, second]);
      expect((await at.ask('GET', '/v2/events?limit=4')).body.has_more).toBe(true);
      expect(await eventIds(at, `?limit=4&starting_after=${second}`)).toEqual([third, third]);
    });
  });

  it('out_of_order: lets neighbours change places, and a cursor still reaches the end', async () => {
    await withSandbox(async (at) => {
      for (let count = 0; count < 3; count += 1) await at.create();
      const [first, second, third] = await eventIds(at);
      await behave(at, { out_of_order: true });
      expect(await eventIds(at)).toEqual([second, first, third]);
      expect(await eventIds(at, `?starting_after=${third}`)).toEqual([]);
    });
  });

  it('ignores_our_id: gives its own id, while it lasts', async () => {
    await withSandbox(async (at) => {
      await behave(at, { ignores_our_id: true });
      expect((await at.create({ id: OUR_ID })).body.data.id).not.toBe(OUR_ID);
      await at.ask('DELETE', '/sandbox/behaviour', { key: null });
      expect((await at.create({ id: OUR_ID })).body.data.id).toBe(OUR_ID);
    });
  });

  it('clock_skew_ms: dates payments, events and keys by its own wrong clock', async () => {
    await withSandbox(async (at) => {
      const before = (await at.create({}, 'k1')).body.data;
      await behave(at, { clock_skew_ms: 24 * 3_600_000 });
      const reply = await at.create({}, 'k1');
      expect(reply.body.data.id).not.toBe(before.id);
      expect(reply.body.data.created_at).toBe('2026-01-06T09:00:00.000Z');
      expect(reply.headers.get('date')).toBe('Tue, 06 Jan 2026 09:00:00 GMT');
      expect((await at.ask('GET', '/v2/events')).body.data[1].created).toBe('2026-01-06T09:00:00.000Z');
    });
  });

  it('keeps what a patch does not name, and refuses what it does not know', async () => {
    await withSandbox(async (at) => {
      await behave(at, { duplicate: true });
      const { data } = (await behave(at, { slow_ms: 0 })).body;
      expect(data).toMatchObject({ duplicate: true, offline: false });
      for (const body of [
        { slow: 1 },
        { offline: 'yes' },
        { status: { code: 418, times: 1 } },
        { slow_ms: -1 },
        [],
      ]) {
        expect((await behave(at, body)).status).toBe(400);
      }
    });
  });
});
