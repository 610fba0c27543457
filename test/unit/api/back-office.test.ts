import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Event } from '../../../src/api/contract/event.ts';
import { TerminalDevice } from '../../../src/api/contract/terminal-device.ts';
import { TerminalReconciliation } from '../../../src/api/contract/terminal-reconciliation.ts';
import { TerminalReprint } from '../../../src/api/contract/terminal-reprint.ts';
import { TerminalSettlement } from '../../../src/api/contract/terminal-settlement.ts';
import { TerminalTask } from '../../../src/api/contract/terminal-task.ts';
import { NO_SALES, reconciliationOf, settlementOf, taskOf } from './memory-back-office.ts';
import { DEVICE_ID } from './memory-payments.ts';
import { type Ask, ask, KEYS, keyId, startShop } from './shop.ts';

const NOBODY = '0198c5a0-cccc-7000-8000-000000000009';
const DEVICE = `/v2/terminal-devices/${DEVICE_ID}`;

let started: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  started = await startShop({ rateLimit: { perMinute: 60_000, burst: 5_000 } });
});
afterAll(() => started.api.stop());
beforeEach(() => {
  started.shop.backOffice.all.length = 0;
  started.shop.backOffice.taskList.length = 0;
});

const get = (path: string, more: Partial<Ask> = {}) => ask(started.api.url, { path, ...more });
const post = (path: string, body?: object, more: Partial<Ask> = {}) =>
  ask(started.api.url, {
    method: 'POST',
    path,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...more,
  });
const onSocket = (path: string, body: object) =>
  ask(started.socketPath, { method: 'POST', path, key: null, body: JSON.stringify(body) });

describe('end of day', () => {
  it('answers 202 with the settlement, and gives the open one again instead of a second', async () => {
    const first = await post(`${DEVICE}/end-of-day`);
    expect(first.status).toBe(202);
    const settlement = TerminalSettlement.parse(first.json.data);
    expect(settlement).toMatchObject({
      object: 'terminal_settlement',
      device_id: DEVICE_ID,
      status: 'requested',
      source: 'request',
      currency: 'EUR',
      forced: null,
    });
    expect((await post(`${DEVICE}/end-of-day`, {})).json.data.id).toBe(settlement.id);
    expect((await get(`/v2/terminal-settlements/${settlement.id.toUpperCase()}`)).json.data).toEqual(
      settlement,
    );
    expect(started.shop.backOffice.all[0]).toMatchObject({ caller: keyId('full') });
  });

  it('is forced only with a name and a reason, and keeps both without card numbers', async () => {
    for (const force of [{ by: 'Anna' }, { by: '', reason: 'x' }, { by: 'Anna', reason: 'x', more: 1 }, true])
      expect((await post(`${DEVICE}/end-of-day`, { force })).status).toBe(400);
    expect(started.shop.backOffice.all).toEqual([]);
    const answer = await post(`${DEVICE}/end-of-day`, {
      force: { by: 'Anna', reason: 'card 4111111111111111' },
    });
    expect(answer.json.data.forced).toEqual({ by: 'Anna', reason: 'card 411111******1111' });
  });

  it('lists the settlements of one device, newest first, by cursor', async () => {
    const { all } = started.shop.backOffice;
    for (const number of [1, 2, 3, 4, 5])
      all.push(settlementOf({ id: `0198c5a0-eeee-7000-8000-00000000010${number}`, status: 'succeeded' }));
    all.push(settlementOf({ deviceId: '0198c5a0-aaaa-7000-8000-000000000002' }));
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { json } = await get(`${DEVICE}/settlements?limit=2${after && `&starting_after=${after}`}`);
      seen.push(...json.data.map(({ id }: { id: string }) => id));
      expect(json).toMatchObject({ object: 'list', url: `${DEVICE}/settlements` });
      if (!json.has_more) break;
      after = seen.at(-1) ?? '';
    }
    expect(seen.map((id) => id.at(-1))).toEqual(['5', '4', '3', '2', '1']);
    const older = await get(`${DEVICE}/settlements?version=2026-01-15&limit=1`);
    expect(older.json.pagination).toEqual({ limit: 1, hasMore: true });
    expect((await get(`${DEVICE}/settlements?starting_after=${NOBODY}`)).json.error).toMatchObject({
      code: 'resource_missing',
      param: 'starting_after',
    });
  });

  it('shows the sums of the terminal and ours, in the currency of the terminal', async () => {
    const totals = {
      count: 3,
      amountMinor: 4200,
      currency: 'CHF',
      byScheme: [{ scheme: 'visa', count: 3, amountMinor: 4200 }],
    } as const;
    const sales = { count: 3, amountMinor: 4300 };
    started.shop.backOffice.all.push(
      settlementOf({
        status: 'succeeded',
        totals,
        ours: { ...NO_SALES, sales, netMinor: 4300 },
        differs: true,
        completedAt: 1_700_000_060_000,
        receipts: { merchant: 'TOTALS' },
        terminal: { grade: 'serial', serial: 'S-1' },
      }),
    );
    const { json } = await get(`${DEVICE}/settlements`);
    expect(TerminalSettlement.parse(json.data[0])).toMatchObject({
      currency: 'CHF',
      totals: { count: 3, amount_minor: 4200, first_number: null, by_scheme: [{ scheme: 'visa', count: 3 }] },
      ours: { sales: { count: 3, amount_minor: 4300 }, net_minor: 4300 },
      differs: true,
      terminal_serial: 'S-1',
      receipts: { merchant: 'TOTALS', customer: null },
    });
  });

  it.each(['requested', 'in_progress', 'succeeded', 'refused', 'cancelled', 'unknown'] as const)(
    'a settlement that is %s says what it means for customers and what to do now',
    async (status) => {
      for (const differs of [true, false, null])
        for (const source of ['request', 'terminal'] as const) {
          started.shop.backOffice.all[0] = settlementOf({
            status,
            differs,
            source,
            reason: { code: 'x', message: 'Paper is out' },
          });
          const { message } = (await get(`${DEVICE}/settlements`)).json.data[0];
          expect(message).toContain('charges no customer');
          expect(message).toMatch(/Wait|[Ss]tart (it|the end of day)|compare|keep the printed|Nothing else/);
          if (['refused', 'cancelled', 'unknown'].includes(status))
            expect(message).toContain('Paper is out.');
        }
    },
  );

  it.each([
    [false, 4300, 'agrees', 'The terminal’s sum is the same as ours: 43.00 EUR.'],
    [null, 4300, 'agrees', 'The terminal’s sum is the same as ours: 43.00 EUR.'],
    [
      true,
      4200,
      'differs',
      'the terminal has 42.00 EUR, tilld has 43.00 EUR. The terminal has 1.00 EUR less',
    ],
    [true, 5000, 'differs', 'The terminal has 7.00 EUR more'],
    [
      null,
      4200,
      'day_not_whole',
      'The terminal has 42.00 EUR, tilld has 43.00 EUR: they differ by 1.00 EUR.',
    ],
    [null, undefined, 'no_sum', 'The terminal reports no sum to tilld; tilld has 43.00 EUR.'],
  ] as const)(
    'with differs %s and the terminal at %s is %s, in plain words',
    async (differs, theirs, verdict, words) => {
      const ours = { ...NO_SALES, sales: { count: 3, amountMinor: 4300 }, netMinor: 4300 };
      const totals = theirs === undefined ? { count: 3 } : { count: 3, amountMinor: theirs };
      started.shop.backOffice.all.push(settlementOf({ status: 'succeeded', totals, ours, differs }));
      const { comparison, message } = (await get(`${DEVICE}/settlements`)).json.data[0];
      expect(comparison).toMatchObject({
        verdict,
        lines: [
          {
            what: 'sum',
            terminal: theirs ?? null,
            ours: 4300,
            difference: theirs === undefined ? null : theirs - 4300,
          },
          { what: 'count', terminal: 3, ours: 3, difference: 0 },
        ],
      });
      expect(message).toContain(words);
      expect(message).not.toContain('could not be compared');
    },
  );

  it('is published as settlement.created with the settlement as GET gives it', async () => {
    const settlement = settlementOf({ status: 'succeeded', differs: false });
    started.shop.backOffice.all.push(settlement);
    started.shop.payments.publish('settlement.created', { kind: 'settlement', settlement });
    const event = (await get('/v2/events?limit=100')).json.data.at(-1);
    expect(Event.parse(event).type).toBe('settlement.created');
    expect(event.data).toEqual((await get(`/v2/terminal-settlements/${settlement.id}`)).json.data);
  });
});

describe('reprint', () => {
  it.each([
    [{ kind: 'printed' }, { result: 'printed', text: null, reason: null }],
    [
      { kind: 'received', text: 'BETRAG 12.34\nKarte 4111111111111111' },
      { result: 'received', reason: null, text: 'BETRAG 12.34\nKarte 411111******1111' },
    ],
    [
      { kind: 'refused', message: 'no paper' },
      { result: 'refused', text: null, reason: 'no paper' },
    ],
  ] as const)('shows where the copy comes out: %j', async (copy, shown) => {
    started.shop.backOffice.copy = copy;
    const answer = await post(`${DEVICE}/reprint`);
    expect(TerminalReprint.parse(answer.json.data)).toEqual({
      object: 'terminal_reprint',
      device_id: DEVICE_ID,
      ...shown,
    });
  });
});

describe('reconcile', () => {
  const at = (verdict: 'same' | 'unknown' | 'missing' | 'contradicts') => ({
    terminal:
      verdict === 'missing'
        ? null
        : ({ verdict: 'approved', kind: 'sale', amountMinor: 1234, number: '17' } as const),
    attemptId: verdict === 'unknown' ? null : NOBODY,
    verdict,
  });

  it('answers with each line of the terminal beside ours', async () => {
    started.shop.backOffice.found = reconciliationOf({
      lines: [at('same'), at('missing')],
      totals: { count: 1, amountMinor: 1234, currency: 'EUR' },
      totalsAgree: false,
    });
    const answer = await post(`/v2/terminal-devices/${DEVICE_ID.toUpperCase()}/reconcile`);
    expect(answer.status).toBe(200);
    expect(TerminalReconciliation.parse(answer.json.data)).toMatchObject({
      device_id: DEVICE_ID,
      complete: true,
      totals_agree: false,
      lines: [
        {
          terminal: { type: 'sale', result: 'approved', amount_minor: 1234, receipt_number: '17' },
          payment_id: NOBODY,
        },
        { terminal: null, verdict: 'missing' },
      ],
    });
  });

  it.each([
    ['contradicts', /1 payment ended otherwise .*what the terminal says counts/],
    ['missing', /not sure that this customer was charged: compare/],
    ['unknown', /a customer may have been charged by hand. Ask/],
    ['same', /Every charge that the terminal reports is in our books\. Nothing else is to be done/],
  ] as const)('a line that is %s is put into words', async (verdict, words) => {
    started.shop.backOffice.found = reconciliationOf({ lines: [at(verdict)] });
    const { message } = (await post(`${DEVICE}/reconcile`)).json.data;
    expect(message).toMatch(words);
    if (verdict !== 'same') expect(message).not.toMatch(/Nothing else/);
  });

  it('never says that all is well when sums differ, and says what it could not compare', async () => {
    started.shop.backOffice.found = reconciliationOf({ totalsAgree: false, complete: false });
    const { message } = (await post(`${DEVICE}/reconcile`)).json.data;
    expect(message).not.toMatch(/Nothing else/);
    expect(message).toMatch(/sum differs from ours.*only a part of its journal/);
  });
});

describe('adopt', () => {
  it('takes a name, answers with the device, and is heard on the socket only', async () => {
    const over = await post(`${DEVICE}/adopt`, { by: 'Anna' });
    expect(over).toMatchObject({ status: 403, json: { error: { code: 'internal_only' } } });
    expect((await onSocket(`${DEVICE}/adopt`, {})).json.error).toMatchObject({
      code: 'missing_required_field',
      param: 'by',
    });
    expect(started.shop.backOffice.adopted).toEqual([]);
    const answer = await onSocket(`/v2/terminal-devices/${DEVICE_ID.toUpperCase()}/adopt`, { by: 'Anna' });
    expect(TerminalDevice.parse(answer.json.data).id).toBe(DEVICE_ID);
    expect(started.shop.backOffice.adopted).toEqual([[DEVICE_ID, 'Anna']]);
  });
});

it('a device keeps the capability that no driver has any more, for programs that read it', async () => {
  const { json } = await get(DEVICE);
  expect(TerminalDevice.parse(json.data).capabilities).toMatchObject({
    abort: true,
    preauthorisation: false,
  });
});

describe('tasks', () => {
  const ids = [1, 2, 3].map((number) => `0198c5a0-dddd-7000-8000-00000000000${number}`);
  beforeEach(() => {
    const done = { by: 'Bert', note: 'refunded', at: 1_700_000_000_000 };
    const { taskList } = started.shop.backOffice;
    taskList.push(...ids.map((id, index) => taskOf({ id, done: index === 1 ? done : null })));
  });

  it('are listed oldest first; open=true leaves out what is done', async () => {
    const all = await get('/v2/terminal-tasks');
    expect(all.json.data.map((task: unknown) => TerminalTask.parse(task).id)).toEqual(ids);
    expect(all.json).toMatchObject({ object: 'list', has_more: false, url: '/v2/terminal-tasks' });
    const open = await get('/v2/terminal-tasks?open=true');
    expect(open.json.data.map(({ id }: { id: string }) => id)).toEqual([ids[0], ids[2]]);
    const first = await get('/v2/terminal-tasks?open=true&limit=1');
    expect(first.json).toMatchObject({ has_more: true, data: [{ id: ids[0], done: null }] });
    const second = await get(`/v2/terminal-tasks?open=true&limit=1&starting_after=${ids[0]}`);
    expect(second.json).toMatchObject({ has_more: false, data: [{ id: ids[2] }] });
    expect((await get(`/v2/terminal-tasks?starting_after=${NOBODY}`)).json.error).toMatchObject({
      code: 'resource_missing',
      param: 'starting_after',
    });
    expect((await get('/v2/terminal-tasks?open=yes')).json.error).toMatchObject({ param: 'open' });
  });

  it('are done by a named person with a note, once', async () => {
    const path = `/v2/terminal-tasks/${ids[0]?.toUpperCase()}/done`;
    expect((await post(path, { by: 'Anna' })).json.error).toMatchObject({
      code: 'missing_required_field',
      param: 'note',
    });
    const answer = await post(path, { by: 'Anna', note: 'refunded to card 4111111111111111' });
    expect(TerminalTask.parse(answer.json.data).done).toMatchObject({
      by: 'Anna',
      note: 'refunded to card 411111******1111',
    });
    expect(await post(path, { by: 'Anna', note: 'again' })).toMatchObject({
      status: 409,
      json: { error: { code: 'task_done' } },
    });
  });

  it('a key that may only read sees them and cannot end them', async () => {
    expect((await get('/v2/terminal-tasks', { key: KEYS.reader })).status).toBe(200);
    const answer = await post(
      `/v2/terminal-tasks/${ids[0]}/done`,
      { by: 'Anna', note: 'x' },
      { key: KEYS.reader },
    );
    expect(answer.status).toBe(403);
    expect(started.shop.backOffice.taskList[0]?.done).toBeNull();
  });
});

describe('ids that nobody has, and keys that may not', () => {
  it.each([
    ['POST', `/v2/terminal-devices/${NOBODY}/end-of-day`],
    ['POST', `/v2/terminal-devices/${NOBODY}/reconcile`],
    ['POST', `/v2/terminal-devices/${NOBODY}/reprint`],
    ['GET', `/v2/terminal-devices/${NOBODY}/settlements`],
    ['GET', `/v2/terminal-settlements/${NOBODY}`],
  ])('%s %s is 404 with param id', async (method, path) => {
    expect(await get(path, { method })).toMatchObject({
      status: 404,
      json: { error: { code: 'resource_not_found', param: 'id' } },
    });
  });

  it('a task that nobody has is 404', async () => {
    expect(await post(`/v2/terminal-tasks/${NOBODY}/done`, { by: 'A', note: 'b' })).toMatchObject({
      status: 404,
      json: { error: { param: 'id' } },
    });
  });

  it.each(['end-of-day', 'reconcile', 'reprint'])('a key that may only read cannot %s', async (what) => {
    expect((await post(`${DEVICE}/${what}`, {}, { key: KEYS.reader })).status).toBe(403);
    expect(started.shop.backOffice.all).toEqual([]);
  });
});
