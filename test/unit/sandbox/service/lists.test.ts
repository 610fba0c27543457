import { describe, expect, it } from 'vitest';
import { type AtWork, DEVICE, OUR_ID, withSandbox } from './sandbox-at-work.ts';

/** Every list of the service, and whether it goes by cursor or by offset. */
const LISTS = [
  ['/v2/terminal-payments', 'cursor'],
  ['/v2/terminal-devices', 'offset'],
  ['/v2/events', 'cursor'],
  ['/v2/webhook-endpoints', 'offset'],
  ['/v2/webhook-deliveries', 'cursor'],
] as const;

/** Two items for every list. */
async function fill({ ask, create }: AtWork): Promise<void> {
  for (let count = 0; count < 2; count += 1) {
    const body = { url: 'http://127.0.0.1:9/', events: ['terminal_payment.requested'] };
    if (count === 0) await create();
    await ask('POST', '/v2/webhook-endpoints', { body });
    if (count === 1) await create();
  }
}

describe.each(LISTS)('%s', (path, style) => {
  it('is a list object under 2026-05-01 and a pagination block under 2026-01-15, asked by header or by query', async () => {
    await withSandbox(async (at) => {
      await fill(at);
      const ask = (version: string, by: string) =>
        by === 'header'
          ? at.ask('GET', `${path}?limit=1`, { headers: { 'service-version': version } })
          : at.ask('GET', `${path}?limit=1&version=${version}`);
      for (const by of ['header', 'query']) {
        const { body: current } = await ask('2026-05-01', by);
        expect(Object.keys(current)).toEqual(['object', 'data', 'has_more', 'url']);
        expect(current).toMatchObject({ object: 'list', has_more: true, url: path });
        const older = await ask('2026-01-15', by);
        expect(Object.keys(older.body)).toEqual(['data', 'pagination']);
        expect(older.body.pagination).toEqual({ limit: 1, offset: 0, total: 2, hasMore: true });
        expect(older.body.data).toEqual(current.data);
      }
    });
  });

  it('is a pagination block in both versions of a service that takes it for no core list', async () => {
    await withSandbox(async (at) => {
      at.service.control.behave({ pagination_block: true });
      for (const version of ['2026-05-01', '2026-01-15']) {
        const { body } = await at.ask('GET', path, { headers: { 'service-version': version } });
        expect(Object.keys(body)).toEqual(['data', 'pagination']);
      }
    });
  });

  it.each(['0', '101', '-1', 'abc', '1.5', '', '99999999999999999999'])('refuses limit=%s', async (limit) => {
    await withSandbox(async ({ ask }) => {
      const reply = await ask('GET', `${path}?limit=${limit}`);
      expect([reply.status, reply.body.error.code, reply.body.error.param]).toEqual([
        400,
        'validation_error',
        'limit',
      ]);
    });
  });

  it('takes limit=1 and limit=100', async () => {
    await withSandbox(async ({ ask }) => {
      for (const limit of [1, 100]) expect((await ask('GET', `${path}?limit=${limit}`)).status).toBe(200);
    });
  });

  it('refuses what it does not know, the parameters of the other style too; a lenient service ignores it', async () => {
    const foreign = style === 'cursor' ? 'offset' : 'starting_after';
    for (const name of [foreign, 'page', 'statuss']) {
      await withSandbox(async ({ ask }) => {
        const reply = await ask('GET', `${path}?${name}=1`);
        expect([reply.status, reply.body.error.param]).toEqual([400, name]);
      });
      await withSandbox(async ({ ask }) => expect((await ask('GET', `${path}?${name}=1`)).status).toBe(200), {
        refusesUnknownFields: false,
      });
    }
  });
});

describe.each(LISTS.filter(([, style]) => style === 'cursor'))('%s, which goes by cursor,', (path) => {
  it('refusesboth cursors, and one that names nothing', async () => {
    await withSandbox(async ({ ask }) => {
      const both = await ask('GET', `${path}?starting_after=a&ending_before=b`);
      expect([both.status, both.body.error.code]).toEqual([400, 'parameter_invalid']);
      for (const name of ['starting_after', 'ending_before']) {
        const { status, body } = await ask('GET', `${path}?${name}=${OUR_ID}`);
        expect([status, body.error.code, body.error.param]).toEqual([400, 'resource_missing', name]);
      }
    });
  });
});

describe('what is no list', () => {
  it.each([
    ['GET', `/v2/terminal-devices/${DEVICE}`, 200],
    ['POST', '/v2/terminal-payments', 201],
  ])('%s %s has no query parameter but version', async (method, path, status) => {
    await withSandbox(async ({ ask }) => {
      const body = method === 'POST' ? { device_id: DEVICE, amount_minor: 1, currency: 'EUR' } : undefined;
      const refused = await ask(method, `${path}?limit=1`, { body });
      expect([refused.status, refused.body.error.param]).toEqual([400, 'limit']);
      expect((await ask(method, `${path}?version=2026-01-15`, { body })).status).toBe(status);
    });
  });
});
