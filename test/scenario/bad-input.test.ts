import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon } from '../support/daemon.ts';
import { Till, tillctl } from '../support/till.ts';

const SALE = { device_id: DEVICE_ID, amount_minor: 1234, currency: 'EUR' };
const UNKNOWN_DEVICE = '0199c0de-0000-7000-8000-00000000dead';

const bodies: readonly [title: string, body: unknown, status: number, param: string | undefined][] = [
  ['amount 0', { ...SALE, amount_minor: 0 }, 400, 'amount_minor'],
  ['a negative amount', { ...SALE, amount_minor: -1 }, 400, 'amount_minor'],
  ['half a cent', { ...SALE, amount_minor: 1.5 }, 400, 'amount_minor'],
  ['an amount as text', { ...SALE, amount_minor: '1e3' }, 400, 'amount_minor'],
  [
    'an amount beyond every integer',
    `{"device_id":"${DEVICE_ID}","amount_minor":1e300,"currency":"EUR"}`,
    400,
    'amount_minor',
  ],
  [
    'an amount with an exponent',
    `{"device_id":"${DEVICE_ID}","amount_minor":1e3,"currency":"EUR"}`,
    400,
    'amount_minor',
  ],
  ['no amount', { device_id: DEVICE_ID, currency: 'EUR' }, 400, 'amount_minor'],
  ['an unknown currency', { ...SALE, currency: 'XXX' }, 400, 'currency'],
  ['a currency in small letters', { ...SALE, currency: 'eur' }, 400, 'currency'],
  ['a currency that the device does not take', { ...SALE, currency: 'CHF' }, 422, 'currency'],
  [
    'an amount that the protocol cannot carry',
    { ...SALE, amount_minor: 1_000_000_000_000 },
    422,
    'amount_minor',
  ],
  ['an unknown device', { ...SALE, device_id: UNKNOWN_DEVICE }, 404, 'device_id'],
  ['a device that is no UUID', { ...SALE, device_id: 'counter-1' }, 400, 'device_id'],
  ['an unknown field', { ...SALE, tip_minor: 1 }, 400, 'tip_minor'],
  ['a reference that is too long', { ...SALE, reference: 'x'.repeat(65) }, 400, 'reference'],
  ['a reference with a line break', { ...SALE, reference: 'a\nb' }, 400, 'reference'],
  ['a list instead of an object', [SALE], 400, ''],
  ['broken JSON', '{"device_id":', 400, undefined],
  ['a body of 1 MB', JSON.stringify({ ...SALE, metadata: { x: 'y'.repeat(1_000_000) } }), 413, undefined],
];

describe('a request that is wrong', () => {
  it('gets the status and the param of its mistake, and nothing is written', async () => {
    const world = await aWorld();
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    for (const [title, body, status, param] of bodies) {
      const reply = await till.ask('POST', '/terminal-payments', body);
      expect([title, reply.status, reply.body.error.param]).toEqual([title, status, param]);
      expect(reply.body.error.code).toEqual(expect.any(String));
    }
    expect((await till.ask('GET', `/terminal-payments/${UNKNOWN_DEVICE}`)).status).toBe(404);
    expect((await till.ask('GET', '/terminal-payments?limit=0')).status).toBe(400);
    expect((await till.ask('GET', '/nowhere')).body).toEqual({
      error: expect.any(String),
      request_id: expect.stringMatching(/^req_/),
    });
    await daemon.stop();
    const database = new Sqlite(daemon.database, { readonly: true });
    for (const table of ['attempts', 'journal', 'events', 'outbox', 'idempotency_keys']) {
      expect([table, database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()]).toEqual([table, 0]);
    }
    database.close();
    expect(world.terminal.snapshot().ledger).toEqual([]);
  });

  it.each([['0'], ['-1'], ['1.234'], ['1e3'], ['12,3,4']])(
    'is refused by tillctl before anything is sent: --amount %s',
    async (amount) => {
      const daemon = await Daemon.start(await aWorld());
      const { code, stdout } = await tillctl(
        daemon,
        'pay',
        '--device',
        DEVICE_ID,
        `--amount=${amount}`,
        '--json',
      );
      expect(code).toBe(2);
      expect(JSON.parse(stdout).error).toMatchObject({ message: expect.any(String) });
    },
  );
});

describe('a request without a good key', () => {
  it('gets 401 with a challenge, never the key back', async () => {
    const daemon = await Daemon.start(await aWorld());
    for (const headers of [
      {},
      { 'x-api-key': 'rk_live_nobody_has_this' },
      { authorization: 'Bearer x' },
    ] as Record<string, string>[]) {
      const response = await fetch(`${daemon.url}/v2/terminal-payments`, { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
      expect(await response.text()).not.toContain('nobody_has_this');
    }
  });
});
