import { describe, expect, it } from 'vitest';
import { type AtWork, OUR_ID, withSandbox } from './sandbox-at-work.ts';

const PATH = `/v2/terminal-payments/${OUR_ID}`;
const CALLS: Readonly<Record<string, readonly [path: string, body: unknown]>> = {
  claim: ['claim', { agent: 'agent-a' }],
  cancel: ['cancel', undefined],
  in_progress: ['result', { status: 'in_progress' }],
  succeeded: ['result', { status: 'succeeded' }],
  declined: ['result', { status: 'declined' }],
  cancelled: ['result', { status: 'cancelled' }],
  error: ['result', { status: 'error' }],
};

function call({ ask }: AtWork, name: string) {
  const [path, body] = CALLS[name] ?? ['', undefined];
  return ask('POST', `${PATH}/${path}`, { body });
}

const FINALS = ['succeeded', 'declined', 'cancelled', 'error'];
const WAYS: readonly (readonly [
  before: string | null,
  status: string,
  allowed: Readonly<Record<string, string>>,
])[] = [
  [
    null,
    'requested',
    {
      claim: 'in_progress',
      in_progress: 'in_progress',
      cancel: 'cancelled',
      ...Object.fromEntries(FINALS.map((f) => [f, f])),
    },
  ],
  ['claim', 'in_progress', { cancel: 'cancelled', ...Object.fromEntries(FINALS.map((f) => [f, f])) }],
  ...FINALS.map((final) => [final, final, {}] as const),
];
const ROWS = WAYS.flatMap(([before, status, allowed]) =>
  Object.keys(CALLS).map((name) => [status, name, before, allowed[name] ?? null] as const),
);

describe('a terminal payment', () => {
  it.each(ROWS)('%s, told %s', async (status, name, before, after) => {
    await withSandbox(async (at) => {
      await at.create({ id: OUR_ID });
      if (before !== null) await call(at, before);
      const reply = await call(at, name);
      const now = (await at.ask('GET', PATH)).body.data.status;
      if (after === null) {
        expect(reply.status).toBe(409);
        expect(reply.body.error).toMatchObject({ code: 'invalid_status', details: { status } });
        expect(now).toBe(status);
      } else {
        expect([reply.status, reply.body.data.status, now]).toEqual([200, after, after]);
      }
    });
  });

  it('belongs to the first of two agents who claim it, however they choose their keys', async () => {
    await withSandbox(async ({ ask, create, ledgerLine }) => {
      await create({ id: OUR_ID });
      const claim = (agent: string, idempotencyKey: string) =>
        ask('POST', `${PATH}/claim`, { body: { agent }, idempotencyKey });
      expect((await claim('agent-a', 'one')).status).toBe(200);
      expect((await claim('agent-b', 'two')).status).toBe(409);
      expect((await claim('agent-b', 'one')).status).toBe(422);
      expect((await claim('agent-a', 'one')).status).toBe(200);
      expect(ledgerLine(OUR_ID)).toMatchObject({
        agent: 'agent-a',
        calls: { claim: { applied: 1, refused: 1 } },
      });
    });
  });

  it('shows the outcome as it was reported, and says it in one event', async () => {
    await withSandbox(async ({ ask, create }) => {
      await create({
        id: OUR_ID,
        reference: 'basket 7',
        metadata: { tilld: { agent: 'a', attempt: OUR_ID } },
      });
      const outcome = {
        terminal_serial: '17FD1E3C',
        uti: 'u-1',
        auth_code: '123456',
        response_code: '00',
        rrn: '000000012345',
        card_scheme: 'Visa',
        masked_pan: '455988******8074',
        entry_mode: 'contactless',
        error_message: null,
        completed_at: '2026-01-05T08:59:30.000Z',
      };
      await ask('POST', `${PATH}/result`, { body: { status: 'succeeded', ...outcome } });
      const { data } = (await ask('GET', PATH)).body;
      expect(data).toEqual({
        id: OUR_ID,
        invoice_id: null,
        device_id: expect.any(String),
        type: 'sale',
        status: 'succeeded',
        amount_minor: 1234,
        currency: 'EUR',
        reference: 'basket 7',
        ...outcome,
        created_at: '2026-01-05T09:00:00.000Z',
        metadata: { tilld: { agent: 'a', attempt: OUR_ID } },
      });
      const events = (await ask('GET', '/v2/events')).body.data;
      expect(events.map((event: { type: string }) => event.type)).toEqual([
        'terminal_payment.requested',
        'terminal_payment.succeeded',
      ]);
      expect(events[1].data).toEqual(data);
    });
  });

  it.each([
    ['no status', {}, 'status'],
    ['an unknown status', { status: 'paid' }, 'status'],
    ['requested', { status: 'requested' }, 'status'],
    ['a whole card number', { status: 'succeeded', masked_pan: '4559881234568074' }, 'masked_pan'],
    ['a field of ours', { status: 'succeeded', charged: 'yes' }, 'charged'],
    ['a date that is none', { status: 'succeeded', completed_at: 'now' }, 'completed_at'],
  ])('refuses a result with %s', async (_name, body, param) => {
    await withSandbox(async ({ ask, create }) => {
      await create({ id: OUR_ID });
      const reply = await ask('POST', `${PATH}/result`, { body });
      expect([reply.status, reply.body.error.param]).toEqual([400, param]);
      expect((await ask('GET', PATH)).body.data.status).toBe('requested');
    });
  });

  it('may be cancelled by a POST without a body that says it is JSON', async () => {
    await withSandbox(async ({ ask, create }) => {
      await create({ id: OUR_ID });
      const headers = { 'content-type': 'application/json' };
      expect((await ask('POST', `${PATH}/cancel`, { headers })).body.data.status).toBe('cancelled');
    });
  });
});

describe('the id of the creator', () => {
  it('is kept where it is honoured, in any case of letters, and refused with 409 when it exists', async () => {
    await withSandbox(async ({ create, ledgerLine }) => {
      expect((await create({ id: OUR_ID.toUpperCase() })).body.data.id).toBe(OUR_ID);
      const again = await create({ id: OUR_ID });
      expect([again.status, again.body.error.code]).toEqual([409, 'resource_already_exists']);
      expect(ledgerLine(OUR_ID)?.['calls']).toMatchObject({ create: { applied: 1, refused: 1 } });
    });
  });

  it('is ignored by a lenient service, refused by a strict one, and told in the ledger', async () => {
    await withSandbox(
      async ({ create, ledgerLine }) => {
        const { id } = (await create({ id: OUR_ID })).body.data;
        expect(id).not.toBe(OUR_ID);
        expect(ledgerLine(id)?.['asked']).toMatchObject({ id: OUR_ID });
      },
      { honoursOurId: false, refusesUnknownFields: false },
    );
    await withSandbox(
      async ({ create }) => expect((await create({ id: OUR_ID })).body.error.param).toBe('id'),
      { honoursOurId: false, refusesUnknownFields: true },
    );
  });
});

describe('metadata', () => {
  const metadata = { tilld: { agent: 'a', attempt: OUR_ID } };

  it('does not exist on a service that does not keep it, but the ledger tells what was sent', async () => {
    await withSandbox(
      async ({ create, ledgerLine }) => {
        const { data } = (await create({ id: OUR_ID, metadata })).body;
        expect('metadata' in data).toBe(false);
        expect(ledgerLine(OUR_ID)?.['asked']).toMatchObject({ metadata });
      },
      { keepsMetadata: false, refusesUnknownFields: false },
    );
    await withSandbox(
      async ({ create }) => expect((await create({ metadata })).body.error.param).toBe('metadata'),
      { keepsMetadata: false, refusesUnknownFields: true },
    );
  });

  it('of a result joins that of the creation', async () => {
    await withSandbox(async ({ ask, create }) => {
      await create({ id: OUR_ID, metadata: { basket: 7 } });
      const reply = await ask('POST', `${PATH}/result`, { body: { status: 'declined', metadata } });
      expect(reply.body.data.metadata).toEqual({ basket: 7, ...metadata });
    });
  });
});

it('a service without claim answers 404 flat, and takes in_progress as the claim', async () => {
  await withSandbox(
    async (at) => {
      await at.create({ id: OUR_ID });
      const claim = await call(at, 'claim');
      expect([claim.status, typeof claim.body.error]).toEqual([404, 'string']);
      expect((await call(at, 'in_progress')).body.data.status).toBe('in_progress');
      expect((await call(at, 'in_progress')).status).toBe(409);
    },
    { hasClaim: false },
  );
});

it('a lenient service ignores what it does not know', async () => {
  await withSandbox(
    async ({ create, ask }) => {
      expect((await create({ id: OUR_ID, colour: 'red' })).status).toBe(201);
      expect(
        (await ask('POST', `${PATH}/result`, { body: { status: 'declined', charged: 'no' } })).status,
      ).toBe(200);
    },
    { refusesUnknownFields: false },
  );
});
