import { connect, type TLSSocket } from 'node:tls';
import { type Attack, judge, type Message, type Refusal } from '../attack.ts';
import type { Field } from '../field.ts';
import { type Parts, request, sale } from '../request.ts';
import { hear, speak } from '../wire.ts';

const LAN = 'network of the shop';
const HOST = 'shop.local';

async function dial(field: Field): Promise<TLSSocket> {
  const { port, authority } = await field.lan();
  const socket = connect({ host: '127.0.0.1', port, ca: authority, servername: HOST });
  socket.on('error', () => undefined);
  return socket;
}

/** One request of a device of the network that trusts the shop. */
function inside(name: string, refusal: Refusal, message: (field: Field, port: number) => Message): Attack {
  return {
    group: LAN,
    name,
    expected: `${refusal.status} ${refusal.code ?? ''}`.trim(),
    run: async (field) => {
      const { port } = await field.lan();
      const socket = await dial(field);
      socket.write(message(field, port));
      const heard = await hear(socket);
      socket.destroy();
      field.keep(heard.text);
      return judge(refusal, heard);
    },
  };
}

/** The same without TLS. */
function outside(name: string, refusal: Refusal, message: (field: Field) => Message): Attack {
  return {
    group: LAN,
    name: `without TLS: ${name}`,
    expected: `${refusal.status ?? 'no answer'}`,
    run: async (field) => {
      const { port } = await field.lan();
      const heard = await speak({ host: '127.0.0.1', port }, message(field), { untilClosed: true });
      field.keep(heard.text);
      const verdict = judge(refusal, heard);
      return { ...verdict, pass: verdict.pass && !heard.text.includes('PRIVATE KEY') };
    },
  };
}

function stranger(target: string, parts: Partial<Parts> = {}) {
  return (field: Field, port: number) =>
    request(field, { target, key: null, host: `${HOST}:${port}`, ...parts });
}

const NO_KEY = { status: 401, code: 'authentication_failed' } as const;
const INTERNAL = { status: 403 } as const;
const MISDIRECTED = { status: 421, code: 'misdirected_request' } as const;
const FOREIGN = { status: 403, code: 'origin_not_allowed' } as const;
const NOTHING = { status: 404 } as const;
const NO_RECEIPT = { status: 404, body: /Ask the staff for the receipt/ } as const;
const SOME_ID = '0198c5a0-0000-7000-8000-000000000001';
const SPEAKS_TLS = { status: 426, body: /This port speaks TLS/, closes: true } as const;
/** Where the key of the authority would be, if a route read files. */
const KEY_PATHS = [
  '/credentials/shop-ca-shop.pem',
  '/shop-ca-shop.pem',
  '/trust/ca.key',
  '/trust/shop-ca-shop.pem',
  '/console/../credentials/shop-ca-shop.pem',
  '/console/%2e%2e/%2e%2e/state/credentials/shop-ca-shop.pem',
  '/console/..%2fcredentials%2fshop-ca-shop.pem',
  '/trust/ca.crt%00.key',
] as const;

/** What a device of the shop's network may try that is not paired and has no key. */
export const LAN_LISTENER: readonly Attack[] = [
  ...['/v2/terminal-devices', '/v2/terminal-payments', '/v2/events', '/v2/invoices'].map((target) =>
    inside(`${target} without a key`, NO_KEY, stranger(target)),
  ),
  ...['/healthz', '/metrics', '/v2/openapi.json'].map((target) =>
    inside(`${target}, open on loopback alone`, NO_KEY, stranger(target)),
  ),
  ...['/v2/status', '/v2/keys', '/v2/people', '/v2/audit', '/v2/paired-devices', '/v2/drain'].map((target) =>
    inside(`${target}, of the socket`, INTERNAL, stranger(target)),
  ),
  inside('a payment without a key', NO_KEY, (field, port) =>
    sale(field, { key: null, host: `${HOST}:${port}` }),
  ),
  inside(
    'a client that names itself this machine',
    NO_KEY,
    stranger('/healthz', {
      headers: ['X-Forwarded-For: 127.0.0.1', 'Forwarded: for=127.0.0.1', 'X-Real-IP: 127.0.0.1'],
    }),
  ),
  inside(
    'a user of this machine by its header',
    INTERNAL,
    stranger('/v2/people', { headers: ['X-Tilld-User: root'] }),
  ),
  inside(
    'a forged session',
    { status: 401 },
    stranger('/v2/terminal-devices', {
      headers: [`X-Tilld-Page: ${'A'.repeat(32)}`, `Cookie: tilld-8443=${'A'.repeat(32)}`],
    }),
  ),
  inside(
    'pairing with a code that is not known',
    { status: 401 },
    stranger('/v2/paired-devices', {
      method: 'POST',
      body: JSON.stringify({ code: '00000000', name: 'x' }),
      headers: ['Content-Type: application/json'],
    }),
  ),
  ...[
    '/receipts/',
    `/receipts/v1.${'A'.repeat(104)}`,
    `/receipts/${'A'.repeat(8_000)}`,
    '/receipts/../v2/terminal-payments',
    '/receipts/%2e%2e%2f..%2fcredentials%2fseal.key',
    '/receipts/%zz',
  ].map((target) => inside(`${target.slice(0, 50)}, which opens no receipt`, NO_RECEIPT, stranger(target))),
  inside(
    'a link to a receipt without a key',
    NO_KEY,
    stranger(`/v2/terminal-payments/${SOME_ID}/receipt-link`, { method: 'POST' }),
  ),
  inside('a hook of the service', NOTHING, stranger('/hooks/service', { method: 'POST', body: '{}' })),
  ...[
    'evil.example',
    'localhost',
    '127.0.0.1',
    'other.local',
    'evil.shop.local',
    'shop.local.evil.example',
    'shop.local.',
    'shop',
    '192.0.2.1',
  ].map((host) =>
    inside(`Host: ${host}`, MISDIRECTED, (field) => request(field, { host, key: null, target: '/' })),
  ),
  ...['http://shop.local', 'https://shop.local', 'https://evil.example', 'null', 'https://shop.local:1'].map(
    (origin) =>
      inside(`a page of ${origin}`, FOREIGN, (field, port) =>
        sale(field, { host: `${HOST}:${port}`, headers: [`Origin: ${origin}`] }),
      ),
  ),
  inside('our page of trust, which is plain HTTP', FOREIGN, (field, port) =>
    sale(field, { host: `${HOST}:${port}`, headers: [`Origin: http://${HOST}:${port}`] }),
  ),
  ...KEY_PATHS.map((target) => inside(`the key of the authority at ${target}`, NOTHING, stranger(target))),
  ...KEY_PATHS.map((target) =>
    outside(`the key of the authority at ${target}`, SPEAKS_TLS, (field) =>
      request(field, { target, key: null, host: HOST }),
    ),
  ),
  outside('a payment with a key', SPEAKS_TLS, (field) => sale(field, { host: HOST })),
  outside('the pages', SPEAKS_TLS, (field) => request(field, { target: '/console/app/main.js', host: HOST })),
  outside('a sign-in', SPEAKS_TLS, (field) =>
    request(field, { target: '/v2/sessions', method: 'POST', body: '{"code":"00000000"}', host: HOST }),
  ),
  outside('garbage', { status: 400, closes: true }, () => 'GARBAGE\r\n\r\n'),
  outside(
    'a head of 60,000 bytes',
    { status: 431, closes: true },
    () => `GET /trust HTTP/1.1\r\nHost: ${HOST}\r\nX: ${'a'.repeat(60_000)}\r\n\r\n`,
  ),
];
