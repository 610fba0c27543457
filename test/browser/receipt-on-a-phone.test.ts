import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueServerCertificate, makeAuthority } from '../../src/certificates/authority.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { aFolder } from '../support/money-database.ts';
import { askOver } from '../support/socket.ts';
import { flawsOf } from './axe.ts';
import { openBrowser, openPage } from './browser.ts';
import { codeOf, signedIn } from './shop.ts';
import { readByZbar } from './signing-people-in.ts';
import { lastOutcome, pressed, take } from './staff.ts';
import { aTablet, lackOfTrust } from './trusting-browser.ts';

const LAN = { listen: { port: 0, lan: { name: 'shop', host: '127.0.0.1', port: 0 } } };

/** A shop whose network is served. */
async function aShop(): Promise<{ readonly world: World; readonly daemon: Daemon }> {
  const world = await aWorld({}, LAN);
  const daemon = await Daemon.start(world);
  await eventually(async () => {
    const answer = await askOver(daemon.socket, 'GET', '/v2/status');
    return (answer as { data: { urls: { receipts: string | null } } }).data.urls.receipts !== null;
  });
  return { world, daemon };
}

/** A shop whose interface has a certificate for `till.local`; `trusted`: its authority, base64 of the certificate. */
async function aCertifiedShop(): Promise<{ readonly daemon: Daemon; readonly trusted: string }> {
  const authority = await makeAuthority('till', Date.now());
  const server = await issueServerCertificate(authority, { name: 'till', addresses: [] }, Date.now());
  const folder = aFolder();
  const tls = { certificate: join(folder, 'till.pem'), key: join(folder, 'till.key') };
  writeFileSync(tls.certificate, server.cert);
  writeFileSync(tls.key, server.key, { mode: 0o600 });
  const daemon = await Daemon.start(
    await aWorld({}, { listen: { port: 0, allowed_hosts: ['till.local'] }, tls }),
  );
  return { daemon, trusted: authority.cert.replace(/-----[^-]+-----|\s/g, '') };
}

/** Opens the code of the payment on the page, and reads it as a phone does. */
async function scanned(
  page: Page,
  button = 'Receipt on a phone',
  label = /^QR code that opens/,
): Promise<string> {
  await page.getByRole('button', { name: button }).click();
  const picture = page.getByRole('dialog').getByRole('img', { name: label });
  await picture.waitFor();
  return readByZbar(await picture.screenshot()) ?? '';
}

describe('the receipt on the customer’s phone', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser({ args: ['--host-resolver-rules=MAP shop.local 127.0.0.1'] });
  });
  afterAll(() => browser.close());

  it('is opened by the code beside print, in three languages, without a script', async () => {
    const { daemon } = await aShop();
    const { page, faults } = await signedIn(browser, daemon);
    await take(page, '12.34', 'basket 1');
    await lastOutcome(page, 'paid');
    const url = await scanned(page);
    expect(url).toMatch(/^https:\/\/shop\.local:\d+\/receipts\/v1\.[\w-]{104}$/);
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^The customer scans this, in the shop’s Wi-Fi\./).waitFor();
    await dialog.getByText(/warns first that it does not know the certificate/).waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(
      await page
        .getByRole('button', { name: 'Receipt on a phone' })
        .evaluate((one) => one === document.activeElement),
    ).toBe(true);
    expect(faults).toEqual([]);

    await expect(openPage(browser, url)).rejects.toThrow(/ERR_CERT_AUTHORITY_INVALID/);
    for (const [locale, title, keep] of [
      ['en-GB', 'Paid: €12.34', /^This page opens until/],
      ['de-DE', 'Bezahlt: 12,34\u00a0€', /^Diese Seite lässt sich bis/],
      ['fr-FR', 'Payé\u202f: 12,34\u00a0€', /^Cette page s’ouvre jusqu’à/],
      ['pl-PL', 'Paid: €12.34', /^This page opens until/],
    ] as const) {
      const phone = {
        locale,
        ignoreHTTPSErrors: true,
        viewport: { width: 390, height: 844 },
        hasTouch: true,
      };
      const seen = await openPage(browser, url, phone);
      await seen.page.getByRole('heading', { name: title }).waitFor();
      await seen.page.getByText(keep).waitFor();
      const text = (await seen.page.locator('pre').textContent()) ?? '';
      expect(text).toContain('12.34 EUR');
      expect(await seen.page.locator('script, img, a').count()).toBe(0);
      expect(await seen.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
        true,
      );
      expect(await flawsOf(seen.page)).toEqual([]);
      expect([seen.faults, seen.foreign]).toEqual([[], []]);
    }
    const other = await openPage(browser, url.slice(0, -2), {
      ignoreHTTPSErrors: true,
      locale: 'fr-FR',
    });
    await other.page.getByText(/^Le lien a expiré ou n’est pas complet/).waitFor();
    expect(await flawsOf(other.page)).toEqual([]);
  });

  it.each([
    ['en-GB', 'Receipt on a phone', /^QR code that opens/],
    ['de-DE', 'Beleg aufs Telefon', /^QR-Code, der den Beleg/],
    ['fr-FR', 'Ticket sur un téléphone', /^Code QR qui ouvre/],
  ] as const)(
    'is offered in the language of the till (%s), and for no payment that was declined',
    async (locale, button, label) => {
      const { world, daemon } = await aShop();
      const { page } = await signedIn(browser, daemon, 'staff', {
        locale,
        viewport: { width: 390, height: 844 },
      });
      const sell = async (amount: string) => {
        await page.locator('input.amount').fill(amount);
        await page.locator('button[data-takes]').click();
      };
      await sell('3.00');
      await lastOutcome(page, 'paid');
      expect(await scanned(page, button, label)).toContain('/receipts/v1.');
      expect(await flawsOf(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.goto(`${daemon.url}/#/till`);
      await sell('4.00');
      await pressed(world, 'decline');
      await lastOutcome(page, 'declined');
      expect(await page.getByRole('button', { name: button }).count()).toBe(0);
    },
  );

  it.skipIf(lackOfTrust !== '')(
    `opens without a warning where tilld has a certificate of an authority that the phone trusts${lackOfTrust}`,
    async () => {
      const { daemon, trusted } = await aCertifiedShop();
      const till = `https://till.local:${new URL(daemon.url).port}`;
      const { page, faults } = await openPage(await aTablet(trusted), till);
      await page.getByRole('textbox').fill(await codeOf(daemon, 'staff'));
      await page.keyboard.press('Enter');
      await take(page, '12.34', 'basket 1');
      await lastOutcome(page, 'paid');
      const url = await scanned(page);
      expect(url).toMatch(new RegExp(`^${till}/receipts/v1\\.[\\w-]{104}$`));
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/^The customer scans this/).waitFor();
      expect(await dialog.getByText(/warns first/).count()).toBe(0);
      expect([await flawsOf(page), faults]).toEqual([[], []]);

      const phone = { locale: 'de-DE', viewport: { width: 390, height: 844 }, hasTouch: true };
      const seen = await openPage(await aTablet(trusted), url, phone);
      await seen.page.getByRole('heading', { name: 'Bezahlt: 12,34\u00a0€' }).waitFor();
      expect(await seen.page.locator('pre').textContent()).toContain('12.34 EUR');
      expect([await flawsOf(seen.page), seen.faults, seen.foreign]).toEqual([[], [], []]);
      // The link opens the receipt, and nothing else of tilld.
      expect((await seen.page.goto(`${till}/v2/status`))?.status()).toBeGreaterThanOrEqual(401);
      await expect(openPage(await aTablet(), url)).rejects.toThrow(/ERR_CERT_AUTHORITY_INVALID/);
    },
  );

  it('is not offered where tilld does not listen in the network of the shop', async () => {
    const { page } = await signedIn(browser, await Daemon.start(await aWorld()));
    await take(page, '5.00', 'basket 4');
    await lastOutcome(page, 'paid');
    await page.getByRole('button', { name: 'Print customer copy' }).waitFor();
    expect(await page.getByRole('button', { name: 'Receipt on a phone' }).count()).toBe(0);
  });
});
