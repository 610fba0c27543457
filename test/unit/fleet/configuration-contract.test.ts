import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { settable, withSettings } from '../../../src/config/fleet-settings.ts';
import { parseConfig } from '../../../src/config/load.ts';
import {
  ConfigurationCommand,
  mergePatch,
  refusalOfSettings,
  ShopSettings,
} from '../../../src/fleet/contract/configuration.ts';
import { mergedSettings } from '../../../src/hub/commands/settings.ts';

const DEVICE = '0199c0de-0000-7000-8000-00000000000a';
const OWN = {
  version: 1,
  environment: 'sandbox',
  language: 'de',
  service: { url: 'https://service.example', poll_interval_ms: 4_000 },
  integrations: { provider_a: { connector: 'rest', settings: { recipe: 'woocommerce' } } },
  devices: [
    {
      ...{ id: DEVICE, name: 'Counter 1', driver: 'zvt', currency: 'EUR' },
      link: { type: 'tcp', host: '127.0.0.1', port: 20_007 },
    },
  ],
};
const read = (settings: Readonly<Record<string, unknown>>, own: object = OWN) =>
  parseConfig(JSON.stringify(own), 'tilld.jsonc', [], settings);

describe('settings from afar', () => {
  it.each([
    ['what moves money or names who it is for', { environment: 'live' }],
    ['which terminal it is', { devices: { [DEVICE]: { link: { host: '192.168.1.66' } } } }],
    ['how its terminal proves itself', { devices: { [DEVICE]: { link: { tls: {} } } } }],
    ['what a terminal may take', { devices: { [DEVICE]: { link: {}, max_amount_minor: 1 } } }],
    ['how a terminal is addressed', { devices: { [DEVICE]: { link: {}, options: {} } } }],
    ['what is done with an unwanted charge', { devices: { [DEVICE]: { link: {}, late_approval: 'keep' } } }],
    ['whether a customer is asked for a tip', { devices: { [DEVICE]: { link: {}, tip: 'ask' } } }],
    ['a list of devices', { devices: [] }],
    ['the service', { service: { url: 'https://evil.example' } }],
    ['whether payments are created there', { service: { create_local: 'on' } }],
    ['the name of the shop there', { agent: 'another' }],
    ['when "not charged" may be said', { recovery: { settle_ms: 0 } }],
    ['what waits for a terminal', { lane: { max_waiting: 1 } }],
    ['what tills may ask', { limits: { requests_per_minute: 1 } }],
    ['who reaches the interface', { listen: { host: '0.0.0.0' } }],
    ['who may be sent events', { webhooks: { allow_private: ['10.0.0.0/8'] } }],
    ['where traces go', { tracing: { endpoint: 'https://evil.example' } }],
    ['files', { log: { file: { path: '/etc/passwd' } } }],
    ['folders', { state_dir: '/tmp' }],
    ['code', { driver_packages: ['evil'] }],
    ['where records go', { integrations: { provider_a: { sink: 'mirror' } } }],
    ['what is read', { integrations: { provider_b: { folder: '/etc' } } }],
    ['an integration that no release has', { integrations: { provider_x: { interval_s: 60 } } }],
    ['its own limits', { fleet: { window: { from: '00:00', to: '23:59' } } }],
    ['the sandbox', { sandbox: { terminals: [] } }],
    ['a prototype', JSON.parse('{"__proto__": {"environment": "live"}}')],
    ['no settings at all', null],
    ['text', 'environment'],
    [
      'more than a hub takes',
      {
        mirror: { lists: Array(40).fill('ä'.repeat(39)) },
        integrations: {
          provider_a: {
            schedules: Object.fromEntries(
              Array.from({ length: 40 }, (_, n) => [`resource-${n}`, { cron: '0 6 * * 1-5' }]),
            ),
          },
        },
      },
    ],
  ])('never decide on %s', (_, settings) => {
    expect(refusalOfSettings(settings)).toEqual(expect.any(String));
    expect(ConfigurationCommand.safeParse({ kind: 'configuration', revision: 1, settings }).success).toBe(
      false,
    );
  });

  it.each([
    { service: { credential: 'other' } },
    { service: { webhook_credential: 'x' } },
    { tls: { key: '/etc/tilld/key.pem' } },
    { integrations: { provider_a: { settings: { api_token: 'x' } } } },
    { mirror: { Password: 'x' } },
    { log: { apiKey: 'x' } },
    { log: [{ 'client-secret': 'x' }] },
    { devices: { [DEVICE]: { options: { pin: 'x' } } } },
  ])('hold no secret: %j', (settings) => {
    expect(refusalOfSettings(settings)).toMatch(/names a secret: secrets are kept at the shop/);
  });

  it('name what cannot be configured', () => {
    expect(refusalOfSettings({ environment: 'live', heartbeat_ms: 'often', lane: {} })).toMatch(
      /heartbeat_ms: .*environment, lane cannot be configured by a hub, only at the shop/,
    );
  });

  it('change what the shop has, and leave everything else as it is', () => {
    const settings = {
      heartbeat_ms: 20_000,
      service: { poll_interval_ms: 9_000 },
      integrations: { provider_a: { interval_s: 1_800, schedules: { products: { cron: '0 6 * * *' } } } },
      devices: { [DEVICE.toUpperCase()]: { link: { port: 22_000 } } },
    };
    expect(refusalOfSettings(settings)).toBeNull();
    const [before, after] = [read({}), read(settings)];
    const { integrations } = before;
    const [device] = before.devices;
    expect(after).toEqual({
      ...before,
      heartbeat_ms: 20_000,
      service: { ...before.service, poll_interval_ms: 9_000 },
      integrations: {
        provider_a: { ...integrations.provider_a, ...settings.integrations.provider_a },
      },
      devices: [{ ...device, link: { ...device?.link, port: 22_000 } }],
    });
  });

  it('make no service, integration or device that the shop has not', () => {
    const bare = { version: 1, environment: 'sandbox' };
    const settings = {
      service: { burst: 1 },
      integrations: { provider_b: { interval_s: 60 } },
      devices: { [DEVICE]: { link: { port: 1 } } },
    };
    expect(withSettings(bare, settings).problems).toHaveLength(3);
    expect(() => read(settings, bare)).toThrow(/this shop has no service.*has it not.*has no such device/s);
  });

  it('are all seen where a person changes the shop’s own', () => {
    const seen = JSON.stringify(settable(read({})));
    for (const key of Object.keys(ShopSettings.shape)) expect(seen).toContain(`"${key}"`);
    const changed = {
      ...OWN,
      integrations: { provider_a: { ...OWN.integrations.provider_a, max_errors: 3 } },
    };
    expect(JSON.stringify(settable(read({}, changed)))).not.toBe(seen);
    expect(JSON.stringify(settable(read({}, { ...OWN, limits: { burst: 3 } })))).toBe(seen);
  });

  it('are merged from merchant, group and shop as RFC 7396 says', () => {
    // The examples of its appendix A.
    const cases = [
      [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
      [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
      [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
      [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
      [
        ['a', 'b'],
        ['c', 'd'],
        ['c', 'd'],
      ],
      [{ a: 'foo' }, null, null],
      [{ e: null }, { a: 1 }, { e: null, a: 1 }],
      [[1, 2], { a: 'b', c: null }, { a: 'b' }],
      [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    ] as const;
    for (const [target, patch, result] of cases) expect(mergePatch(target, patch)).toEqual(result);

    const folder = mkdtempSync(join(tmpdir(), 'tilld-settings-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = (name: string, settings: unknown) => {
      writeFileSync(join(folder, name), JSON.stringify(settings));
      return join(folder, name);
    };
    const merchant = file('merchant', {
      heartbeat_ms: 20_000,
      language: 'de',
      mirror: { lists: ['orders'] },
    });
    const group = file('group', { heartbeat_ms: 30_000, mirror: { interval_s: 600 } });
    const shop = file('shop', { language: null });
    expect(mergedSettings([merchant, group, shop])).toEqual({
      heartbeat_ms: 30_000,
      mirror: { lists: ['orders'], interval_s: 600 },
    });
    const secret = file('secret', { service: { credential: 'x' } });
    expect(() => mergedSettings([secret, file('without', { service: null })])).toThrow(/names a secret/);
    expect(() => mergedSettings([join(folder, 'missing')])).toThrow(/missing/);
  });
});
