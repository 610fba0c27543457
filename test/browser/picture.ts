import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Where pictures for people to look at go: `SCREENSHOTS=folder npm run test:browser -- screenshots everywhere`. */
export const PICTURES = process.env['SCREENSHOTS'];

/** Takes a picture of the page as it stands, where pictures are wanted. */
export async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  const file = `${name.replace(/[^\p{L}\d]+/gu, '-').replace(/^-|-$/g, '')}.png`;
  await page.screenshot({ path: join(PICTURES, file), fullPage, animations: 'disabled' });
}
