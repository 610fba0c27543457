import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { schemeOf, webhookSchema } from '../../../../drivers/providers/rest/webhook.ts';
import { refusalOf } from '../../../../src/api/provider-webhooks/signature.ts';
import { wokenBy } from '../../../../src/integration/webhook-scheme.ts';

const BODY = '{"id":"evt_1","type":"invoice.paid","data":{"object":{"id":"in_1","note":"Käse ☕"}}}';
const OTHER = 'another-secret-0123456789';

type Headers = Readonly<Record<string, string>>;

interface Vector {
  readonly name: string;
  readonly section: object;
  readonly secret: string;
  readonly body: string;
  readonly headers: Headers;
  /** Epoch s of the receipt. */
  readonly at?: number;
}

const STRIPE = {
  type: 'hmac',
  header: 'Stripe-Signature',
  encoding: 'hex',
  form: { style: 'pairs', signature: 'v1', timestamp: 't' },
  signed: '{timestamp}.{body}',
};
const STANDARD = {
  type: 'hmac',
  header: 'webhook-signature',
  encoding: 'base64',
  key: 'base64',
  form: { style: 'list', version: 'v1' },
  signed: '{id}.{timestamp}.{body}',
  idHeader: 'webhook-id',
  timestamp: { header: 'webhook-timestamp' },
};
const GITHUB = {
  type: 'hmac',
  header: 'X-Hub-Signature-256',
  encoding: 'hex',
  form: { style: 'raw', prefix: 'sha256=' },
};
const SHOPIFY = { type: 'hmac', header: 'X-Shopify-Hmac-Sha256', encoding: 'base64' };
const TOKEN = { type: 'token', header: 'Authorization', prefix: 'Bearer ' };

/** None of these was made by tilld: each says where it comes from. */
const VECTORS: readonly Vector[] = [
  {
    name: 'GitHub, of docs.github.com "Validating webhook deliveries"',
    section: GITHUB,
    secret: "It's a Secret to Everybody",
    body: 'Hello, World!',
    headers: {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
  },
  {
    name: 'Standard Webhooks, of its specification; the package standardwebhooks 1.1.1 makes the same',
    section: STANDARD,
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    body: '{"test": 2432232314}',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    at: 1_614_265_330,
  },
  {
    name: 'Standard Webhooks, text beyond ASCII, by standardwebhooks 1.1.1, beside signatures of others',
    section: STANDARD,
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    body: BODY,
    headers: {
      'webhook-id': 'msg_2',
      'webhook-timestamp': '1700000000',
      'webhook-signature':
        'v1a,c2lnbmVk v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1,MNliYkwu9UrImmJadp3sz4Mq3RKAzicJQD+SWR7/5zE=',
    },
    at: 1_700_000_000,
  },
  {
    name: 'Stripe, by generateTestHeaderString of stripe 23.1.0',
    section: STRIPE,
    secret: 'whsec_test_4eC39HqLyjWDarjtT1zdp7dc',
    body: BODY,
    headers: {
      'stripe-signature': 't=1700000000,v1=fe4de65e920f405a14f380175511ef4d6fdc53463d8c709e0128b0654196e18c',
    },
    at: 1_700_000_000,
  },
  {
    name: 'Stripe while its secret is rolled: two signatures and an old scheme',
    section: STRIPE,
    secret: 'whsec_test_4eC39HqLyjWDarjtT1zdp7dc',
    body: BODY,
    headers: {
      'stripe-signature': `t=1700000000,v1=${'0'.repeat(64)},v0=${'1'.repeat(64)},v1=fe4de65e920f405a14f380175511ef4d6fdc53463d8c709e0128b0654196e18c`,
    },
    at: 1_700_000_000,
  },
  {
    name: 'Shopify and WooCommerce: base64 over the body, by openssl',
    section: SHOPIFY,
    secret: 'hush-0123456789abcdef',
    body: BODY,
    headers: { 'x-shopify-hmac-sha256': 'LiGcoUA+VdhwPqc6gdZ3s0PLQpl1fcOH58+0z9xcCog=' },
  },
  {
    name: 'SHA-512 in hex, by openssl',
    section: { ...SHOPIFY, header: 'X-Signature', algorithm: 'sha512', encoding: 'hex' },
    secret: 'hush-0123456789abcdef',
    body: BODY,
    headers: {
      'x-signature':
        '6518c4d68f6de29545591640fbc70920d9e0ec7aeb489a2e6f3f9ef39706f072c5bc96e642cdd69629d8076b032f50f3b1a7e6be477bc7b29efa112e97c49d68',
    },
  },
  {
    name: 'a token in a header',
    section: TOKEN,
    secret: 'a-token-of-the-flow-0123456789',
    body: '',
    headers: { authorization: 'Bearer a-token-of-the-flow-0123456789' },
  },
];

function signatureOf(section: object) {
  return schemeOf(webhookSchema.parse({ signature: section })).signature;
}

function judged(vector: Vector, change: Partial<Vector> = {}, secrets?: readonly string[]) {
  const { section, body, headers, secret, at = 0 } = { ...vector, ...change };
  const webhook = { header: (name: string) => headers[name.toLowerCase()] ?? null, body: Buffer.from(body) };
  return refusalOf(signatureOf(section), webhook, secrets ?? [secret], at * 1_000);
}

describe.each(VECTORS)('$name', (vector) => {
  it('is genuine, with the secret before it too', () => {
    expect(judged(vector)).toBeNull();
    expect(judged(vector, {}, [OTHER, vector.secret])).toBeNull();
  });

  it('is refused with another secret, another body, a signature that is cut or changed, and without one', () => {
    const signed = Object.keys(vector.headers).at(-1) ?? '';
    const value = vector.headers[signed] ?? '';
    expect(judged(vector, {}, [OTHER, 'whsec_bm90LXRoZS1zZWNyZXQtb2YtdGhpcw=='])).toBe('wrong_signature');
    if (vector.section !== TOKEN) expect(judged(vector, { body: `${vector.body} ` })).toBe('wrong_signature');
    expect(judged(vector, { headers: {} })).toBe('unsigned');
    expect(judged(vector, { headers: { ...vector.headers, [signed]: '' } })).toBe('unsigned');
    for (const cut of [value.slice(0, -1), `${value}A`, value.slice(0, 12), value.replaceAll(/[1-9]/g, '0')])
      expect(judged(vector, { headers: { ...vector.headers, [signed]: cut } }), cut).not.toBeNull();
    expect(judged(vector, {}, [])).toBe('wrong_signature');
  });

  it('is refused five minutes before and after, where its time is signed', () => {
    const { at } = vector;
    if (at === undefined) return;
    expect(judged(vector, { at: at + 300 })).toBeNull();
    expect(judged(vector, { at: at - 300 })).toBeNull();
    expect(judged(vector, { at: at + 301 })).toBe('wrong_time');
    expect(judged(vector, { at: at - 301 })).toBe('wrong_time');
    // Who cannot sign learns nothing of the clock.
    expect(judged(vector, { at: at + 301 }, [OTHER])).toBe('wrong_signature');
  });
});

describe('a time', () => {
  const signed = (time: string) => {
    const { stdout } = spawnSync('openssl', ['dgst', '-sha256', '-hmac', OTHER], {
      input: `${time}.${BODY}`,
    });
    const hex = stdout.toString().trim().split(/[ =]+/).at(-1);
    const headers = { 'stripe-signature': `t=${time},v1=${hex}` };
    return { name: '', section: STRIPE, secret: OTHER, body: BODY, headers, at: 1_700_000_000 };
  };

  it.each(['1700000000'])('%s is one', (time) => expect(judged(signed(time))).toBeNull());

  it.each(['1e9', '0x6553F100', '1700000000.5', '-1', 'NaN', '99999999999999999'])(
    '%s is none, also where it is signed',
    (time) => expect(judged(signed(time))).toBe('wrong_time'),
  );

  it('that stands twice beside a signature is none', () => {
    const { headers, ...same } = signed('1700000000');
    const twice = { 'stripe-signature': `t=1600000000,${headers['stripe-signature']}` };
    expect(judged({ ...same, headers: twice })).toBe('unsigned');
  });

  it('in milliseconds is read as such', () => {
    const input = `1700000000000.${BODY}`;
    const { stdout } = spawnSync('openssl', ['dgst', '-sha256', '-hmac', OTHER, '-binary'], { input });
    const headers = { 'x-signature': stdout.toString('base64'), 'x-time': '1700000000000' };
    const timestamp = { header: 'X-Time', unit: 'unix_ms', toleranceSeconds: 60 };
    const section = { ...SHOPIFY, header: 'X-Signature', signed: '{timestamp}.{body}', timestamp };
    const vector = { name: '', section, secret: OTHER, body: BODY, headers, at: 1_700_000_060 };
    expect(judged(vector)).toBeNull();
    expect(judged(vector, { at: 1_700_000_061 })).toBe('wrong_time');
  });
});

describe('the event of a webhook', () => {
  const scheme = (event?: object) => schemeOf(webhookSchema.parse({ signature: TOKEN, event }));
  const none = () => null;
  const resources = { 'invoice.*': ['invoices'], 'invoice.customer': ['invoices', 'customers'], ping: [] };

  it('wakes the resources of its table, the longest name first, and none for an empty list', () => {
    const byType = scheme({ in: { body: 'data.type' }, resources });
    const woken = (type: unknown) => wokenBy(byType, none, JSON.stringify({ data: { type } }));
    expect(woken('invoice.paid')).toEqual(['invoices']);
    expect(woken('invoice.customer')).toEqual(['invoices', 'customers']);
    expect(woken('ping')).toEqual([]);
  });

  it('wakes all where it is not in the table, is no text, or cannot be read', () => {
    const byType = scheme({ in: { body: 'data.type' }, resources });
    const bodies = [
      '{"data":{"type":"x"}}',
      '{"data":{"type":1}}',
      '{"data":null}',
      '[]',
      'a=b',
      '',
      '\u0000',
    ];
    for (const body of bodies) expect(wokenBy(byType, none, body), body).toBeNull();
    for (const type of ['__proto__', 'constructor', 'toString', ''])
      expect(wokenBy(byType, none, JSON.stringify({ data: { type } })), type).toBeNull();
    expect(wokenBy(byType, none, '['.repeat(100_000))).toBeNull();
    expect(wokenBy(scheme(), none, '{}')).toBeNull();
  });

  it('may be in a header', () => {
    const byTopic = scheme({ in: { header: 'X-WC-Webhook-Resource' }, resources: { order: ['invoices'] } });
    expect(wokenBy(byTopic, (name) => (name === 'X-WC-Webhook-Resource' ? 'order' : null), '')).toEqual([
      'invoices',
    ]);
    expect(wokenBy(byTopic, none, '')).toBeNull();
  });
});

describe('a section that contradicts itself is refused', () => {
  const wrong: readonly (readonly [string, object])[] = [
    ['the body could be any', { ...SHOPIFY, signed: '{timestamp}' }],
    ['the body could be any', { ...SHOPIFY, signed: '{body}{body}' }],
    ['it knows {body}', { ...SHOPIFY, signed: '{url}{body}' }],
    ['{timestamp} needs one place', { ...SHOPIFY, signed: '{timestamp}.{body}' }],
    ['proves nothing', { ...SHOPIFY, timestamp: { header: 'X-Time' } }],
    ['proves nothing', { ...STRIPE, signed: '{body}' }],
    ['need each other', { ...SHOPIFY, signed: '{id}.{body}' }],
    ['need each other', { ...SHOPIFY, idHeader: 'X-Id' }],
    ['{timestamp} needs one place', { ...STRIPE, timestamp: { header: 'X-Time' } }],
    ['Invalid option', { ...SHOPIFY, algorithm: 'sha1' }],
    ['the name of a header', { ...SHOPIFY, header: 'X Y' }],
  ];
  it.each(wrong)('%s', (words, section) => {
    const read = webhookSchema.safeParse({ signature: section });
    expect(read.success).toBe(false);
    expect(JSON.stringify(read.error?.issues)).toContain(words);
  });
});
