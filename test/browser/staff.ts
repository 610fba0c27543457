import type { Page } from 'playwright-core';
import type { Key } from '../../src/sandbox/controllable-terminal.ts';
import { eventually, type World } from '../support/daemon.ts';

/** Starts a payment as staff do. `amount`: `12.34`. */
export async function take(page: Page, amount: string, reference: string): Promise<void> {
  await page.locator('input.amount').fill(amount);
  await page.getByLabel('Reference').fill(reference);
  await page.getByRole('button', { name: /^Take €/ }).click();
}

/** Waits until the page shows this outcome; `key` as in the catalogue. */
export async function lastOutcome(page: Page, key: string): Promise<void> {
  await page.locator(`[data-outcome=${key}]`).waitFor();
}

/** The customer does something at the terminal, once it asks for it. */
export async function pressed(world: World, key: Key): Promise<void> {
  await eventually(() => world.terminal.snapshot().busy);
  await new Promise((resolve) => setTimeout(resolve, 300));
  world.terminal.press(key);
}

/** What the customers of the terminal were really charged and not given back, in minor units: the judge. */
export function charges(world: World): readonly number[] {
  return world.terminal
    .snapshot()
    .ledger.filter(({ kind, result, reversed }) => kind === 'sale' && result === 'approved' && !reversed)
    .map(({ amountMinor }) => amountMinor);
}

/** A key of a person every quarter of a second. */
const BY_HAND_MS = 250;

/** Presses keys as a person does, the first one behind a pause. */
export async function typed(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.waitForTimeout(BY_HAND_MS);
    await page.keyboard.press(key);
  }
}
