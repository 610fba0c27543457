import { describe, expect, it } from 'vitest';
import { type AtWork, DEVICE, OTHER_DEVICE, OUR_ID, withSandbox } from './sandbox-at-work.ts';

async function createThree({ create, clock }: AtWork): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const device_id of [DEVICE, OTHER_DEVICE, DEVICE]) {
    ids.push((await create({ device_id })).body.data.id);
    await clock.advance(1000);
  }
  return ids;
}

const idsIn = (body: { data: readonly { id: string }[] }) => body.data.map(({ id }) => id);

describe('cursor lists', () => {
  it('give payments newest first, page by page in both directions', async () => {
    await withSandbox(async (at) => {
      const [first, second, third] = await createThree(at);
      const path = '/v2/terminal-payments';
      const all = (await at.ask('GET', path)).body;
      expect(idsIn(all)).toEqual([third, second, first]);
      expect(all).toMatchObject({ object: 'list', has_more: false, url: '/v2/terminal-payments' });
      const page = (await at.ask('GET', `${path}?limit=2`)).body;
      expect([idsIn(page), page.has_more]).toEqual([[third, second], true]);
      const next = (await at.ask('GET', `${path}?limit=2&starting_after=${second}`)).body;
      expect([idsIn(next), next.has_more]).toEqual([[first], false]);
      expect(idsIn((await at.ask('GET', `${path}?limit=1&ending_before=${first}`)).body)).toEqual([second]);
      expect(idsIn((await at.ask('GET', `${path}?ending_before=${third}`)).body)).toEqual([]);
    });
  });

  it('may say has_more on an exactly full last page, as the interface warns', async () => {
    await withSandbox(async (at) => {
      const [first] = await createThree(at);
      expect((await at.ask('GET', '/v2/terminal-payments?limit=3')).body.has_more).toBe(true);
      const empty = (await at.ask('GET', `/v2/terminal-payments?limit=3&starting_after=${first}`)).body;
      expect([empty.data, empty.has_more]).toEqual([[], false]);
    });
  });

  it('filter payments by status and by devices, which may repeat', async () => {
    await withSandbox(async (at) => {
      const [first, second, third] = await createThree(at);
      await at.ask('POST', `/v2/terminal-payments/${first}/cancel`);
      const list = async (query: string) =>
        idsIn((await at.ask('GET', `/v2/terminal-payments?${query}`)).body);
      expect(await list('status=requested')).toEqual([third, second]);
      expect(await list(`status=requested&device_id=${DEVICE}`)).toEqual([third]);
      expect(await list(`device_id=${DEVICE}&device_id=${OTHER_DEVICE}`)).toEqual([third, second, first]);
      expect(await list(`device_id=${OUR_ID}`)).toEqual([]);
    });
  });

  it('filter payments by invoice, and know ids in any case of letters', async () => {
    await withSandbox(async (at) => {
      const invoice_id = '0198c000-0000-7000-8000-00000000000a';
      const { id } = (await at.create({ invoice_id, device_id: DEVICE.toUpperCase() })).body.data;
      await at.create();
      for (const query of [`invoice_id=${invoice_id}`, `invoice_id=${invoice_id.toUpperCase()}`])
        expect(idsIn((await at.ask('GET', `/v2/terminal-payments?${query}`)).body)).toEqual([id]);
      const both = await at.ask('GET', `/v2/terminal-payments?device_id=${DEVICE.toUpperCase()}`);
      expect(both.body.data).toHaveLength(2);
      const rest = await at.ask('GET', `/v2/terminal-payments?ending_before=${id.toUpperCase()}`);
      expect(rest.body.data).toHaveLength(1);
    });
  });

  it('go on behind a cursor that the filter lets through no more', async () => {
    await withSandbox(async (at) => {
      const [first, second, third] = await createThree(at);
      await at.ask('POST', `/v2/terminal-payments/${second}/cancel`);
      const path = '/v2/terminal-payments?status=requested&limit=1';
      const next = await at.ask('GET', `${path}&starting_after=${second}`);
      expect(idsIn(next.body)).toEqual([first]);
      expect(idsIn((await at.ask('GET', `${path}&ending_before=${second}`)).body)).toEqual([third]);
      const older = await at.ask('GET', `${path}&starting_after=${second}&version=2026-01-15`);
      expect(older.body.pagination).toEqual({ limit: 1, offset: 1, total: 2, hasMore: true });
    });
  });

  it('give events oldest first, and what is newer than the cursor', async () => {
    await withSandbox(async (at) => {
      const ids = await createThree(at);
      const { data } = (await at.ask('GET', '/v2/events')).body;
      expect(data.map((event: { data: { id: string } }) => event.data.id)).toEqual(ids);
      expect(data[0]).toMatchObject({
        id: expect.stringMatching(/^evt_/),
        type: 'terminal_payment.requested',
      });
      const newer = (await at.ask('GET', `/v2/events?starting_after=${data[1].id}`)).body;
      expect(idsIn(newer)).toEqual([data[2].id]);
    });
  });

  it.each([
    ['limit=0', 'validation_error', 'limit'],
    ['limit=101', 'validation_error', 'limit'],
    ['limit=-1', 'validation_error', 'limit'],
    ['limit=1e1', 'validation_error', 'limit'],
    ['limit=', 'validation_error', 'limit'],
    ['limit=1&limit=2', 'validation_error', 'limit'],
    ['device_id=counter', 'validation_error', 'device_id'],
    [`device_id=${DEVICE}&device_id=`, 'validation_error', 'device_id'],
    ['invoice_id=1', 'validation_error', 'invoice_id'],
    ['status=paid', 'validation_error', 'status'],
    [`starting_after=${OUR_ID}`, 'resource_missing', 'starting_after'],
    [`ending_before=${OUR_ID}`, 'resource_missing', 'ending_before'],
    [`starting_after=${OUR_ID}&ending_before=${OUR_ID}`, 'parameter_invalid', 'ending_before'],
  ])('refuse ?%s with 400 %s', async (query, code, param) => {
    await withSandbox(async ({ ask }) => {
      const reply = await ask('GET', `/v2/terminal-payments?${query}`);
      expect(reply.status).toBe(400);
      expect(reply.body.error).toMatchObject({ code, param });
    });
  });

  it('hold 20 by default and 100 at most', async () => {
    await withSandbox(async (at) => {
      for (let count = 0; count < 21; count += 1) await at.create();
      expect((await at.ask('GET', '/v2/terminal-payments')).body.data).toHaveLength(20);
      expect((await at.ask('GET', '/v2/terminal-payments?limit=100')).body.data).toHaveLength(21);
    });
  });
});

describe('offset lists', () => {
  it('give devices by limit and offset, in both shapes', async () => {
    await withSandbox(async ({ ask }) => {
      const current = (await ask('GET', '/v2/terminal-devices?limit=1&offset=1')).body;
      expect(current.data).toEqual([{ id: OTHER_DEVICE, name: 'Counter 2', terminal_serial: null }]);
      const older = await ask('GET', '/v2/terminal-devices?offset=1', {
        headers: { 'service-version': '2026-01-15' },
      });
      expect(older.body.pagination).toEqual({ limit: 20, offset: 1, total: 2, hasMore: false });
      expect((await ask('GET', `/v2/terminal-devices/${DEVICE}`)).body.data.terminal_serial).toBe('17FD1E3C');
    });
  });

  it.each(['offset=-1', 'offset=x', 'limit=101'])('refuse ?%s with 400', async (query) => {
    await withSandbox(async ({ ask }) => {
      expect((await ask('GET', `/v2/terminal-devices?${query}`)).status).toBe(400);
    });
  });
});
