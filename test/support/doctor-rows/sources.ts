import { writeFileSync } from 'node:fs';
import { Database } from '../../../src/store/database.ts';
import { MIRROR_MIGRATIONS } from '../../../src/store/mirror/mirror-migrations.ts';
import type { DiagnosticContext } from '../doctor-table.ts';
import { type Row, row } from './row.ts';
import { ENDPOINT } from './settings.ts';

const DAY_MS = 86_400_000;
const FILES = { connector: 'files', sink: 'mirror', settings: {}, folder: '/nowhere/inbox' };

const BY_KEY = { connector: 'rest', sink: 'mirror', settings: { recipe: 'directus' } };
const BY_PERSON = {
  connector: 'rest',
  sink: 'mirror',
  settings: {
    recipe: {
      recipe: 1,
      id: 'people',
      title: 'People',
      documentation: 'https://people.example/docs',
      baseUrl: 'https://people.example',
      auth: { type: 'oauth2', tokenUrl: '/token', authorizeUrl: '/auth', grant: 'refresh_token' },
      resources: { invoices: { path: '/invoices', page: { style: 'whole' }, id: 'id', fields: {} } },
    },
  },
};

/** Integrations, the mirror, webhooks and keys of tills. */
export const SOURCES: readonly Row[] = [
  row(
    'an integration that its credential has paused',
    ['integrations', 'fail'],
    'refuses the credential',
    'tillctl rotate provider_a',
    (shop) => integration(shop, "'credentials'"),
  ),
  row(
    'an integration that errors have paused',
    ['integrations', 'fail'],
    'the source hung up',
    'tillctl resume provider_a',
    (shop) => {
      integration(shop, "'errors'");
      shop.change(
        "INSERT INTO slot_errors VALUES ('provider_a', 'invoices', 10, 'source_failed', 'the source hung up', 1)",
      );
    },
  ),
  row(
    'an integration that an outage has paused',
    ['integrations', 'fail'],
    'status 503',
    'To try now: tillctl resume provider_a',
    (shop) => {
      shop.settings = { ...shop.settings, integrations: { provider_a: FILES } };
      integration(shop, "'errors'");
      shop.change(
        "INSERT INTO slot_errors VALUES ('provider_a', 'invoices', 10, 'SOURCE_UNAVAILABLE', 'status 503', 1)",
      );
    },
  ),
  row(
    'an integration that an outage and something else have paused',
    ['integrations', 'fail'],
    'too many runs',
    'tillctl integrations provider_a shows what failed',
    (shop) => {
      shop.settings = { ...shop.settings, integrations: { provider_a: FILES } };
      integration(shop, "'errors'");
      shop.change(`INSERT INTO slot_errors VALUES ('provider_a', 'customers', 12, 'SOURCE_UNAVAILABLE', 'status 503', 1),
        ('provider_a', 'invoices', 10, 'SOURCE_REFUSED', 'status 422', 1)`);
    },
  ),
  row(
    'an integration that an outage has paused and a person has switched off',
    ['integrations', 'fail'],
    'status 503',
    'tillctl integrations provider_a shows what failed',
    (shop) => {
      shop.settings = { ...shop.settings, integrations: { provider_a: FILES } };
      integration(shop, "'errors'");
      shop.change(`UPDATE provider_slots SET is_enabled = 0 WHERE slot = 'provider_a';
        INSERT INTO slot_errors VALUES ('provider_a', 'invoices', 10, 'SOURCE_UNAVAILABLE', 'status 503', 1)`);
    },
  ),
  row(
    'a stream that a credential that a person gives has paused',
    ['integrations', 'warn'],
    'provider_a/invoices is paused, the others go on',
    'or a credential that has it: tillctl authorize provider_a --api-key-file FILE',
    (shop) => {
      shop.settings = { ...shop.settings, integrations: { provider_a: BY_PERSON } };
      integration(shop, 'NULL');
      shop.change(
        "INSERT INTO slot_errors VALUES ('provider_a', 'invoices', 1, 'SOURCE_FORBIDDEN', 'the key may not read invoices (status 403)', 1)",
      );
    },
  ),
  row(
    'an integration without the credential that its recipe needs, the address included',
    ['integrations', 'fail'],
    'provider_a is active, and there is no credential for its source',
    'tillctl rotate provider_a --api-key-file FILE --base-url ADDRESS',
    (shop) => {
      shop.settings = { ...shop.settings, integrations: { provider_a: BY_KEY } };
      integration(shop, 'NULL');
    },
  ),
  row(
    'a stream that a credential without the permission has paused',
    ['integrations', 'warn'],
    'provider_a/invoices is paused, the others go on: the key may not read invoices (status 403)',
    'tillctl sync provider_a --resource invoices',
    (shop) => {
      integration(shop, 'NULL');
      shop.change(
        "INSERT INTO slot_errors VALUES ('provider_a', 'invoices', 1, 'SOURCE_FORBIDDEN', 'the key may not read invoices (status 403)', 1)",
      );
    },
  ),
  row(
    'an integration that has no connector',
    ['integrations', 'warn'],
    'has no connector for it',
    'tillctl config check',
    (shop) => integration(shop, 'NULL'),
  ),
  row(
    'a folder of files that is not there',
    ['integrations', 'fail'],
    '/nowhere/inbox',
    'install -d',
    (shop) => {
      shop.settings = { ...shop.settings, integrations: { provider_a: FILES } };
    },
  ),
  row(
    'products that are mapped to nothing',
    ['mappings', 'warn'],
    '1 product of provider_a is',
    'tillctl mappings provider_a',
    (shop) => {
      integration(shop, 'NULL');
      shop.change("INSERT INTO product_mappings VALUES ('provider_a', 'P-1', NULL, 0, '{}', 1)");
    },
  ),
  row(
    'payments that a provider refused to record',
    ['integrations', 'warn'],
    'provider_a refused to record 1 payment of its invoices: no such invoice',
    'tillctl resume provider_a',
    (shop) => {
      integration(shop, 'NULL');
      shop.change(`PRAGMA foreign_keys = OFF; INSERT INTO provider_payments
        VALUES ('a', 'i', 'provider_a', 'refused', 1, 'no such invoice', 1)`);
    },
  ),
  row(
    'webhooks of a provider, and nothing listens for them',
    ['integrations', 'warn'],
    'provider_a has the secret of its webhooks, and nothing listens for them',
    'tillctl webhook-secret provider_a --remove',
    (shop) => {
      integration(shop, 'NULL');
      shop.change("UPDATE provider_slots SET sealed_webhook_secrets = 'v1.x' WHERE slot = 'provider_a'");
    },
  ),
  row(
    'a mirror that is damaged',
    ['mirror', 'warn'],
    'cannot be used',
    'systemctl stop tilld.socket tilld; rm -rf',
    (shop) => writeFileSync(shop.state('mirror.db'), 'x'.repeat(9000)),
  ),
  row(
    'a mirror of a later release',
    ['mirror', 'warn'],
    'a later release wrote it',
    'systemctl stop tilld.socket tilld; rm -rf',
    (shop) => mirror(shop, 'PRAGMA user_version = 99'),
  ),
  row(
    'a stream that is not fresh',
    ['sync', 'warn'],
    'provider_a/invoices is complete only until',
    'tillctl sync provider_a',
    (shop) => {
      shop.settings = { ...shop.settings, integrations: { provider_a: FILES } };
      mirror(shop, `UPDATE streams SET fresh_at = ${shop.now - 2 * DAY_MS}`);
    },
  ),
  row(
    'deletes that are held back, after a later complete run',
    ['sync-held', 'warn'],
    'holds deletes back: a full resync did not show 58 of 94 rows (A-7, A-8 and 56 more)',
    'tillctl integrations provider_a shows which, and why; look at the source, and if they are really gone: tillctl approve provider_a invoices',
    (shop) =>
      mirror(
        shop,
        `UPDATE streams SET held = '{"kind":"resync","missing":58,"rows":94,"examples":["A-7","A-8"],"at":1}'`,
        `INSERT INTO runs (stream, kind, started_at, ended_at, outcome) VALUES (1, 'changes', 3, 4, 'complete')`,
      ),
  ),
  row(
    'records that are parked',
    ['sync-parked', 'warn'],
    'because: no amount',
    'tillctl parked provider_a',
    (shop) => mirror(shop, parked('bad', 'no amount')),
  ),
  row(
    'records that wait for a mapping',
    ['mappings', 'warn'],
    'waits for a product mapping',
    'tillctl mappings provider_a',
    (shop) => mirror(shop, parked('mapping', 'P-1 is not mapped')),
  ),
  row(
    'an endpoint that is disabled',
    ['webhooks', 'warn'],
    'whe_1 (erp.shop) is disabled',
    'tillctl webhooks',
    (shop) => shop.change(ENDPOINT.replace("'enabled'", "'disabled'")),
  ),
  row(
    'deliveries that failed for good',
    ['webhooks', 'warn'],
    'the last one: status 500',
    'tillctl webhooks redeliver',
    (shop) => shop.change(`${ENDPOINT}; ${delivery('failed', shop.now)}`),
  ),
  row(
    'deliveries that wait for long',
    ['webhooks', 'warn'],
    'delivery to erp.shop waits',
    'curl -v https://erp.shop',
    (shop) => shop.change(`${ENDPOINT}; ${delivery('pending', shop.now)}`),
  ),
  row('a key of a till that ends soon', ['api-keys', 'warn'], '"Till 2"', 'tillctl keys create', (shop) =>
    shop.change(`INSERT INTO api_keys (id, name, hash, scopes, allow, created_at, expires_at)
      VALUES ('key_1', 'Till 2', 'h', '[]', '[]', 1, ${shop.now + 3 * DAY_MS})`),
  ),
];

function integration(shop: DiagnosticContext, pausedFor: string): void {
  const at = pausedFor === 'NULL' ? 'NULL' : '1';
  shop.change(`INSERT OR REPLACE INTO provider_slots (slot, id, is_active, is_enabled, auto_send, lookback_days, product_mode, requires_mapped,
    managed_by, paused_for, paused_at, sealed_credentials, updated_at)
    VALUES ('provider_a', 'slot-1', 1, 1, 0, 90, 'import_only', 0, 'local', ${pausedFor}, ${at}, NULL, 1)`);
}

/** A mirror with one stream. */
function mirror(shop: DiagnosticContext, ...changes: readonly string[]): void {
  const database = Database.open(shop.state('mirror.db'), MIRROR_MIGRATIONS, '0.1.0', 'normal');
  database.run(
    `INSERT INTO streams (id, slot, resource, state, fresh_at) VALUES (1, 'provider_a', 'invoices', '{}', ${shop.now})`,
  );
  for (const change of changes) database.run(change);
  database.close();
}

function parked(why: string, reason: string): string {
  return `INSERT INTO parked (stream, key, why, reason, excerpt, scan, tries, parked_at) VALUES (1, 'k', '${why}', '${reason}', '', 1, 1, 1)`;
}

function delivery(state: 'failed' | 'pending', now: number): string {
  const times = state === 'pending' ? `${now}, ${now}, ${now}, NULL` : `NULL, NULL, NULL, ${now - 1000}`;
  return `INSERT INTO webhook_deliveries (id, event_id, event_type, endpoint_id, created_at, attempts, state, next_at, ends_at, noted_at, ended_at, last_error)
    VALUES ('d', 'e', 't', 'whe_1', ${now - 2 * 3_600_000}, 3, '${state}', ${times}, 'status 500')`;
}
