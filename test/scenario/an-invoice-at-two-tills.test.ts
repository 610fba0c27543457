import { describe, expect, it } from 'vitest';
import { recordOf } from '../../src/sandbox/service/catalogue.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { type Reply, Till } from '../support/till.ts';

/** The second invoice of the sandbox's service, which is open. */
const { id: INVOICE, total_minor } = recordOf('invoices', 1);
const TOTAL = Number(total_minor);
const FINAL = ['succeeded', 'declined', 'cancelled', 'error'];

const sale = (amount_minor: number) => ({
  device_id: DEVICE_ID,
  amount_minor,
  currency: 'EUR',
  invoice_id: INVOICE,
});

/** Asks for a payment, and gives its end, or why it was refused. */
async function pay(till: Till, amount: number): Promise<Reply['body']> {
  const reply = await till.ask('POST', '/terminal-payments', sale(amount));
  if (reply.status >= 300) return { ...reply.body, status: reply.status };
  return eventually(async () => {
    const { data } = (await till.ask('GET', `/terminal-payments/${reply.body.data.id}`)).body;
    return FINAL.includes(data.status) && data.reported !== 'pending' && data;
  });
}

const chargedOn = (...worlds: readonly World[]) =>
  worlds.flatMap(({ terminal }) => terminal.snapshot().ledger.map(({ amountMinor }) => amountMinor));

/** Two tills of a shop, each with a tilld of its own, at one service. */
async function twoTills() {
  const first = await aWorld({ autopilotMs: 300 });
  const second = await aWorld({ autopilotMs: 300, serial: '17F00002' }, {}, { url: first.service.url });
  const tills = [
    await Till.at(await Daemon.start(first)),
    await Till.at(await Daemon.start(second)),
  ] as const;
  return { worlds: [first, second] as const, tills, total: TOTAL };
}

describe('an invoice at two tills, each with a tilld of its own', { timeout: 60_000 }, () => {
  it('is charged once at most when both begin at the same moment, and can be paid afterwards', async () => {
    const { worlds, tills, total } = await twoTills();
    const ends = await Promise.all(tills.map((till) => pay(till, total)));
    expect(chargedOn(...worlds).length).toBeLessThanOrEqual(1);
    const refused = ends.filter(({ status }) => status !== 'succeeded');
    expect(refused.length).toBeGreaterThanOrEqual(1);
    if (chargedOn(...worlds).length === 0) await pay(tills[0], total);
    expect(chargedOn(...worlds)).toEqual([total]);
    expect(await pay(tills[1], total)).toMatchObject({
      status: 409,
      error: { code: 'invoice_already_paid' },
    });
  });

  it('is paid in parts up to what is due, and no cent more', async () => {
    const { worlds, tills, total } = await twoTills();
    expect(await pay(tills[0], 100)).toMatchObject({ status: 'succeeded' });
    const left = total - 100;
    expect(await pay(tills[1], total)).toMatchObject({
      status: 422,
      error: { code: 'amount_exceeds_due', details: { amount_due_minor: left } },
    });
    expect(await pay(tills[1], left)).toMatchObject({ status: 'succeeded' });
    expect(await pay(tills[0], 1)).toMatchObject({ status: 409, error: { code: 'invoice_already_paid' } });
    expect(chargedOn(...worlds)).toEqual([100, left]);
  });
});

describe('an invoice at a till without a line', { timeout: 60_000 }, () => {
  it('is charged at once, and not a second time', async () => {
    const world = await aWorld({ autopilotMs: 20 }, {}, { url: 'http://127.0.0.1:9' });
    const till = await Till.at(await Daemon.start(world));
    const from = Date.now();
    const { data } = (await till.ask('POST', '/terminal-payments', sale(500))).body;
    await eventually(async () => {
      const now = await till.ask('GET', `/terminal-payments/${data.id}`);
      return now.body.data.status === 'succeeded';
    });
    expect(Date.now() - from).toBeLessThan(5_000);
    expect(await pay(till, 500)).toMatchObject({ status: 409, error: { code: 'payment_already_paid' } });
    expect(chargedOn(world)).toEqual([500]);
  });
});
