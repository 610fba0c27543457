import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { loadConfig, parseConfig } from '../../../src/config/load.ts';

const ID = '0199c0de-0000-7000-8000-000000000001';
const OTHER = '0199c0de-0000-7000-8000-000000000002';
const MINIMAL = { version: 1, environment: 'live' };
const device = (more: object = {}) => ({
  id: ID,
  name: 'Counter 1',
  driver: 'zvt',
  currency: 'EUR',
  link: { type: 'tcp', host: '192.168.1.40' },
  ...more,
});
const virtual = (terminal: string) => ({ type: 'virtual', terminal });

function parse(value: unknown) {
  return parseConfig(typeof value === 'string' ? value : JSON.stringify(value), 'tilld.jsonc');
}

/** Path and words of every problem, `path: message`. */
function problemsOf(value: unknown): string[] {
  try {
    parse(value);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'CONFIG_INVALID') throw error;
    const problems = error.context['problems'];
    if (!Array.isArray(problems)) throw error;
    return problems.map((problem) => `${problem.path}: ${problem.message}`);
  }
}

describe('the proxies that are believed', () => {
  it.each(['0.0.0.0/0', '::/0'])('%s is refused as a range: everyone would be a proxy', (range) => {
    const listen = { trusted_proxies: [range] };
    expect(problemsOf({ ...MINIMAL, devices: [device()], listen })).toEqual([
      'listen.trusted_proxies[0]: must not be every address',
    ]);
  });

  it('a host and a range are accepted', () => {
    const listen = { trusted_proxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] };
    expect(problemsOf({ ...MINIMAL, devices: [device()], listen })).toEqual([]);
  });
});

/** Written as some tools show them; two devices of one kind may both search for it. */
const USB = { vendor: '0B00', product: '3070' };

describe('a configuration that is right', () => {
  it('needs two keys and fills in every default', () => {
    expect(parse(MINIMAL)).toMatchObject({
      state_dir: '.tilld',
      listen: { host: '127.0.0.1', port: 8480 },
      log: { level: 'info' },
      limits: { requests_per_minute: 600, burst: 50, body_bytes: 65_536 },
      lane: { wait_ms: 60_000, max_age_ms: 300_000, max_waiting: 20 },
      recovery: { ask_person_after_ms: 120_000, give_up_ms: 240_000 },
      heartbeat_ms: 15_000,
      devices: [],
    });
    expect(parse(MINIMAL)).not.toHaveProperty('service');
    expect(parse(MINIMAL)).not.toHaveProperty('sandbox');
  });

  it('may hold comments, trailing commas and a byte order mark', () => {
    const text = '\uFEFF// shop\n{ "version": 1, /* real */ "environment": "live", "devices": [],\n}';
    expect(parse(text).environment).toBe('live');
  });

  it('lets several terminals search among ports of one kind, and reads USB ids in either case', () => {
    const [one, two] = [
      device({ link: { type: 'serial', usb: USB } }),
      device({ id: OTHER, name: 'B', link: { type: 'serial', usb: USB } }),
    ];
    const { devices } = parse(JSON.stringify({ ...MINIMAL, devices: [one, two] }));
    expect(devices.map(({ link }) => link)).toMatchObject([
      { usb: { vendor: '0b00', product: '3070' } },
      { usb: { vendor: '0b00' } },
    ]);
  });

  it('leaves to the driver what the driver knows best', () => {
    const config = parse({
      ...MINIMAL,
      devices: [device({ link: { type: 'serial', path: '/dev/ttyUSB0' } })],
    });
    expect(config.devices[0]?.link).toEqual({
      type: 'serial',
      path: '/dev/ttyUSB0',
      data_bits: 8,
      parity: 'none',
    });
  });
});

describe('a configuration that is wrong', () => {
  it.each([
    ['at the top', { ...MINIMAL, listn: {} }, 'listn: unknown key "listn", did you mean "listen"?'],
    [
      'in a section',
      { ...MINIMAL, listen: { prot: 1 } },
      'listen.prot: unknown key "prot", did you mean "port"?',
    ],
    [
      'in a list and a union',
      { ...MINIMAL, devices: [device({ link: { type: 'tcp', host: 'a', hots: 'b' } })] },
      'devices[0].link.hots: unknown key "hots", did you mean "host"?',
    ],
    [
      'with the keys of the chosen kind of link only',
      { ...MINIMAL, devices: [device({ link: { type: 'serial', path: '/dev/ttyS0', stop_bit: 1 } })] },
      'devices[0].link.stop_bit: unknown key "stop_bit", did you mean "stop_bits"?',
    ],
    [
      'that harms objects',
      '{"version":1,"environment":"live","__proto__":{"agent":"x"}}',
      '__proto__: unknown key "__proto__"; known here: ',
    ],
  ])('names the nearest known key for an unknown one %s', (_where, value, expected) => {
    expect(problemsOf(value)).toEqual([expect.stringContaining(expected)]);
  });

  it('reports all problems at once, in the order of the file, those between keys included', () => {
    const text = `{
  "version": 2,
  "environment": "sandbox",
  "listen": { "prot": 1, "port": 70000 },
  "heartbeat_ms": "15s"
}`;
    expect(() => parse(text)).toThrow(
      /has 4 problems:\n {2}2:3 version: .*\n {2}4:15 listen\.prot: .*\n {2}4:26 listen\.port: .*\n {2}5:3 heartbeat_ms: /,
    );
    const devices = [device(), device({ id: OTHER, nmae: 'x' })];
    expect(new Set(problemsOf({ ...MINIMAL, devices }))).toEqual(
      new Set([
        'devices[1].nmae: unknown key "nmae", did you mean "name"?',
        'devices[1].name: is the same as that of devices[0]',
        'devices[1].link: is the same as that of devices[0]',
      ]),
    );
  });

  it.each([
    ['a forgotten colon', '{ "version": 1,\n  "environment" "live" }', /2:17 syntax: a colon is expected/],
    ['a forgotten comma', '{ "version": 1\n "environment": "live" }', /2:2 syntax: a comma is expected/],
    ['single quotes', "{ 'version': 1 }", /1:3 syntax:/],
    ['a forgotten brace', '{ "version": 1', /1:15 syntax: a closing brace } is expected/],
    ['an empty file', '', /syntax: a value is expected/],
    [
      'a key that stands twice',
      '{ "version": 1,\n "environment": "live",\n "version": 1 }',
      /3:2 version: stands here a second time/,
    ],
    ['a list instead of an object', '[]', /expected object/],
    ['a hundred thousand brackets', '['.repeat(100_000), /nested too deep/],
    ['a comment that never ends', '/*', /syntax/],
    ['thousands of levels, each broken', '{"a":{"b":[1'.repeat(6000), /nested too deep/],
  ])('says where the syntax is wrong: %s', (_what, text, words) => {
    expect(() => parse(text)).toThrow(words);
  });

  it.each([
    [
      'two devices with one id',
      { devices: [device(), device({ name: 'B', link: { type: 'tcp', host: 'b' } })] },
      'devices[1].id',
    ],
    [
      'two names that differ in capitals',
      { devices: [device(), device({ id: OTHER, name: 'COUNTER 1', link: { type: 'tcp', host: 'b' } })] },
      'devices[1].name',
    ],
    [
      'two devices on one terminal',
      { devices: [device(), device({ id: OTHER, name: 'B' })] },
      'devices[1].link',
    ],
    [
      'a serial terminal without a port',
      { devices: [device({ link: { type: 'serial' } })] },
      'devices[0].link.path',
    ],
    [
      'a serial terminal with a path and USB ids',
      { devices: [device({ link: { type: 'serial', path: '/dev/ttyS0', usb: USB } })] },
      'devices[0].link.path',
    ],
    [
      'USB ids that are none',
      { devices: [device({ link: { type: 'serial', usb: { vendor: '0xb00', product: '3070' } } })] },
      'devices[0].link.usb.vendor',
    ],
    [
      'two devices on one USB serial number',
      {
        devices: [
          device({ link: { type: 'serial', usb: { ...USB, serial: '8' } } }),
          device({ id: OTHER, name: 'B', link: { type: 'serial', usb: { ...USB, serial: '8' } } }),
        ],
      },
      'devices[1].link',
    ],
    [
      'a virtual link that leads nowhere',
      { devices: [device({ link: virtual('none') })] },
      'devices[0].link.terminal',
    ],
    [
      'a virtual terminal of another protocol',
      {
        environment: 'sandbox',
        devices: [device({ link: virtual('v') })],
        sandbox: { terminals: [{ name: 'v', protocol: 'ecr17' }] },
      },
      'devices[0].driver',
    ],
    ['a sandbox in live', { sandbox: {} }, 'sandbox'],
    [
      'a provider of the sandbox that other machines could reach',
      { environment: 'sandbox', sandbox: { provider: { listen: { host: '0.0.0.0' } } } },
      'sandbox.provider.listen.host',
    ],
    [
      'a provider of the sandbox at the port of its service',
      { environment: 'sandbox', sandbox: { service: {}, provider: { listen: { port: 8481 } } } },
      'sandbox.provider.listen.port',
    ],
    [
      'a provider of the sandbox at the port of the local interface',
      { environment: 'sandbox', sandbox: { provider: { listen: { port: 8480 } } } },
      'sandbox.provider.listen.port',
    ],
    [
      'an integration that the sandbox is to activate, without a connector',
      { environment: 'sandbox', sandbox: { activated: ['provider_b'] } },
      'sandbox.activated[0]',
    ],
    [
      'an integration that the sandbox is to activate, without a provider',
      {
        environment: 'sandbox',
        integrations: { provider_a: { connector: 'rest', sink: 'mirror' } },
        sandbox: { activated: ['provider_a'] },
      },
      'sandbox.activated[0]',
    ],
    [
      'two virtual terminals with one serial number',
      {
        environment: 'sandbox',
        sandbox: {
          terminals: [
            { name: 'a', protocol: 'zvt' },
            { name: 'b', protocol: 'zvt' },
          ],
        },
      },
      'sandbox.terminals[1].serial',
    ],
    ['an address beyond loopback without TLS', { listen: { host: '0.0.0.0' } }, 'listen.host'],
    ['a service in plain HTTP', { service: { url: 'http://billing.example' } }, 'service.url'],
    ['a service with its version', { service: { url: 'https://billing.example/v2' } }, 'service.url'],
    [
      'a service with a password in its address',
      { service: { url: 'https://a:b@billing.example' } },
      'service.url',
    ],
    [
      'a live shop at a sandbox',
      { service: { url: 'https://a.example', environment: 'sandbox' } },
      'service.environment',
    ],
    [
      'a sandbox that would use the live service',
      { environment: 'sandbox', service: { url: 'https://a.example', environment: 'live' } },
      'service.environment',
    ],
    [
      'a live shop at an address that names itself a sandbox',
      { service: { url: 'https://sandbox.billing.example' } },
      'service.url',
    ],
    [
      'an environment that the address contradicts',
      { environment: 'sandbox', service: { url: 'https://api-staging.example', environment: 'mock' } },
      'service.environment',
    ],
    [
      'a path of the service that nobody asks for',
      { service: { url: 'https://a.example', paths: { webhooks: '/x' } } },
      'service.paths.webhooks',
    ],
    [
      'a path of one thing that does not say which',
      { service: { url: 'https://a.example', paths: { claim: '/claim' } } },
      'service.paths.claim',
    ],
    [
      'a path that climbs',
      { service: { url: 'https://a.example', paths: { events: '/a/../x' } } },
      'service.paths.events',
    ],
    ['a service without an address and without a sandbox', { service: {} }, 'service.url'],
    ['a settle time in live that is a guess', { recovery: { settle_ms: 5000 } }, 'recovery.settle_ms'],
    [
      'a largest amount below the smallest',
      { devices: [device({ min_amount_minor: 100, max_amount_minor: 99 })] },
      'devices[0].max_amount_minor',
    ],
    [
      'webhooks at the port of the local interface',
      { listen: { port: 8480, webhooks: { port: 8480 } } },
      'listen.webhooks.port',
    ],
    [
      'webhooks at the port of the network of the shop',
      { listen: { lan: { name: 'shop' }, webhooks: { port: 8443 } } },
      'listen.webhooks.port',
    ],
    [
      'webhooks beyond loopback without TLS',
      { listen: { webhooks: { host: '192.0.2.1' } } },
      'listen.webhooks.host',
    ],
    [
      'a lane that waits longer than a request may live',
      { lane: { wait_ms: 60_000, max_age_ms: 5000 } },
      'lane.wait_ms',
    ],
    ['an age above five minutes', { lane: { max_age_ms: 300_001 } }, 'lane.max_age_ms'],
    ['a currency nobody knows', { devices: [device({ currency: 'EURO' })] }, 'devices[0].currency'],
    [
      'an amount that is no integer',
      { devices: [device({ min_amount_minor: 1.5 })] },
      'devices[0].min_amount_minor',
    ],
    [
      'a credential name that leaves its folder',
      { service: { url: 'https://a.example', credential: '../key' } },
      'service.credential',
    ],
  ])('refuses %s', (_what, more, path) => {
    expect(problemsOf({ ...MINIMAL, ...more }).map((problem) => problem.split(': ')[0])).toEqual([path]);
  });
});

describe('what becomes of a charge that nobody wanted like this', () => {
  const policies = (more: object) => {
    const [first] = parseConfig(JSON.stringify({ ...MINIMAL, devices: [device(more)] }), 'x').devices;
    return [first?.late_approval, first?.partial_approval];
  };

  it('is undone unless the device says that it stands', () => {
    expect(policies({})).toEqual(['void', 'void']);
    expect(policies({ late_approval: 'keep' })).toEqual(['keep', 'void']);
    expect(policies({ partial_approval: 'keep' })).toEqual(['void', 'keep']);
  });

  it.each(['late_approval', 'partial_approval'])('%s knows void and keep only', (key) => {
    expect(() => policies({ [key]: 'refund' })).toThrow(new RegExp(`devices\\[0\\]\\.${key}`));
  });
});

describe('a configuration file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tilld-config-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('that is not there is CONFIG_NOT_FOUND', () => {
    expect(() => loadConfig(join(folder, 'none.jsonc'))).toThrow(
      expect.objectContaining({ code: 'CONFIG_NOT_FOUND' }),
    );
  });

  it.each([
    ['larger than any configuration', Buffer.alloc(262_145, ' '), /larger than/],
    ['no text', Buffer.from([0xff, 0xfe, 0x7b]), /not UTF-8/],
  ])('that is %s is refused', (_what, bytes, words) => {
    const file = join(folder, 'odd.jsonc');
    writeFileSync(file, bytes);
    expect(() => loadConfig(file)).toThrow(words);
  });

  it('that is a folder is refused', () => {
    expect(() => loadConfig(folder)).toThrow(/is not a file/);
  });
});
