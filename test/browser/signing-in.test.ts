import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser, openPage } from './browser.ts';
import { signedIn, typedCodeOf } from './shop.ts';

describe('signing in', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('takes the code of tillctl once, survives a reload, and ends with sign out', async () => {
    const daemon = await Daemon.start(await aWorld());
    const code = await typedCodeOf(daemon, 'lead');
    const { page, faults, foreign } = await openPage(browser, daemon.url);
    await page.getByLabel('Code, 8 digits').fill(`${code.slice(0, 4)} ${code.slice(4)}`);
    await page.keyboard.press('Enter');
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByText('Counter 1').first().waitFor();
    await page.reload();
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Code, 8 digits').fill(code);
    await page.keyboard.press('Enter');
    await page.getByText('This code does not work').waitFor();
    expect({ faults, foreign }).toEqual({ faults: [], foreign: [] });
  });

  it('lets nobody in with a wrong code, and says how to get one', async () => {
    const daemon = await Daemon.start(await aWorld());
    const { page } = await openPage(browser, daemon.url);
    await page.getByLabel('Code, 8 digits').fill('1234');
    await page.keyboard.press('Enter');
    await page.getByText('The code has 8 digits.').waitFor();
    await page.getByText('Where does the code come from?').click();
    expect(await page.getByText('tillctl sign-in').isVisible()).toBe(true);
    expect(await flawsOf(page)).toEqual([]);
  });

  it('speaks the language of the browser, and another one when it is told so', async () => {
    const daemon = await Daemon.start(await aWorld());
    const { page } = await openPage(browser, daemon.url, { locale: 'de-AT' });
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    await page.getByLabel('Sprache').selectOption('fr');
    await page.getByRole('heading', { name: 'Connexion' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('fr');
  });

  it('speaks the language of the shop where one is configured, until a person chooses another', async () => {
    const daemon = await Daemon.start(await aWorld({}, { language: 'de' }));
    const { page } = await openPage(browser, daemon.url, { locale: 'fr-FR' });
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    await page.getByLabel('Sprache').selectOption('en');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('shows plainly that tilld is gone, and finds it again by itself', async () => {
    const world = await aWorld();
    const daemon = await Daemon.start(world);
    const { page, loads } = await signedIn(browser, daemon);
    await page.getByText('Connected', { exact: true }).waitFor();
    await daemon.kill();
    await page.getByText('Do not start a payment again').waitFor();
    await Daemon.start(world, Number(new URL(daemon.url).port));
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(loads()).toBe(1);
  });
});
