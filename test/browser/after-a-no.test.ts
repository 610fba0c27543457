import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { aBilledShop, dueOf, numberOf } from './billed-shop.ts';
import { isChromium, openBrowser } from './browser.ts';
import { aSecondTerminal } from './second-terminal.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome, pressed, take, typed } from './staff.ts';

/** Requests that start payments: their idempotency keys and bodies. */
function started(page: Page): { readonly key: string | undefined; readonly body: Record<string, unknown> }[] {
  const seen: { key: string | undefined; body: Record<string, unknown> }[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !request.url().endsWith('/v2/terminal-payments')) return;
    seen.push({ key: request.headers()['idempotency-key'], body: request.postDataJSON() });
  });
  return seen;
}

describe('after a payment that charged nothing', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it.runIf(isChromium)('one key tries the same again, as a new attempt; it is offered once', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const { page } = await signedIn(browser, await Daemon.start(world));
    const requests = started(page);
    await take(page, '12.34', 'order 7');
    await lastOutcome(page, 'working');
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await pressed(world, 'decline');
    await lastOutcome(page, 'declined');
    const first = page.url();
    await page.getByRole('button', { name: 'Try again' }).getByText('F2').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await typed(page, ['F2']);
    await lastOutcome(page, 'working');
    await pressed(world, 'approve');
    await lastOutcome(page, 'paid');
    expect(page.url()).not.toBe(first);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    const [one, two] = requests;
    expect(requests).toHaveLength(2);
    expect(two?.key).not.toBe(one?.key);
    const same = ['amount_minor', 'currency', 'reference', 'device_id'];
    for (const field of same) expect(two?.body[field], field).toBe(one?.body[field]);
    await page.goto(first);
    await lastOutcome(page, 'declined');
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(charges(world)).toEqual([1234]);
  });

  it('is tried again once, also by two tabs at the same moment: the second is told which payment was made of it', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon);
    await take(page, '12.34', 'order 9');
    await lastOutcome(page, 'working');
    await pressed(world, 'decline');
    await lastOutcome(page, 'declined');
    const { page: other } = await signedIn(browser, daemon);
    await other.goto(page.url());
    await lastOutcome(other, 'declined');
    // The first tab hears nothing of the second one's payment before it asks itself.
    let free = () => {};
    const untilReleased = new Promise<void>((resolve) => {
      free = resolve;
    });
    await page.route('**/v2/terminal-payments', async (route) => {
      await untilReleased;
      await route.continue();
    });
    const refused = page.waitForResponse(
      (response) =>
        response.request().method() === 'POST' && response.url().endsWith('/v2/terminal-payments'),
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await other.getByRole('button', { name: 'Try again' }).click();
    await lastOutcome(other, 'working');
    free();
    expect(await (await refused).json()).toMatchObject({
      error: { code: 'payment_retried', details: { payment_id: other.url().split('/').at(-1) } },
    });
    const note = page.getByText('This sale was tried again');
    await note.waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await pressed(world, 'approve');
    await lastOutcome(other, 'paid');
    await note.getByText('Paid').waitFor();
    await note.getByRole('link', { name: 'Show that payment' }).click();
    await lastOutcome(page, 'paid');
    expect(page.url().split('/').at(-1)).toBe(other.url().split('/').at(-1));
    expect(charges(world)).toEqual([1234]);
  });

  it('another terminal takes it with one key; one without power is no button, with what to do', async () => {
    const world = await aWorld({ autopilot: 'off' }, { heartbeat_ms: 1000 });
    const second = await aSecondTerminal(world);
    const { page } = await signedIn(browser, await Daemon.start(world));
    await page.locator('.tile', { hasText: 'Counter 1' }).getByRole('radio').check();
    await take(page, '3.00', 'elsewhere');
    await lastOutcome(page, 'working');
    await pressed(world, 'decline');
    await lastOutcome(page, 'declined');
    second.setPower(false);
    const other = page.getByRole('button', { name: 'On Counter 2' });
    await page.getByText('Switch on Counter 2 and check its cable').waitFor();
    expect(await other.isDisabled()).toBe(true);
    expect(await flawsOf(page)).toEqual([]);
    await typed(page, ['F4']);
    second.setPower(true);
    await expect.poll(() => other.isEnabled(), { timeout: 60_000 }).toBe(true);
    await typed(page, ['F4']);
    await lastOutcome(page, 'paid');
    expect([charges(world), charges({ ...world, terminal: second })]).toEqual([[], [300]]);
  });

  it.runIf(isChromium)('keeps the invoice', async () => {
    const { daemon, world } = await aBilledShop(['invoices'], async (shop) =>
      shop.terminal.setAutopilot('decline'),
    );
    const { page } = await signedIn(browser, daemon);
    const requests = started(page);
    await page.getByRole('button', { name: 'Pick an invoice' }).click();
    await page.getByRole('searchbox').fill(numberOf(10));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('.pad button[type=submit]').click();
    await lastOutcome(page, 'declined');
    world.terminal.setAutopilot('approve');
    await page.getByRole('button', { name: 'Try again' }).click();
    await lastOutcome(page, 'paid');
    expect(requests.map(({ body }) => body['invoice_id'])).toEqual([
      expect.any(String),
      requests[0]?.body['invoice_id'],
    ]);
    expect(charges(world)).toEqual([dueOf(10)]);
  });

  it('is never offered while the outcome is in doubt, whose terminal is to be switched on', async () => {
    const recovery = { settle_ms: 1000, read_interval_ms: 100, ask_person_after_ms: 1000 };
    const world = await aWorld({ autopilot: 'off' }, { recovery, heartbeat_ms: 1000 });
    const { page } = await signedIn(browser, await Daemon.start(world));
    await take(page, '13.00', 'doubtful');
    await lastOutcome(page, 'working');
    await page.getByText('The terminal shows:').waitFor();
    world.terminal.setPower(false);
    await page
      .locator('[data-outcome=doubt_asking], [data-outcome=doubt_person]')
      .waitFor({ timeout: 60_000 });
    await page.getByText('Switch on Counter 1 and check its cable: only then').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await typed(page, ['F2']);
    await lastOutcome(page, 'doubt_person');
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByRole('link', { name: 'New payment' }).click();
    const tile = page.locator('.tile', { hasText: 'Counter 1' });
    await tile.getByText('Not connected').waitFor();
    await tile.getByText('Switch on Counter 1').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    world.terminal.setPower(true);
    await tile.getByText('Not connected').waitFor({ state: 'detached', timeout: 60_000 });
    expect(charges(world)).toEqual([]);
  });
});
