import { describe, expect, it } from 'vitest';
import { type AtWork, DEVICE, OTHER_DEVICE, OUR_ID, withSandbox } from './sandbox-at-work.ts';

const PATH = `/v2/terminal-payments/${OUR_ID}`;
const REFUND_ID = '0198b000-0000-7000-8000-0000000000f1';
const INVOICE = '0198c000-0000-7000-8000-000000000001';
const metadata = { tilld: { agent: 'a', attempt: REFUND_ID } };

/** A sale of 12.34 EUR that was paid. */
async function sold({ ask, create }: AtWork): Promise<void> {
  await create({ id: OUR_ID, invoice_id: INVOICE, reference: 'basket 7' });
  await ask('POST', `${PATH}/result`, { body: { status: 'succeeded' } });
}

function refund({ ask }: AtWork, body?: unknown, idempotencyKey?: string) {
  return ask('POST', `${PATH}/refund`, { body, ...(idempotencyKey ? { idempotencyKey } : {}) });
}

/** Ends a payment with a result. */
function end({ ask }: AtWork, id: string, status: string) {
  return ask('POST', `/v2/terminal-payments/${id}/result`, { body: { status } });
}

describe('a refund or void', () => {
  it.each([
    ['refund', { amount_minor: 234 }, 234],
    ['refund', undefined, 1234],
    ['refund', {}, 1234],
    ['void', undefined, 1234],
  ])(
    'is a payment of its own below its sale, requested for the terminal of the sale: %s %j',
    async (type, body, amount) => {
      await withSandbox(async (at) => {
        await sold(at);
        const reply = await at.ask('POST', `${PATH}/${type}`, { body });
        expect(reply.status).toBe(201);
        const { data } = reply.body;
        expect(data).toMatchObject({
          type,
          parent_id: OUR_ID,
          device_id: DEVICE,
          status: 'requested',
          amount_minor: amount,
          currency: 'EUR',
          invoice_id: INVOICE,
          reference: null,
          metadata: {},
        });
        expect(data.id).not.toBe(OUR_ID);
        const listed = await at.ask('GET', `/v2/terminal-payments?status=requested&device_id=${DEVICE}`);
        expect(listed.body.data).toEqual([data]);
        const sale = (await at.ask('GET', PATH)).body.data;
        expect([sale.type, sale.status, 'parent_id' in sale]).toEqual(['sale', 'succeeded', false]);
      });
    },
  );

  it("keeps the agent's id and metadata as a sale does, and is marked as the client's", async () => {
    await withSandbox(async (at) => {
      await sold(at);
      const reply = await refund(at, { id: REFUND_ID, metadata });
      expect(reply.body.data).toMatchObject({ id: REFUND_ID, metadata });
      expect(at.ledgerLine(REFUND_ID)).toMatchObject({
        asked_by: 'client',
        asked: { id: REFUND_ID, metadata },
        calls: { create: { applied: 1 } },
      });
      const again = await refund(at, { id: REFUND_ID, amount_minor: 1 });
      expect([again.status, again.body.error.code]).toEqual([409, 'resource_already_exists']);
    });
  });

  it('gets an id of the service where ours is ignored, and the ledger tells what was sent', async () => {
    await withSandbox(async (at) => {
      await sold(at);
      at.service.control.behave({ ignores_our_id: true });
      const { data } = (await refund(at, { id: REFUND_ID, metadata })).body;
      expect(data.id).not.toBe(REFUND_ID);
      expect(at.ledgerLine(data.id)).toMatchObject({ asked: { id: REFUND_ID } });
    });
  });

  it.each([
    ['an id', { id: REFUND_ID }, { honoursOurId: false }, 'id'],
    ['metadata', { metadata }, { keepsMetadata: false }, 'metadata'],
    ['a colour', { colour: 'red' }, {}, 'colour'],
    ['no amount', { amount_minor: 0 }, {}, 'amount_minor'],
  ])('is refused with 400 for %s that a strict service does not know', async (_, body, settings, param) => {
    await withSandbox(async (at) => {
      const { id } = (await at.create()).body.data;
      await end(at, id, 'succeeded');
      const reply = await at.ask('POST', `/v2/terminal-payments/${id}/refund`, { body });
      expect([reply.status, reply.body.error.param]).toEqual([400, param]);
    }, settings);
  });

  it('a void has no amount', async () => {
    await withSandbox(async (at) => {
      await sold(at);
      const reply = await at.ask('POST', `${PATH}/void`, { body: { amount_minor: 1234 } });
      expect([reply.status, reply.body.error.param]).toEqual([400, 'amount_minor']);
    });
  });

  it.each([
    ['refund', 'terminal_refund'],
    ['void', 'terminal_void'],
  ])(
    'of kind %s is claimed, ended and cancelled like a sale; its events are %s.*, and none says requested',
    async (type, prefix) => {
      for (const [how, status] of [
        ['result', 'succeeded'],
        ['result', 'declined'],
        ['result', 'error'],
        ['cancel', 'cancelled'],
      ] as const) {
        await withSandbox(async (at) => {
          await sold(at);
          const { id } = (await at.ask('POST', `${PATH}/${type}`)).body.data;
          const path = `/v2/terminal-payments/${id}`;
          const claim = await at.ask('POST', `${path}/claim`, { body: { agent: 'agent-a' } });
          expect(claim.body.data).toMatchObject({ type, parent_id: OUR_ID, status: 'in_progress' });
          const body = how === 'result' ? { status } : undefined;
          const { data } = (await at.ask('POST', `${path}/${how}`, { body })).body;
          const events = (await at.ask('GET', '/v2/events')).body.data.slice(2);
          expect(events.map((event: { type: string }) => event.type)).toEqual([`${prefix}.${status}`]);
          expect(events[0].data).toEqual(data);
        });
      }
    },
  );
});

describe('what can be given back', () => {
  it.each([
    ['more than the sale', [], 1235],
    ['more than what a refund left', [['refund', 234, 'succeeded']], 1001],
    ['what a refund that is asked for may take', [['refund', 1000, null]], 235],
    ['anything after a void', [['void', null, 'succeeded']], 1],
    ['anything while a void is asked for', [['void', null, null]], undefined],
    ['the rest when there is none', [['refund', 1234, 'succeeded']], undefined],
  ] as const)('a refund of %s is 422, and nothing is there after it', async (_, before, amount) => {
    await withSandbox(async (at) => {
      await sold(at);
      await give(at, before);
      const entries = at.service.control.ledger().length;
      const reply = await refund(at, amount === undefined ? undefined : { amount_minor: amount });
      expect([reply.status, reply.body.error.code]).toEqual([422, 'refund_exceeds_amount']);
      expect(at.service.control.ledger()).toHaveLength(entries);
      const [sale] = JSON.parse(at.memory.load() ?? '').payments;
      expect(sale.calls).toMatchObject({ refund: { refused: 1 } });
    });
  });

  it.each([
    ['what a refund left', [['refund', 234, 'succeeded']], 1000],
    ['all of it after a refund that was declined', [['refund', 1234, 'declined']], 1234],
    ['all of it after a void that was cancelled', [['void', null, 'cancelled']], 1234],
  ] as const)('a refund of %s is taken', async (_, before, amount) => {
    await withSandbox(async (at) => {
      await sold(at);
      await give(at, before);
      expect((await refund(at, { amount_minor: amount })).status).toBe(201);
    });
  });

  it.each([
    ['a refund that succeeded', [['refund', 1, 'succeeded']], 422],
    ['a refund that is asked for', [['refund', 1, null]], 422],
    ['another void', [['void', null, null]], 422],
    ['a refund that was declined', [['refund', 1, 'declined']], 201],
    ['nothing', [], 201],
  ] as const)('a void after %s: %i', async (_, before, status) => {
    await withSandbox(async (at) => {
      await sold(at);
      await give(at, before);
      const reply = await at.ask('POST', `${PATH}/void`);
      expect(reply.status).toBe(status);
      if (status === 422)
        expect(reply.body.error).toMatchObject({ code: 'void_not_possible', details: { instead: 'refund' } });
    });
  });

  it.each(['requested', 'in_progress', 'declined', 'cancelled', 'error'])(
    'nothing of a sale that is %s: 409',
    async (status) => {
      await withSandbox(async (at) => {
        await at.create({ id: OUR_ID });
        if (status !== 'requested') await end(at, OUR_ID, status);
        for (const type of ['refund', 'void']) {
          const reply = await at.ask('POST', `${PATH}/${type}`);
          expect(reply.status).toBe(409);
          expect(reply.body.error).toMatchObject({ code: 'invalid_status', details: { status } });
        }
      });
    },
  );

  it('nothing of a refund: 409', async () => {
    await withSandbox(async (at) => {
      await sold(at);
      await refund(at, { id: REFUND_ID });
      await end(at, REFUND_ID, 'succeeded');
      const reply = await at.ask('POST', `/v2/terminal-payments/${REFUND_ID}/refund`);
      expect([reply.status, reply.body.error.details.type]).toEqual([409, 'refund']);
    });
  });

  it('the same request under one key gives one refund, and its sale counts the repeats', async () => {
    await withSandbox(async (at) => {
      await sold(at);
      const first = await refund(at, { amount_minor: 5 }, 'k');
      const second = await refund(at, { amount_minor: 5 }, 'k');
      expect(second.body).toEqual(first.body);
      expect((await refund(at, { amount_minor: 6 }, 'k')).body.code).toBe('IDEMPOTENCY_KEY_MISMATCH');
      const counts = { applied: 1, replayed: 1, refused: 0 };
      expect(at.ledgerLine(first.body.data.id)?.['calls']).toMatchObject({ create: counts });
      expect(at.ledgerLine(OUR_ID)?.['calls']).toMatchObject({ refund: counts });
    });
  });
});

type Given = readonly (readonly [type: 'refund' | 'void', amount: number | null, status: string | null])[];

/** Gives back what a scenario starts from; a status of null leaves it requested. */
async function give(at: AtWork, given: Given): Promise<void> {
  for (const [type, amount, status] of given) {
    const body = amount === null ? undefined : { amount_minor: amount };
    const { id } = (await at.ask('POST', `${PATH}/${type}`, { body })).body.data;
    if (status !== null) await end(at, id, status);
  }
}

describe('the back office', () => {
  const back = ({ ask }: AtWork, what: string, body: unknown = {}) =>
    ask('POST', `/sandbox/payments/${OUR_ID}/${what}`, { body, key: null });

  it('asks for refunds and voids as work for the agent, as old as it wants', async () => {
    await withSandbox(async (at) => {
      await sold(at);
      const reply = await back(at, 'refund', { amount_minor: 200, created_ago_ms: 60_000 });
      expect(reply.status).toBe(201);
      expect(reply.body.data).toMatchObject({
        type: 'refund',
        parent_id: OUR_ID,
        status: 'requested',
        amount_minor: 200,
        created_at: '2026-01-05T08:59:00.000Z',
      });
      expect(at.ledgerLine(reply.body.data.id)).toMatchObject({
        asked_by: 'back_office',
        calls: { create: { applied: 1 } },
      });
      const refused = await back(at, 'void');
      expect([refused.status, refused.body.error.code]).toEqual([422, 'void_not_possible']);
      await end(at, reply.body.data.id, 'cancelled');
      expect((await back(at, 'void')).body.data).toMatchObject({ type: 'void', amount_minor: 1234 });
    });
  });

  it('cancels a payment, whoever works on it, and not one that has ended', async () => {
    await withSandbox(async (at) => {
      await at.create({ id: OUR_ID, device_id: OTHER_DEVICE });
      await at.ask('POST', `${PATH}/claim`, { body: { agent: 'a' } });
      expect((await back(at, 'cancel')).body.data.status).toBe('cancelled');
      const events = (await at.ask('GET', '/v2/events')).body.data;
      expect(events.at(-1)).toMatchObject({ type: 'terminal_payment.cancelled', data: { id: OUR_ID } });
      expect((await back(at, 'cancel')).status).toBe(409);
    });
  });

  it.each(['refund', 'void', 'cancel'])('gets a 404 for a %s of a payment nobody knows', async (what) => {
    await withSandbox(async (at) => expect((await back(at, what)).status).toBe(404));
  });
});
