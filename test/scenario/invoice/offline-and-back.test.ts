import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../../support/attempts.ts';
import { eventually } from '../../support/daemon.ts';
import { askOver } from '../../support/socket.ts';
import { tillctl } from '../../support/till.ts';
import { aShop, charged, OPEN, standsAtService } from './counter.ts';

interface Seen {
  readonly data: { readonly id: string; readonly status: string };
}

describe('without a connection', { timeout: 180_000 }, () => {
  it('allows it once, reports it when the line is back, and the mirror is right by its next reading', async () => {
    const lists = { mirror: { lists: ['invoices'], interval_s: 60 } };
    const { world, daemon, till, pay } = await aShop(lists);
    const invoice = { invoice_id: String(OPEN?.['id']) };
    const total = Number(OPEN?.['total_minor']);
    const seen = async () => {
      const path = `/v2/invoices/${invoice.invoice_id}`;
      return ((await askOver(daemon.socket, 'GET', path).catch(() => null)) as Seen | null)?.data;
    };
    await eventually(async () => (await seen())?.id === invoice.invoice_id);
    world.service.control.behave({ offline: true });
    await eventually(async () => (await tillctl(daemon, 'status')).stdout.includes('offline'), 30_000);
    const made = await till.ask('POST', '/terminal-payments', { device_id: DEVICE_ID, ...invoice });
    expect(made.status).toBe(201);
    await eventually(async () => {
      const { data } = (await till.ask('GET', `/terminal-payments/${made.body.data.id}`)).body;
      return data.status === 'succeeded';
    });
    expect(await pay(invoice)).toMatchObject({ status: 409, code: 'invoice_already_paid' });
    expect(await seen()).toMatchObject({ status: 'open', amount_due_minor: total, paid_here_minor: total });
    world.service.control.behave({ offline: false });
    await eventually(async () => (await standsAtService(world, invoice))[0] === 'paid', 30_000);
    expect(await pay(invoice)).toMatchObject({ status: 409, code: 'invoice_already_paid' });
    expect(charged(world)).toEqual([['sale', total]]);
    await eventually(async () => (await seen())?.status === 'paid', 90_000);
    expect(await seen()).toMatchObject({ amount_due_minor: 0, paid_here_minor: 0 });
  });
});
