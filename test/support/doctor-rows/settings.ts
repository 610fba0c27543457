import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeAuthority } from '../../../src/certificates/authority.ts';
import { ownerLine } from '../../../src/runtime/pid-file.ts';
import { lackOfOpenssl, makeCertificate } from '../../security/certificate.ts';
import { aListener, type DiagnosticContext } from '../doctor-table.ts';
import { type Row, row } from './row.ts';

const DAY_MS = 86_400_000;
const LIVE_KEY = 'rk_live_doctor_0123456789';

/** The configuration, credentials, and what is around the process. */
export const SETTINGS: readonly Row[] = [
  row(
    'a key that no configuration has',
    ['config', 'fail'],
    'did you mean "devices"',
    'tillctl config check',
    (shop) => {
      shop.settings = { ...shop.settings, devises: [] };
    },
  ),
  row(
    'a configuration that is no JSON',
    ['config', 'fail'],
    'tilld.jsonc',
    'tillctl config check',
    (shop) => {
      shop.configText = '{ "version": 1, ';
    },
  ),
  row(
    'a driver that does not exist',
    ['config', 'fail'],
    'did you mean "zvt"',
    'tillctl config check',
    (shop) => {
      shop.configText = JSON.stringify(shop.settings)
        .replace('"driver":"zvt"', '"driver":"zvvt"')
        .replace('"protocol":"zvt"', '"protocol":"zvvt"');
    },
  ),
  row('a connector that does not exist', ['config', 'fail'], 'connector', 'tillctl config check', (shop) => {
    shop.settings = { ...shop.settings, integrations: { provider_a: { connector: 'rset', sink: 'mirror' } } };
  }),
  row('a sandbox in a live shop', ['config', 'fail'], 'sandbox', 'tillctl config check', (shop) => {
    shop.settings = { ...shop.settings, environment: 'live' };
  }),
  row(
    'a configuration that everybody writes',
    ['config-file', 'fail'],
    'every user of this machine can write',
    'chmod o-w',
    (shop) => {
      shop.configMode = 0o666;
    },
  ),
  row(
    'settings of a fleet that the shop gave up',
    ['fleet-settings', 'warn'],
    'revision 8 of the fleet was given up: it did not sell; revision 7 of the fleet stands over the files of this shop: heartbeat_ms, service.poll_interval_ms',
    'tillctl fleet status',
    (shop) => {
      const good = { revision: 7, settings: { heartbeat_ms: 5_000, service: { poll_interval_ms: 2_000 } } };
      const failed = { revision: 8, why: 'it did not sell', at: 1 };
      writeFleetSettings(shop, JSON.stringify({ newest: 8, own: 'abc', good, attempt: null, failed }));
    },
  ),
  row(
    'settings of a fleet that are damaged',
    ['fleet-settings', 'fail'],
    'cannot be read',
    'systemctl restart tilld',
    (shop) => writeFleetSettings(shop, '{"newest": 8, '),
  ),
  row('no device', ['devices', 'warn'], 'no device is configured', 'tillctl config check', (shop) =>
    shop.devices(),
  ),
  row(
    'a log whose folder is not there',
    ['log-file', 'fail'],
    'there is no folder',
    'install -d -o',
    (shop) => inFile(shop, join(shop.books.folder, 'nowhere/tilld.log')),
  ),
  row('a folder in the place of the log', ['log-file', 'fail'], 'is no ordinary file', 'mv ', (shop) => {
    shop.put(shop.state('tilld.log', 'kept'), '');
    inFile(shop, shop.state('tilld.log'));
  }),
  row(
    'a real terminal in a sandbox',
    ['environment', 'warn'],
    'may be real terminals',
    'tillctl config check',
    (shop) => shop.devices({ type: 'tcp', host: 'terminal.invalid', port: 20_007 }),
  ),
  row(
    'an option of a device that has no effect any more',
    ['device-options', 'warn'],
    'void has no effect any more',
    'tillctl config check',
    (shop) => {
      const link = { type: 'tcp', host: 'terminal.invalid' };
      const counter = { id: '0199c0de-0000-7000-8000-0000000000c0', name: 'Concert', currency: 'EUR' };
      const devices = [{ ...counter, driver: 'concert', link, options: { void: 'last' } }];
      shop.settings = { ...shop.settings, devices };
    },
  ),
  row(
    'a log that tells every frame of a live shop',
    ['log-level', 'warn'],
    '"trace"',
    'systemctl restart tilld',
    (shop) => {
      const { sandbox, ...rest } = shop.settings;
      shop.settings = { ...rest, environment: 'live', devices: [], log: { level: 'trace' } };
    },
  ),
  row(
    'no key of the service',
    ['credentials', 'fail'],
    'no credential "service-key"',
    'install -m 600',
    (shop) => {
      shop.service('http://127.0.0.1:1');
      rmSync(shop.state('credentials', 'service-key'));
    },
  ),
  row('an empty key', ['credentials', 'fail'], 'is empty', 'chmod 600', (shop) => {
    shop.service('http://127.0.0.1:1');
    writeFileSync(shop.state('credentials', 'service-key'), '');
  }),
  row('a key of two lines', ['credentials', 'fail'], 'more than one line', 'chmod 600', (shop) => {
    shop.service('http://127.0.0.1:1');
    writeFileSync(shop.state('credentials', 'service-key'), 'two\nlines');
  }),
  row('a live key in a sandbox', ['credentials', 'fail'], 'begins with rk_live_', 'chmod 600', (shop) => {
    shop.service('http://127.0.0.1:1');
    writeFileSync(shop.state('credentials', 'service-key'), LIVE_KEY);
  }),
  row(
    'a key that everybody reads',
    ['credentials', 'fail'],
    'every user of this machine can read',
    'chmod 600',
    (shop) => {
      shop.service('http://127.0.0.1:1');
      chmodSync(shop.state('credentials', 'service-key'), 0o644);
    },
  ),
  row(
    'no secret for the webhooks of the service',
    ['hook-secret', 'fail'],
    'no credential "hook-secret"',
    'install -m 600',
    (shop) => shop.service('http://127.0.0.1:1', { webhook_credential: 'hook-secret' }),
  ),
  row('a secret of webhooks that is none', ['hook-secret', 'fail'], 'whsec_', 'chmod 600', (shop) => {
    shop.service('http://127.0.0.1:1', { webhook_credential: 'hook-secret' });
    shop.put(shop.state('credentials', 'hook-secret'), 'secret');
  }),
  row(
    'a sealing key that is lost',
    ['seal-key', 'fail'],
    'the books hold what it sealed',
    'tillctl webhooks roll-secret',
    (shop) => shop.change(ENDPOINT),
  ),
  row('a sealing key that is damaged', ['seal-key', 'fail'], 'seal.key', 'chmod 600', (shop) =>
    shop.put(shop.state('credentials', 'seal.key'), 'short'),
  ),
  row('a proxy that tilld does not use', ['proxy', 'warn'], 'HTTPS_PROXY', 'unset', (shop) => {
    shop.service('http://127.0.0.1:1');
    shop.env = { HTTPS_PROXY: 'http://proxy.shop:3128' };
  }),
  row('a clock that lost the time', ['clock', 'fail'], 'it has lost the time', 'timedatectl', (shop) => {
    shop.now = 3_600_000;
  }),
  row(
    'a clock that is behind the books',
    ['clock', 'fail'],
    'the newest entry of the journal',
    'timedatectl',
    (shop) =>
      shop.change(
        `DROP TRIGGER journal_is_not_changed; UPDATE journal SET at = ${shop.now + DAY_MS} WHERE seq = 35`,
      ),
  ),
  row('no time zone', ['time-zone', 'warn'], 'has no time zone', 'timedatectl set-timezone', (shop) => {
    shop.machine = { ...shop.machine, etc: dirname(shop.books.folder) };
  }),
  row(
    'a time zone that is none',
    ['time-zone', 'warn'],
    'Europe/Berlim',
    'timedatectl set-timezone',
    (shop) => {
      shop.env = { TZ: 'Europe/Berlim' };
    },
  ),
  row('an old Node', ['node', 'fail'], 'Node 20.11.0', 'npm ci', (shop) => {
    shop.machine = { ...shop.machine, nodeVersion: '20.11.0' };
  }),
  row('a machine of another kind', ['node', 'warn'], 'runs on arm', 'apt-get install', (shop) => {
    shop.machine = { ...shop.machine, architecture: 'arm' };
  }),
  row('little memory', ['memory', 'warn'], '256 MiB', 'systemctl edit tilld', (shop) => {
    shop.machine = { ...shop.machine, memory: 256 * 1_048_576 };
  }),
  row('a group that may take little memory', ['memory', 'fail'], '64 MiB', 'systemctl edit tilld', (shop) => {
    const cgroup = join(dirname(shop.books.folder), 'cgroup');
    shop.put(join(cgroup, 'system.slice/tilld.service/memory.max'), `${64 * 1_048_576}\n`);
    shop.machine = { ...shop.machine, cgroup };
  }),
  row('few files at once', ['open-files', 'fail'], '128 files', 'LimitNOFILE', (shop) =>
    shop.proc({
      'self/limits':
        'Limit   Soft Limit  Hard Limit  Units\nMax open files            128                  4096                 files\n',
    }),
  ),
  row('a port that another program has', ['listen', 'fail'], 'cannot listen on', 'ss -ltnp', async (shop) => {
    shop.settings = { ...shop.settings, listen: { port: await aListener(() => undefined) } };
  }),
  row(
    'a certificate that is not there',
    ['certificate', 'fail'],
    'cannot be used',
    'systemctl restart tilld',
    (shop) => {
      shop.settings = { ...shop.settings, tls: { certificate: '/nowhere.pem', key: '/nowhere.key' } };
    },
  ),
  row(
    'a certificate of our own that ends soon',
    ['certificate', 'warn'],
    'expires in 1 day (',
    'systemctl restart tilld',
    (shop) => {
      const { certificatePath, keyPath } = makeCertificate(dirname(shop.books.folder));
      shop.settings = { ...shop.settings, tls: { certificate: certificatePath, key: keyPath } };
    },
    lackOfOpenssl,
  ),
  row(
    'an authority of the shop that others can read',
    ['lan-authority', 'fail'],
    'others than its owner can read',
    'chmod 600',
    (shop) => inLan(shop, Date.now(), 0o640),
  ),
  row(
    'an authority of the shop that is no file of PEM',
    ['lan-authority', 'fail'],
    'does not hold a private key and a certificate',
    'systemctl restart tilld',
    async (shop) => {
      await inLan(shop, Date.now());
      shop.put(shop.state('credentials', 'shop-ca-shop.pem'), 'nonsense');
    },
  ),
  row(
    'an authority of the shop that a clock ahead of time has made',
    ['lan-authority', 'fail'],
    'and the clock says',
    'timedatectl set-ntp true',
    (shop) => inLan(shop, Date.now() + 40 * DAY_MS),
  ),
  row(
    'an authority of the shop that ends soon',
    ['lan-authority', 'warn'],
    'ends in 89 days',
    'tillctl devices pair',
    async (shop) => {
      await inLan(shop, Date.now());
      shop.now += (3_653 - 89.5) * DAY_MS;
    },
  ),
  row(
    'a machine that has another name than its devices look for',
    ['lan-name', 'warn'],
    'this machine is called till-7',
    'sudo hostnamectl set-hostname shop',
    async (shop) => {
      await inLan(shop, Date.now());
      shop.machine = { ...shop.machine, hostname: 'till-7.shop.example' };
    },
  ),
  row(
    'a name that no program announces',
    ['lan-name', 'warn'],
    'avahi does not run',
    'sudo apt-get install avahi-daemon',
    async (shop) => {
      await inLan(shop, Date.now());
      shop.machine = { ...shop.machine, hostname: 'shop', run: shop.state('nowhere') };
    },
  ),
  row(
    'another program at the port of the tablets',
    ['lan', 'fail'],
    'are not served at port',
    'ss -ltnp',
    async (shop) => {
      const port = await aListener((socket) => socket.end('hello'));
      await inLan(shop, Date.now(), 0o600, port);
      shop.put(shop.state('tilld.pid'), ownerLine(process.pid));
    },
  ),
  row(
    'a unit that says nothing when it is ready',
    ['unit-notify', 'warn'],
    'no Type=notify',
    'systemctl daemon-reload',
    (shop) => shop.unit((text) => text.replace(/^Type=.*$/m, 'Type=simple')),
  ),
  row(
    'a unit that is not started again',
    ['unit-restart', 'warn'],
    'Restart=no',
    'systemctl edit tilld',
    (shop) => shop.unit((text) => text.replace(/^Restart=.*$/m, 'Restart=no')),
  ),
  row(
    'a unit that is not hardened',
    ['unit-hardening', 'warn'],
    'ProtectSystem',
    'systemd-analyze security tilld',
    (shop) => shop.unit((text) => text.replace(/^ProtectSystem=.*$/m, '')),
  ),
  row('a unit that runs tilld as root', ['unit-user', 'warn'], 'as root', 'systemctl edit tilld', (shop) =>
    shop.unit((text) => text.replace(/^User=.*$/m, 'User=root').replace(/^DynamicUser=.*$/m, '')),
  ),
  row(
    'a unit that does not start with the machine',
    ['unit-enabled', 'warn'],
    'is not enabled',
    'systemctl enable --now tilld',
    (shop) => shop.unit((text) => text, false),
  ),
  row(
    'a unit whose port is free while it is down',
    ['unit-socket', 'warn'],
    'tilld.socket is not enabled',
    'systemctl enable --now tilld.socket',
    (shop) => shop.unit((text) => text, true, false),
  ),
  row(
    'a unit that keeps its books elsewhere',
    ['unit-folder', 'warn'],
    'keeps its books in /var/lib/tilld',
    'tillctl doctor --state-dir',
    (shop) => shop.unit((text) => text),
  ),
  row(
    'a unit that may not open serial ports',
    ['unit-devices', 'warn'],
    'SupplementaryGroups=dialout',
    'systemctl edit tilld',
    (shop) => {
      shop.devices({ type: 'serial', path: '/dev/serial/by-id/none' });
      shop.unit((text) => text.replaceAll(/^(SupplementaryGroups|DeviceAllow)=.*$/gm, ''));
    },
  ),
];

/** An endpoint whose secret was sealed. */
export const ENDPOINT = `INSERT INTO webhook_endpoints (id, url, events, status, sealed_secret, created_at, updated_at)
  VALUES ('whe_1', 'https://erp.shop/hooks/9f8e7d', '[]', 'enabled', 'v1.sealed', 1, 1)`;

/** Has its log written there. */
function inFile(shop: { settings: Record<string, unknown> }, path: string): void {
  shop.settings = { ...shop.settings, log: { file: { path } } };
}

/** A shop whose devices are served, with an authority that was made at `madeAt`. */
async function inLan(shop: DiagnosticContext, madeAt: number, mode = 0o600, port = 0): Promise<void> {
  shop.settings = { ...shop.settings, listen: { port: 0, lan: { name: 'shop', port } } };
  const { key, cert } = await makeAuthority('shop', madeAt);
  shop.put(shop.state('credentials', 'shop-ca-shop.pem'), `${key}${cert}`, mode);
}

function writeFleetSettings(shop: DiagnosticContext, text: string): void {
  shop.put(shop.state('credentials', 'fleet-configuration.json'), text);
}
