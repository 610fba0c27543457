import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { aFolder } from '../support/money-database.ts';
import { isChromium, openBrowser } from './browser.ts';

/** Why no browser can be made to trust an authority here; empty: one can. */
export const lackOfTrust = !isChromium
  ? ' (only in Chromium)'
  : spawnSync('certutil', ['-H']).error === undefined
    ? ''
    : ' (needs certutil: apt-get install libnss3-tools)';

/**
 * A browser to which `shop.local` and `till.local` lead here. `trusted`: the certificate of an authority that it trusts, as a device after the page
 * of trust; base64 of its bytes.
 */
export async function aTablet(trusted?: string): Promise<Browser> {
  const home = aFolder();
  if (trusted !== undefined) {
    const store = join(home, '.pki/nssdb');
    mkdirSync(store, { recursive: true });
    writeFileSync(join(home, 'ca.crt'), Buffer.from(trusted, 'base64'));
    const certutil = (...args: readonly string[]) =>
      expect(spawnSync('certutil', ['-d', `sql:${store}`, ...args]).status).toBe(0);
    certutil('-N', '--empty-password');
    certutil('-A', '-t', 'C,,', '-n', 'shop', '-i', join(home, 'ca.crt'));
  }
  const rules = 'MAP shop.local 127.0.0.1, MAP till.local 127.0.0.1';
  const browser = await openBrowser({ home, args: [`--host-resolver-rules=${rules}`] });
  onTestFinished(() => browser.close());
  return browser;
}
