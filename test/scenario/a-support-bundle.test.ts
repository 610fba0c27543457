import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { parseTar } from 'nanotar';
import { describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { DiagnosticContext } from '../support/doctor-table.ts';
import { aFolder } from '../support/money-database.ts';
import { aDay, stateFilesOf } from '../unit/cli/books.ts';
import { command, documentOf } from '../unit/cli/command-line.ts';

/** What must be in no bundle, whatever form it takes on the way. */
const SECRETS = {
  serviceKey: 'rk_live_Zq8WvT4mXe2RkN7sJ1dL',
  sealKey: 'c2VhbC1rZXktb2YtYS1zaG9wLTMyLWJ5dGVzLWxvbmc',
  apiKey: 'rk_sandbox_Ty6HbGf3UiPoLkJmNbVc',
  hookSecret: 'whsec_Lm9NbV5cXzAsDfGhJkLq',
  providerPassword: 'Sommer2026!provider',
  driverPassword: 'TerminalPwd-7731',
  signInCode: '48201957',
  pan: '5413330089020029',
  spacedPan: '4111 1111 1111 1111',
  track: ';5413330089020029=30122010123456789012?',
  receiptName: 'ERIKA MUSTERMANN',
  reference: 'Tisch-7-Familie-Nowak',
  webhookPath: 'hooks/8d7f6e5a4b3c2d1e',
} as const;

/** A secret as it is, and as it looks in other clothes. */
function clothesOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll(' ', ''),
    [...secret].reverse().join(''),
  ];
}

const ALL = Object.entries(SECRETS);

/** Everything at once, the same secret in the clothes that such a place may give it. */
const JUNK = ALL.flatMap(([, secret]) => clothesOf(secret)).join(' | ');

function bundleIn(file: string): ReadonlyMap<string, string> {
  // A copy: the library reads the memory behind it from the beginning, and Node's buffers share theirs.
  const items = parseTar(Uint8Array.from(gunzipSync(readFileSync(file))));
  return new Map(items.map(({ name, text }) => [name, text]));
}

async function bundleOf(shop: DiagnosticContext, more: readonly string[] = []) {
  const file = join(aFolder(), 'support.tar.gz');
  shop.writeConfig();
  const args = ['support-bundle', file, '--state-dir', shop.books.folder, '--config', shop.config, ...more];
  const ran = await command(args, {
    env: {
      TILLD_SERVICE_KEY: SECRETS.serviceKey,
      HTTPS_PROXY: `http://u:${SECRETS.providerPassword}@proxy:1`,
    },
  });
  return { file, ran, parts: ran.exit === 0 ? bundleIn(file) : new Map<string, string>() };
}

/** Plants every secret in every place of the shop that can hold text. */
function plant(shop: DiagnosticContext): void {
  shop.change('DROP TRIGGER journal_is_not_changed');
  const database = new Sqlite(shop.books.database).unsafeMode();
  database.function('junk', () => JUNK);
  for (const sql of PLACES) database.exec(sql);
  database.close();
  for (const [name, secret] of ALL) shop.put(shop.state('credentials', name.toLowerCase()), secret);
  for (const name of [
    'epoch',
    'journal-anchors',
    'last-backup',
    'tilld.pid',
    `receipt ${SECRETS.receiptName}`,
  ])
    shop.put(shop.state(name), JUNK);
  shop.settings = {
    ...shop.settings,
    agent: SECRETS.signInCode,
    service: {
      url: `https://127.0.0.1:1/${SECRETS.webhookPath}`,
      credential: 'servicekey',
      webhook_credential: 'hooksecret',
    },
    integrations: {
      provider_a: {
        connector: 'rest',
        sink: 'mirror',
        settings: { password: SECRETS.providerPassword, note: JUNK },
        folder: `/srv/${SECRETS.reference}`,
      },
    },
    devices: [
      {
        id: '0199c0de-0000-7000-8000-000000000001',
        name: SECRETS.receiptName,
        driver: 'zvt',
        currency: 'EUR',
        link: { type: 'tcp', host: '127.0.0.1', port: 1 },
        options: { password: SECRETS.driverPassword },
      },
    ],
  };
}

const PLACES = [
  "UPDATE attempts SET reference = junk(), invoice_id = junk(), caller = junk(), detail = json_object('receipt', junk())",
  "UPDATE attempts SET status = 'ERIKA MUSTERMANN 5413330089020029', currency = '5413330089020029' WHERE seq = 1",
  'UPDATE journal SET details = junk(), hash = junk()',
  'UPDATE journal SET event = junk(), from_state = junk() WHERE seq = 3',
  "UPDATE outbox SET body = junk(), last_error = junk(), state = 'parked' WHERE seq = 1",
  "INSERT INTO tasks (id, kind, device_id, message, created_at) VALUES (junk(), 'memory_lost', junk(), junk(), 1)",
  `INSERT INTO api_keys (id, name, hash, scopes, allow, created_at, expires_at) VALUES ('k', junk(), junk(), '[]', '[]', 1, 1)`,
  `INSERT INTO webhook_endpoints (id, url, events, status, sealed_secret, created_at, updated_at)
     VALUES ('w', 'https://erp.shop/${SECRETS.webhookPath}', '[]', 'disabled', junk(), 1, 1)`,
  `INSERT INTO provider_slots VALUES ('provider_a', 'x', 1, 1, 0, 90, 'import_only', 0, 'local', 'errors', 1, junk(), 1, junk())`,
  `INSERT INTO slot_errors VALUES ('provider_a', 'invoices', 10, 'source_failed', junk(), 1)`,
  `INSERT OR REPLACE INTO terminals (device_id, identity, since) VALUES ('d', json_object('grade', 'serial', 'serial', junk()), 1)`,
  "INSERT INTO facts (name, value) VALUES ('note', junk())",
];

const LOG = ALL.flatMap(([name, secret]) =>
  clothesOf(secret).flatMap((dressed) => [
    JSON.stringify({
      level: 'info',
      time: '2026-11-20T10:00:00.000Z',
      msg: dressed,
      [name]: dressed,
      code: dressed,
      kind: dressed,
    }),
    JSON.stringify({
      level: dressed,
      time: dressed,
      device: dressed,
      reason: dressed,
      part: dressed,
      slot: dressed,
      error: dressed,
      msg: `paid by ${dressed}`,
    }),
    dressed,
  ]),
).join('\n');

describe('a support bundle', () => {
  it('holds none of the keys, secrets, codes, card numbers, names and references of the shop, in no clothes', async () => {
    const shop = new DiagnosticContext(await stateFilesOf(aDay));
    plant(shop);
    const log = join(aFolder(), 'tilld.log');
    writeFileSync(
      log,
      `${LOG}\n${JSON.stringify({ level: 'warn', time: '2026-11-20T10:00:00.000Z', code: 'LINK_REFUSED', msg: 'terminal does not answer' })}\n`,
    );
    const { ran, file, parts } = await bundleOf(shop, ['--log', log]);
    expect(ran).toMatchObject({ exit: 0, err: '' });
    const text = [...parts].flat().join('\n');
    for (const [name, secret] of ALL)
      for (const dressed of clothesOf(secret))
        expect(
          `${text}\n${ran.out}`.toLowerCase().includes(dressed.toLowerCase()),
          `${name} as ${dressed}`,
        ).toBe(false);
    // It is not empty for that: what helps is there.
    expect(text).toContain('terminal does not answer');
    expect(text).toContain('LINK_REFUSED');
    expect(JSON.parse(parts.get('tilld-support/books.json') ?? '').journal).toHaveLength(35);
    expect(JSON.parse(parts.get('tilld-support/doctor.json') ?? '').length).toBeGreaterThan(30);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('tells how the running daemon is, and nothing that its terminal says', async () => {
    const world = await aWorld();
    const daemon = await Daemon.start(world);
    const file = join(aFolder(), 'support.tar.gz');
    const state = join(world.folder, 'state');
    const ran = await command([
      'support-bundle',
      file,
      '--json',
      '--state-dir',
      state,
      '--config',
      world.config,
    ]);
    expect(documentOf(ran.out)).toMatchObject({
      data: { file, files: expect.arrayContaining(['daemon.json', 'doctor.json']) },
    });
    const status = JSON.parse(bundleIn(file).get('tilld-support/daemon.json') ?? '');
    expect(status).toMatchObject({ can_sell: true, terminals: [{ status: 'ready', driver: 'zvt' }] });
    expect([...bundleIn(file)].flat().join('\n')).not.toMatch(/17F00001|rk_sandbox_/);
    await daemon.stop();
  });

  it('is made without books, without a configuration and without a log, and says what is missing', async () => {
    const shop = new DiagnosticContext(await stateFilesOf(aDay));
    shop.configText = '{';
    writeFileSync(shop.books.database, 'no database');
    const { ran, parts } = await bundleOf(shop, ['--log', '/nowhere']);
    expect(ran.exit).toBe(0);
    expect(parts.get('tilld-support/configuration.json')).toContain('"usable": false');
    expect(parts.get('tilld-support/books.json')).toContain('missing');
    expect(parts.get('tilld-support/log.json')).toContain('missing');
  });

  it('never takes the place of a file that is there', async () => {
    const shop = new DiagnosticContext(await stateFilesOf(aDay));
    shop.writeConfig();
    const file = join(aFolder(), 'there');
    writeFileSync(file, 'mine');
    const ran = await command([
      'support-bundle',
      file,
      '--state-dir',
      shop.books.folder,
      '--config',
      shop.config,
    ]);
    expect([ran.exit, readFileSync(file, 'utf8')]).toEqual([1, 'mine']);
    expect(ran.err).toContain('there is a file');
  });
});
