import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { askOver } from '../support/socket.ts';
import { flawsOf } from './axe.ts';
import { isChromium, openBrowser, openPage } from './browser.ts';
import {
  addPasskey,
  addPerson,
  comeBackByPasskey,
  giveAuthenticator,
  menu,
  readByZbar,
  shownCode,
  typeCode,
} from './signing-people-in.ts';
import { lastOutcome, take } from './staff.ts';

const QR_CODE = 'QR code of the address and the code';

interface Answer<T> {
  readonly data: T;
}

async function signOut(page: Page): Promise<void> {
  await menu(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

describe('people who sign in without a shell', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it.runIf(isChromium)(
    'a person gets a passkey, pairs a second browser, takes a payment there with a PIN, and is refused once disabled',
    async () => {
      const daemon = await Daemon.start(await aWorld());
      const address = daemon.url.replace('127.0.0.1', 'localhost');
      await askOver(daemon.socket, 'POST', '/v2/people', { name: 'Olga', role: 'ops' });
      const first = (await askOver(daemon.socket, 'POST', '/v2/sign-in-codes', {
        person: 'Olga',
      })) as Answer<{
        code: string;
      }>;

      const office = await openPage(browser, address);
      await giveAuthenticator(office.page);
      await typeCode(office.page, first.data.code);
      await office.page.locator('.menu summary').getByText('Olga').waitFor();
      await addPasskey(office.page);
      expect(await flawsOf(office.page)).toEqual([]);
      await comeBackByPasskey(office.page, 'Olga');

      await office.page.goto(`${address}/#/ops/people`);
      const anna = await addPerson(office.page, 'Anna');
      await anna.getByRole('button', { name: 'Code to sign in' }).click();
      const code = await shownCode(office.page);
      await office.page.getByRole('button', { name: 'Pair a device' }).click();
      await office.page.getByText(/works on this machine only/).waitFor();
      expect(await office.page.getByRole('img', { name: QR_CODE }).count()).toBe(0);
      expect(await flawsOf(office.page)).toEqual([]);
      const pairing = await shownCode(office.page);

      const tablet = await openPage(browser, `${address}/#/pair/${pairing}`, { hasTouch: true });
      expect(await tablet.page.getByLabel('Code, 8 digits').inputValue()).toBe(pairing);
      await tablet.page.getByLabel(/^Name of this device/).fill('Tablet');
      await tablet.page.getByRole('button', { name: 'Pair' }).click();
      await tablet.page.getByText('This browser is paired as Tablet.').waitFor();
      await tablet.page.getByRole('button', { name: 'Sign in' }).click();
      await typeCode(tablet.page, code);
      await menu(tablet.page);
      await tablet.page.getByRole('button', { name: 'My sign-in' }).click();
      await tablet.page.getByLabel('New PIN').fill('123456');
      await tablet.page.getByRole('button', { name: 'Set the PIN' }).click();
      await tablet.page.getByText('This PIN is too easy to guess').waitFor();
      await tablet.page.getByLabel('New PIN').fill('402917');
      await tablet.page.getByRole('button', { name: 'Set the PIN' }).click();
      await tablet.page.getByText('The PIN is set.').waitFor();
      await tablet.page.getByRole('button', { name: 'Close' }).click();
      await tablet.page.getByRole('button', { name: 'Sign out' }).click();

      const withPin = async (pin: string) => {
        await tablet.page.getByLabel('PIN', { exact: true }).fill(pin);
        await tablet.page.getByRole('button', { name: 'Sign in with the PIN' }).click();
      };
      await withPin('000000');
      await tablet.page.getByText(/^This PIN is wrong/).waitFor();
      expect(await flawsOf(tablet.page)).toEqual([]);
      await withPin('402917');
      await tablet.page.locator('.menu summary').getByText('Anna').waitFor();
      await take(tablet.page, '13.00', 'basket 1');
      await lastOutcome(tablet.page, 'paid');

      await anna.getByRole('button', { name: 'End the sign-in' }).click();
      await office.page.getByRole('dialog').getByRole('button', { name: 'End the sign-in' }).click();
      await tablet.page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await tablet.page.reload();
      await tablet.page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await tablet.page.getByLabel('PIN', { exact: true }).count()).toBe(0);
      await office.page.getByText('sign-in ended').waitFor();
      expect([office.faults, office.foreign, tablet.faults, tablet.foreign]).toEqual([[], [], [], []]);
    },
  );

  it.runIf(isChromium)(
    'at an address of the network a camera reads where a device is paired, and the code',
    async () => {
      const daemon = await Daemon.start(
        await aWorld({}, { listen: { port: 0, allowed_hosts: ['till.example'] } }),
      );
      const address = daemon.url.replace('127.0.0.1', 'till.example');
      const inNetwork = await openBrowser({ args: ['--host-resolver-rules=MAP till.example 127.0.0.1'] });
      onTestFinished(() => inNetwork.close());
      await askOver(daemon.socket, 'POST', '/v2/people', { name: 'Olga', role: 'ops' });
      const { data } = (await askOver(daemon.socket, 'POST', '/v2/sign-in-codes', {
        person: 'Olga',
      })) as Answer<{
        code: string;
      }>;
      const { page } = await openPage(inNetwork, address);
      await typeCode(page, data.code);
      await page.locator('.menu summary').getByText('Olga').waitFor();
      await page.goto(`${address}/#/ops/people`);
      await page.getByRole('button', { name: 'Pair a device' }).click();
      const scanned = readByZbar(await page.getByRole('img', { name: QR_CODE }).screenshot());
      const pairing = await shownCode(page);
      if (scanned !== null) expect(scanned).toBe(`${address}/#/pair/${pairing}`);
      expect(await page.getByText(/works on this machine only/).count()).toBe(0);
    },
  );

  it('everyone is shown, a hundred people and fifty entries of the trail at a time', async () => {
    const daemon = await Daemon.start(await aWorld());
    const add = (name: string) => askOver(daemon.socket, 'POST', '/v2/people', { name, role: 'ops' });
    for (let index = 0; index < 101; index += 1) await add(`Anna ${String(index).padStart(3, '0')}`);
    const { data } = (await askOver(daemon.socket, 'POST', '/v2/sign-in-codes', {
      person: 'Anna 000',
    })) as Answer<{ code: string }>;
    const address = daemon.url.replace('127.0.0.1', 'localhost');
    const { page, faults } = await openPage(browser, address);
    await typeCode(page, data.code);
    await page.goto(`${address}/#/ops/people`);
    const people = page.getByRole('region', { name: 'People', exact: true });
    await people.getByRole('heading', { name: 'Anna 099' }).waitFor();
    expect(await people.getByRole('article').count()).toBe(100);
    await people.getByRole('button', { name: 'Show more' }).click();
    await people.getByRole('heading', { name: 'Anna 100' }).waitFor();
    expect(await people.getByRole('button', { name: 'Show more' }).count()).toBe(0);

    const trail = page.getByRole('region', { name: 'What was done to people and keys' });
    const entries = () => trail.locator('tbody tr').count();
    expect(await entries()).toBe(50);
    await trail.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(entries).toBe(100);
    await trail.getByRole('button', { name: 'Show more' }).click();
    await trail.getByRole('row', { name: /person added Anna 000/ }).waitFor();
    expect(faults).toEqual([]);
  });

  it.runIf(isChromium)('who gives up at the passkey may go on with a code', async () => {
    const daemon = await Daemon.start(await aWorld());
    const { page } = await openPage(browser, daemon.url.replace('127.0.0.1', 'localhost'));
    await giveAuthenticator(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('Nothing was chosen.').waitFor();
    const { data } = (await askOver(daemon.socket, 'POST', '/v2/sign-in-codes', {})) as Answer<{
      code: string;
    }>;
    await typeCode(page, data.code);
    await page.locator('header.top').waitFor();
    await signOut(page);
  });
});
