import { describe, expect, it } from 'vitest';
import { anInvoice, aShop, charged, NOWHERE, PAID, standsAtService } from './counter.ts';

describe('with a connection to the service', { timeout: 60_000 }, () => {
  it('refuses an invoice that is paid, a draft, void, unknown, or in another currency, and charges nothing', async () => {
    const { world, pay } = await aShop();
    const half = { amount_minor: 500, currency: 'EUR' };
    const draft = await anInvoice(world, {}, []);
    const gone = await anInvoice(world, {}, ['finalize', 'void']);
    const dollars = await anInvoice(world, { currency: 'USD' });
    expect(await pay({ ...half, invoice_id: PAID?.['id'] })).toMatchObject({
      status: 409,
      code: 'invoice_already_paid',
    });
    expect(await pay({ ...half, ...draft })).toMatchObject({ status: 409, code: 'invoice_not_finalized' });
    expect(await pay({ ...half, ...gone })).toMatchObject({ status: 409, code: 'invoice_already_voided' });
    expect(await pay({ ...half, invoice_id: NOWHERE })).toMatchObject({
      status: 404,
      code: 'resource_missing',
      param: 'invoice_id',
    });
    expect(await pay({ ...half, ...dollars })).toMatchObject({ status: 422, code: 'currency_not_accepted' });
    expect(await pay(dollars)).toMatchObject({ status: 422, code: 'currency_not_accepted' });
    expect(charged(world)).toEqual([]);
  });

  it('takes two halves and no third, and what is due where no amount is named', async () => {
    const { world, pay } = await aShop();
    const invoice = await anInvoice(world);
    expect(await pay({ ...invoice, amount_minor: 400, currency: 'EUR' })).toMatchObject({
      status: 'succeeded',
    });
    expect(await pay({ ...invoice, amount_minor: 601, currency: 'EUR' })).toMatchObject({
      status: 422,
      code: 'amount_exceeds_due',
      details: { amount_due_minor: 600 },
    });
    expect(await pay(invoice)).toMatchObject({ status: 'succeeded', amount_minor: 600, currency: 'EUR' });
    expect(await pay(invoice)).toMatchObject({ status: 409, code: 'invoice_already_paid' });
    expect(charged(world)).toEqual([
      ['sale', 400],
      ['sale', 600],
    ]);
    expect(await standsAtService(world, invoice)).toEqual(['paid', 0]);
  });

  it('lets what was refunded be paid again at once, and no more than that', async () => {
    const { world, pay, refund } = await aShop();
    const invoice = await anInvoice(world);
    const { id } = await pay(invoice);
    await refund(id, 300);
    expect(await standsAtService(world, invoice)).toEqual(['open', 300]);
    expect(await pay({ ...invoice, amount_minor: 301, currency: 'EUR' })).toMatchObject({
      code: 'amount_exceeds_due',
    });
    expect(await pay(invoice)).toMatchObject({ status: 'succeeded', amount_minor: 300 });
    expect(await standsAtService(world, invoice)).toEqual(['paid', 0]);
  });
});
