import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../support/virtual-clock.ts';
import { DEVICE, OUR_ID, textMemory, withSandbox } from './sandbox-at-work.ts';

const HOURS = 3_600_000;

describe('Idempotency-Key', () => {
  it('gives the first answer again, changes nothing and counts it as replayed', async () => {
    await withSandbox(async ({ create, ask, service, ledgerLine }) => {
      const first = await create({}, 'k1');
      await ask('POST', `/v2/terminal-payments/${first.body.data.id}/cancel`);
      const again = await create({}, 'k1');
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(service.control.ledger()).toHaveLength(1);
      expect(ledgerLine(first.body.data.id)?.['calls']).toMatchObject({
        create: { applied: 1, replayed: 1, refused: 0 },
      });
    });
  });

  it('survives a restart', async () => {
    const world = { memory: textMemory(), clock: new VirtualClock() };
    let first: unknown;
    await withSandbox(
      async ({ create }) => {
        first = (await create({}, 'k1')).body;
      },
      {},
      world,
    );
    await withSandbox(
      async ({ create, service }) => {
        expect((await create({}, 'k1')).body).toEqual(first);
        expect(service.control.ledger()).toHaveLength(1);
      },
      {},
      world,
    );
  });

  it.each([
    ['another body', '/v2/terminal-payments', { device_id: DEVICE, amount_minor: 1235, currency: 'EUR' }],
    ['another path', '/v2/webhook-endpoints', { device_id: DEVICE, amount_minor: 1234, currency: 'EUR' }],
  ])('with %s is refused with a flat 422 naming the original request', async (_name, path, body) => {
    await withSandbox(async ({ create, ask }) => {
      await create({}, 'k1');
      const reply = await ask('POST', path, { body, idempotencyKey: 'k1' });
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual({
        error: expect.any(String),
        code: 'IDEMPOTENCY_KEY_MISMATCH',
        originalRequestId: expect.stringMatching(/^req_/),
      });
    });
  });

  it('of a request that is still running is refused with a flat 409', async () => {
    await withSandbox(async ({ create, service, clock }) => {
      service.control.behave({ slow_ms: 1000 });
      const running = create({}, 'k1');
      while (!clock.pending.includes('sandbox slow')) await clock.settle();
      const second = await create({}, 'k1');
      expect(second.status).toBe(409);
      expect(second.body).toMatchObject({
        error: expect.any(String),
        code: 'IDEMPOTENCY_KEY_IN_PROGRESS',
        originalRequestId: expect.stringMatching(/^req_/),
      });
      await clock.advance(1000);
      expect((await running).status).toBe(201);
      expect(service.control.ledger()).toHaveLength(1);
    });
  });

  it('lives for 24 hours of the service clock, then creates again', async () => {
    await withSandbox(async ({ create, clock, service }) => {
      const first = await create({}, 'k1');
      await clock.advance(24 * HOURS - 1);
      expect((await create({}, 'k1')).body).toEqual(first.body);
      await clock.advance(1);
      expect((await create({}, 'k1')).body.data.id).not.toBe(first.body.data.id);
      expect(service.control.ledger()).toHaveLength(2);
    });
  });

  it('is freed by a refusal, so that a corrected body may use it', async () => {
    await withSandbox(async ({ create }) => {
      expect((await create({ colour: 'red' }, 'k1')).status).toBe(400);
      expect((await create({}, 'k1')).status).toBe(201);
    });
  });

  it('that is malformed is refused with a flat 400', async () => {
    await withSandbox(async ({ create }) => {
      const reply = await create({}, 'k'.repeat(256));
      expect([reply.status, typeof reply.body.error]).toEqual([400, 'string']);
    });
  });

  it('protects claim and result too, per method, path and body', async () => {
    await withSandbox(async ({ ask, create, ledgerLine }) => {
      await create({ id: OUR_ID });
      const path = `/v2/terminal-payments/${OUR_ID}`;
      const claim = () => ask('POST', `${path}/claim`, { body: { agent: 'a' }, idempotencyKey: 'c' });
      const result = () =>
        ask('POST', `${path}/result`, { body: { status: 'declined' }, idempotencyKey: 'r' });
      for (const call of [claim, claim, result, result]) expect((await call()).status).toBe(200);
      expect((await claim()).body.data.status).toBe('in_progress');
      expect(ledgerLine(OUR_ID)?.['calls']).toMatchObject({
        claim: { applied: 1, replayed: 2, refused: 0 },
        result: { applied: 1, replayed: 1, refused: 0 },
      });
    });
  });
});
