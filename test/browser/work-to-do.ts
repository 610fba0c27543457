import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { aFolder } from '../support/money-database.ts';
import { PEOPLE_RECIPE } from '../support/people-provider.ts';
import { askOver } from '../support/socket.ts';
import { goTo } from './every-screen.ts';
import { aSandboxShop } from './sandbox-shop.ts';
import { type Role, signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';

const RECOVERY = { settle_ms: 3000, read_interval_ms: 100, ask_person_after_ms: 1000 } as const;
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

/** Another transaction hides ours: only a person can distinguish them. */
function isTypedByHand(world: World): boolean {
  try {
    world.terminal.typeByHand({ kind: 'sale', amountMinor: 100 });
    return true;
  } catch {
    return false;
  }
}

/** A payment of which only a person can say what became of it, on the screen of the till. */
export async function aDoubt(browser: Browser): Promise<Page> {
  const world = await aWorld({ autopilot: 'off' }, { recovery: RECOVERY });
  const { page } = await signedIn(browser, await Daemon.start(world));
  world.terminal.inject({ when: 'customer', do: 'power_loss', ms: 2000 });
  await take(page, '13.00', 'doubtful');
  await page.locator('[data-outcome^=doubt]').waitFor({ timeout: 60_000 });
  await eventually(() => isTypedByHand(world));
  await lastOutcome(page, 'doubt_person');
  return page;
}

/** A record that waits, because no product is chosen for its package. */
export async function anUnmappedPackage(browser: Browser): Promise<Page> {
  const shop = aSandboxShop();
  const folder = aFolder();
  writeFileSync(join(folder, 'products.csv'), 'number,name\ngold,Product 12\n');
  const resources = { products: { files: 'products*.csv', id: 'number' } };
  const provider_b = { connector: 'files', folder, settings: { resources, still_s: 1 } };
  const config = JSON.parse(readFileSync(shop.config, 'utf8'));
  writeFileSync(shop.config, JSON.stringify({ ...config, integrations: { provider_b } }));
  const daemon = await Daemon.start(shop);
  const path = '/v2/integrations/provider_b';
  await askOver(daemon.socket, 'PUT', `${path}/product-mapping-policy`, { requireProductMappings: true });
  await askOver(daemon.socket, 'POST', `${path}/activate`, {});
  return (await signedIn(browser, daemon, 'ops')).page;
}

/** An integration that its failures have paused. */
export async function aPausedIntegration(browser: Browser): Promise<Page> {
  const settings = { recipe: PEOPLE_RECIPE };
  const provider_a = { connector: 'rest', sink: 'mirror', interval_s: 3600, max_errors: 1, settings };
  const daemon = await Daemon.start(await aWorld({}, { integrations: { provider_a } }));
  const credentials = { apiKey: 'the-key', baseUrl: NOWHERE };
  await askOver(daemon.socket, 'POST', '/v2/integrations/provider_a/activate', { credentials });
  return (await signedIn(browser, daemon, 'ops')).page;
}

/** Three payments that the service has refused for one cause. */
export async function refusedReports(browser: Browser, role: Role) {
  const world = await aWorld({ autopilotMs: 100 });
  const daemon = await Daemon.start(world);
  const seen = await signedIn(browser, daemon, role);
  world.service.control.behave({ status: { times: 1000, only: 'POST /v2/terminal-payments', code: 402 } });
  for (const amount of ['1.00', '2.00', '3.00']) {
    await goTo(seen.page, '#/till');
    await take(seen.page, amount, `order ${amount}`);
    await lastOutcome(seen.page, 'paid');
  }
  return { world, ...seen };
}
