import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Integration } from '../../../src/api/contract/integration.ts';
import { StoredCredentials } from '../../../src/api/contract/sync.ts';
import { command } from './command-line.ts';
import { AT, FakeDaemon, one } from './fake-daemon.ts';

const PATH = '/v2/integrations/provider_a';
const SLOT = {
  id: '0199c0de-00f2-7000-8000-000000000001',
  object: 'integration',
  provider: 'provider_a',
  connector: 'rest',
  title: null,
  configured: true,
  refused_reason: null,
  missing_credentials: [],
  authorised_by: 'person',
  changed_recipe: null,
  webhook: null,
  active: true,
  sync_enabled: true,
  last_sync_at: AT,
  complete_until: AT,
  next_sync_at: null,
  sync_interval_s: 900,
  auto_send: false,
  invoice_lookback_days: 90,
  error_count: 0,
  max_errors: 10,
  paused_reason: null,
  managed_by: 'local',
  product_mapping_mode: 'import_only',
  require_product_mappings: false,
} satisfies Integration;
const UNREADABLE = {
  object: 'integration_credentials',
  provider: 'provider_a',
  key_stored: false,
  readable: false,
  base_url: null,
  app_name: null,
  app_email: null,
  missing: ['apiKey', 'baseUrl'],
} satisfies StoredCredentials;

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await new FakeDaemon().start();
});
afterEach(() => daemon.remove());

function slot(more: Partial<Integration>): void {
  daemon
    .on(`GET ${PATH}`, () => one(Integration.parse({ ...SLOT, ...more })))
    .on(`GET ${PATH}/credentials`, () => one(StoredCredentials.parse(UNREADABLE)))
    .on(`POST ${PATH}/test`, () => ({ status: 200, body: { valid: false, error: 'it needs three parts' } }));
}

function ran(...argv: readonly string[]) {
  const file = join(daemon.folder, 'key');
  writeFileSync(file, 'id:secret\n');
  return command(['--socket', daemon.socket, ...argv.map((one) => (one === 'FILE' ? file : one))]);
}

it.each([
  ['person', 'tillctl authorize provider_a --api-key-file FILE --base-url ADDRESS`'],
  ['key', 'tillctl rotate provider_a --api-key-file FILE --base-url ADDRESS`'],
] as const)(
  'a credential that cannot be opened is replaced as its provider gives it: %s',
  async (by, step) => {
    slot({ authorised_by: by, missing_credentials: ['apiKey', 'baseUrl'] });
    const { out } = await ran('credentials', 'provider_a', 'show');
    expect(out).toContain(step);
  },
);

it.each([
  ['rotate', '`tillctl authorize provider_a --api-key-file FILE`'],
  ['activate', '`tillctl authorize provider_a --api-key-file FILE`, then `tillctl activate provider_a`'],
])('a key that is refused leads to what a person must do: %s', async (verb, step) => {
  slot({});
  const { exit, err } = await ran(verb, 'provider_a', '--api-key-file', 'FILE');
  expect([exit, err]).toEqual([1, expect.stringContaining(`Next: ${step}`)]);
});
