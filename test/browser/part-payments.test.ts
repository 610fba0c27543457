import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Daemon } from '../support/daemon.ts';
import { askOver } from '../support/socket.ts';
import { flawsOf } from './axe.ts';
import { aBilledShop, dueOf, numberOf } from './billed-shop.ts';
import { openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome } from './staff.ts';

const NUMBER = numberOf(10);
const DUE = dueOf(10);

interface Listed {
  readonly number: string;
}

/** What the sandbox's service does not do with an invoice: nothing but the answers of the daemon is changed. */
const GIVEN_BACK = { status: 'paid', amount_due_minor: 0, paid_here_minor: -30_000 };
const FINALIZED = {
  id: '0199c0de-0001-7000-8000-0000000f0000',
  number: 'RE-FINAL',
  status: 'finalized',
  currency: 'EUR',
  amount_due_minor: 700,
  open_payment_id: null,
  paid_here_minor: 0,
};

async function pick(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pick an invoice' }).click();
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.type(NUMBER);
  await page.keyboard.press('Enter');
  await page.getByText(`Invoice ${NUMBER}`, { exact: true }).waitFor();
}

/** The newest payment, as the daemon has it. */
async function lastPayment(daemon: Daemon): Promise<object> {
  const answer = await askOver(daemon.socket, 'GET', '/v2/terminal-payments?limit=1');
  const { data } = answer as { data: { amount_minor: number; invoice_id: string }[] };
  return { amount: data[0]?.amount_minor, invoice: data[0]?.invoice_id };
}

describe('a part of an invoice', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('is paid by typing over what is due, and the rest afterwards; more than is due is not sent', async () => {
    const { daemon, world, ids } = await aBilledShop(['invoices']);
    const { page, faults } = await signedIn(browser, daemon);
    await pick(page);
    await page.getByText('All that is due: €1,011.10.').waitFor();
    for (const key of ['5', '0', '00', '0'])
      await page
        .getByRole('group', { name: 'Number pad' })
        .getByRole('button', { name: key, exact: true })
        .click();
    await page.getByText('Part payment: €500.00 of €1,011.10 due.').waitFor();
    expect(await flawsOf(page)).toEqual([]);

    await page.locator('input.amount').fill('1011.11');
    await page.getByText('More than is due on this invoice: €1,011.10.').waitFor();
    expect(await page.locator('input.amount').getAttribute('aria-invalid')).toBe('true');
    expect(await flawsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Take €1,011.11' }).click({ force: true });
    await page.locator('input.amount:focus').waitFor();
    expect(charges(world)).toEqual([]);
    await page.getByRole('button', { name: 'All: €1,011.10' }).click();
    await page.getByText('All that is due: €1,011.10.').waitFor();

    await page.locator('input.amount').click();
    await page.keyboard.type('50000');
    await page.getByRole('button', { name: 'Take €500.00' }).click();
    await lastOutcome(page, 'paid');
    expect(await lastPayment(daemon)).toEqual({ amount: 50_000, invoice: ids.get(NUMBER) });
    await page.locator('.facts').getByText(`${NUMBER} · €511.10 still due`).waitFor();
    await page.getByRole('link', { name: 'New payment' }).click();
    await pick(page);
    await page.getByText('All that is due: €511.10.').waitFor();
    await page.getByRole('button', { name: 'Take €511.10' }).click();
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([50_000, DUE - 50_000]);
    expect(faults).toEqual([]);
  });

  it('that was given back here is due again, although the mirror still calls the invoice paid', async () => {
    const { daemon } = await aBilledShop(['invoices']);
    const { page } = await signedIn(browser, daemon);
    await page.route('**/v2/invoices?**', async (route) => {
      const answer = await route.fetch();
      const list = await answer.json();
      const isFinalized = route.request().url().includes('status=finalized');
      const data = list.data.map((one: Listed) => (one.number === NUMBER ? { ...one, ...GIVEN_BACK } : one));
      await route.fulfill({ response: answer, json: { ...list, data: isFinalized ? [FINALIZED] : data } });
    });
    await page.getByRole('button', { name: 'Pick an invoice' }).click();
    const others = page.getByRole('list', { name: 'Other invoices' });
    await others.getByText('€7.00 due').waitFor();
    await page.getByRole('searchbox').fill(NUMBER);
    await others.getByText('€300.00 due').click();
    await page.getByText('All that is due: €300.00.').waitFor();
    await pick(page);
    await page.getByText('All that is due: €300.00.').waitFor();
  });
});
