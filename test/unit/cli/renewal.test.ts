import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Integration } from '../../../src/api/contract/integration.ts';
import { credentialsDocument, integrationDocument } from '../../support/integration-documents.ts';
import { command } from './command-line.ts';
import { FakeDaemon, one } from './fake-daemon.ts';

const PATH = '/v2/integrations/provider_a';
const UNREADABLE = credentialsDocument({
  key_stored: false,
  readable: false,
  missing: ['apiKey', 'baseUrl'],
});

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await new FakeDaemon().start();
});
afterEach(() => daemon.remove());

function serve(more: Partial<Integration>): void {
  daemon
    .on(`GET ${PATH}`, () =>
      one(integrationDocument({ authorised_by: 'person', next_sync_at: null, ...more })),
    )
    .on(`GET ${PATH}/credentials`, () => one(UNREADABLE))
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
    serve({ authorised_by: by, missing_credentials: ['apiKey', 'baseUrl'] });
    const { out } = await ran('credentials', 'provider_a', 'show');
    expect(out).toContain(step);
  },
);

it.each([
  ['rotate', '`tillctl authorize provider_a --api-key-file FILE`'],
  ['activate', '`tillctl authorize provider_a --api-key-file FILE`, then `tillctl activate provider_a`'],
])('a key that is refused leads to what a person must do: %s', async (verb, step) => {
  serve({});
  const { exit, err } = await ran(verb, 'provider_a', '--api-key-file', 'FILE');
  expect([exit, err]).toEqual([1, expect.stringContaining(`Next: ${step}`)]);
});
