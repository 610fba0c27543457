import { spawnSync } from 'node:child_process';
import type { Page } from 'playwright-core';

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
