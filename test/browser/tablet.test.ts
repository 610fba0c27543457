import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { askOver } from '../support/socket.ts';
import { flawsOf } from './axe.ts';
import { isChromium, openPage } from './browser.ts';
import { giveAuthenticator, menu, readByZbar, typeCode } from './signing-people-in.ts';
import { lastOutcome, take } from './staff.ts';
import { aTablet, lackOfTrust } from './trusting-browser.ts';

const LAN = { listen: { port: 0, lan: { name: 'shop', host: '127.0.0.1', port: 0 } } };

interface Trust {
  readonly code: string;
  readonly url: string;
  readonly trust: { readonly url: string; readonly fingerprint: string };
}

/** A daemon that serves the network, and a way to ask it over its socket. */
async function aShop() {
  const daemon = await Daemon.start(await aWorld({}, LAN));
  const socket = (method: string, path: string, body?: object) => askOver(daemon.socket, method, path, body);
  await eventually(async () => {
    const { data } = (await socket('GET', '/v2/status')) as { data: { urls: { lan: string | null } } };
    return data.urls.lan !== null;
  });
  const pairing = async () => ((await socket('POST', '/v2/pairing-codes')) as { data: Trust }).data;
  return { daemon, socket, pairing };
}

function scannedAt({ url, fingerprint }: Trust['trust']): string {
  return `${url}#${fingerprint.replaceAll(':', '')}`;
}

describe('a tablet of the shop', () => {
  it.runIf(isChromium)(
    'that does not trust the shop reads how to, without a warning, in three languages, and stays there',
    async () => {
      const { pairing } = await aShop();
      const { trust, url } = await pairing();
      const { page, faults } = await openPage(await aTablet(), scannedAt(trust));
      for (const [language, title] of [
        ['English', 'Trust the till of this shop'],
        ['Deutsch', 'Der Kasse dieses Geschäfts vertrauen'],
        ['Français', 'Faire confiance à la caisse de ce magasin'],
      ] as const) {
        if (language !== 'English') await page.getByRole('link', { name: language }).click();
        await page.getByRole('heading', { name: title }).waitFor();
        expect((await page.locator('code').first().textContent()) ?? '').toBe(trust.fingerprint);
        for (const summary of await page.locator('summary').all()) await summary.click();
        expect(await flawsOf(page)).toEqual([]);
      }
      expect(await page.getByRole('alert').isVisible()).toBe(false);
      expect(page.url()).toContain('/trust');
      expect(faults).toEqual([]);
      await expect(page.goto(url)).rejects.toThrow(/ERR_CERT_AUTHORITY_INVALID/);
    },
  );

  it.runIf(isChromium)(
    'is warned where the page of trust has another fingerprint than the QR code',
    async () => {
      const { pairing } = await aShop();
      const { trust } = await pairing();
      const { page } = await openPage(await aTablet(), `${trust.url}#${'0'.repeat(64)}`);
      await page.getByText('Stop: this is not the fingerprint of the QR code.').waitFor();
      expect(await flawsOf(page)).toEqual([]);
    },
  );

  it.skipIf(lackOfTrust !== '')(
    `that trusts the shop comes to its pages with one scan, pairs, and signs in there with a passkey${lackOfTrust}`,
    async () => {
      const { daemon, socket, pairing } = await aShop();
      await socket('POST', '/v2/people', { name: 'Olga', role: 'ops' });
      const codeOfOlga = async () =>
        ((await socket('POST', '/v2/sign-in-codes', { person: 'Olga' })) as { data: Trust }).data.code;
      const reader = await openPage(await aTablet(), (await pairing()).trust.url);
      await reader.page.locator('summary').filter({ hasText: 'Android' }).click();
      const certificate = await downloadedCrt(reader.page);

      const office = await openPage(await aTablet(), daemon.url);
      await typeCode(office.page, await codeOfOlga());
      await office.page.locator('.menu summary').getByText('Olga').waitFor();
      await office.page.goto(`${daemon.url}/#/ops/people`);
      await office.page.getByRole('button', { name: 'Pair a device' }).click();
      const picture = office.page.getByRole('img', { name: /^QR code of the page by which a device/ });
      const scanned = readByZbar(await picture.screenshot());
      const dialog = office.page.getByRole('dialog');
      const fingerprint = (await dialog.locator('code').textContent()) ?? '';
      const { trust } = await pairing();
      expect(fingerprint).toBe(trust.fingerprint);
      if (scanned !== null) expect(scanned).toBe(scannedAt(trust));
      expect(await flawsOf(office.page)).toEqual([]);
      const code = (await office.page.locator('[data-code]').getAttribute('data-code')) ?? '';

      const { page } = await openPage(await aTablet(certificate), scannedAt(trust), { hasTouch: true });
      await page.waitForURL(/^https:\/\/shop\.local:\d+\/#\/pair$/);
      await giveAuthenticator(page);
      await page.getByLabel('Code, 8 digits').fill(code);
      await page.getByLabel(/^Name of this device/).fill('Tablet');
      await page.getByRole('button', { name: 'Pair' }).click();
      await page.getByText('This browser is paired as Tablet.').waitFor();
      await page.getByRole('button', { name: 'Sign in' }).click();
      await typeCode(page, await codeOfOlga());
      await menu(page);
      await page.getByRole('button', { name: 'My sign-in' }).click();
      await page.getByText('works at shop.local alone').waitFor();
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByText(/^Passkey of /).waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.locator('.menu summary').getByText('Olga').waitFor();
      await take(page, '13.00', 'basket 1');
      await lastOutcome(page, 'paid');
    },
  );
});

/** The certificate that the steps of Android offer, as base64 of its bytes. */
async function downloadedCrt(page: Page): Promise<string> {
  const link = page.locator('details').filter({ hasText: 'Android' }).getByRole('link');
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toBe('shop.local.crt');
  return readFileSync(await download.path()).toString('base64');
}
