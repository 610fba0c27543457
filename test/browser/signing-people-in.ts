import { spawnSync } from 'node:child_process';
import type { Locator, Page } from 'playwright-core';

/** Chromium's own authenticator, which the person behind it has unlocked. */
export async function giveAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** At the page of sign-in. */
export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code, 8 digits').fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** What zbar, which others wrote, reads in a picture; null: it is not installed. */
export function readByZbar(png: Buffer): string | null {
  const { error, stdout } = spawnSync('zbarimg', ['--quiet', '--raw', 'PNG:-'], {
    input: png,
    encoding: 'utf8',
  });
  return error ? null : stdout.trim();
}

/** Opens the menu of the pages. */
export async function menu(page: Page): Promise<void> {
  await page.locator('.menu summary').click();
}

/** Of who is signed in: the dialog of their own ways to sign in stays open. */
export async function addPasskey(page: Page): Promise<void> {
  await menu(page);
  await page.getByRole('button', { name: 'My sign-in' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText(/^Passkey of /).waitFor();
}

/** Out of that dialog, and in again with the passkey. */
export async function comeBackByPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.locator('.menu summary').getByText(name).waitFor();
}

/** At the page of people. @returns what it shows of the person */
export async function addPerson(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add a person' }).click();
  const adding = page.getByRole('dialog');
  await adding.getByLabel('Name, as the books show it').fill(name);
  await adding.getByRole('button', { name: 'Add a person' }).click();
  return page.getByRole('article').filter({ hasText: name });
}

/** The code that a dialog shows; the dialog is closed again. */
export async function shownCode(page: Page): Promise<string> {
  const code = (await page.locator('[data-code]').getAttribute('data-code')) ?? '';
  await page.getByRole('button', { name: 'Close' }).click();
  return code;
}
