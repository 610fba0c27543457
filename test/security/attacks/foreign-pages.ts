import { type Attack, refused } from '../attack.ts';
import type { Field } from '../field.ts';
import { DEVICES, request, STREAM, sale } from '../request.ts';

const HOST = 'DNS rebinding';
const ORIGIN = 'pages of others';
const MISDIRECTED = { status: 421, code: 'misdirected_request' } as const;
const FOREIGN = { status: 403, code: 'origin_not_allowed' } as const;
const OPEN_PATHS = ['/healthz', '/metrics', '/v2/openapi.json'] as const;

/** What a web page in the shop's browser can do: lie about the name (Host), and send requests of its own (Origin). */
export const FOREIGN_PAGES: readonly Attack[] = [
  ...[
    ['a rebound name', 'evil.example'],
    ['a rebound name with our port', (field: Field) => `evil.example:${field.tcp.port}`],
    ['a name that only begins like ours', '127.0.0.1.evil.example'],
    ['localhost with a dot at its end', 'localhost.'],
    ['a user before the name', 'evil@127.0.0.1'],
    ['a user and a password before the name', (field: Field) => `a:b@${field.authority}`],
    ['127.0.0.1 as a number', '2130706433'],
    ['127.0.0.1 in short', '127.1'],
    ['127.0.0.1 in hex', '0x7f.0.0.1'],
    ['0.0.0.0', '0.0.0.0'],
    ['IPv4 inside IPv6', '[::ffff:127.0.0.1]'],
    ['::1 in long', '[0:0:0:0:0:0:0:1]'],
    ['::1 with a zone', '[::1%25lo]'],
    ['::1 without brackets', '::1'],
    ['an empty Host', ''],
    ['a list of names', '127.0.0.1, evil.example'],
    ['a port that is none', '127.0.0.1:x'],
    ['a name in other letters', 'lo\u00e7alhost'],
  ].map(([name, host]) =>
    refused(HOST, `Host: ${name}`, MISDIRECTED, (field) =>
      sale(field, { host: typeof host === 'function' ? host(field) : (host ?? '') }),
    ),
  ),
  refused(HOST, 'a rebound name and its own Origin', MISDIRECTED, (field) =>
    sale(field, { host: 'evil.example', headers: ['Origin: http://evil.example'] }),
  ),
  ...OPEN_PATHS.map((target) =>
    refused(HOST, `a rebound name at ${target}`, MISDIRECTED, (field) =>
      request(field, { target, host: 'evil.example', key: null }),
    ),
  ),
  refused(HOST, 'HTTP/1.0 without a Host', MISDIRECTED, (field) =>
    request(field, { host: null, version: 'HTTP/1.0' }),
  ),
  refused(HOST, 'HTTP/1.1 without a Host', { status: 400 }, (field) => sale(field, { host: null })),
  refused(HOST, 'two Hosts, the good one first', { status: 400 }, (field) =>
    sale(field, { headers: ['Host: evil.example'] }),
  ),
  refused(HOST, 'two Hosts, the good one last', { status: 400 }, (field) =>
    sale(field, { host: 'evil.example', headers: [`Host: ${field.authority}`] }),
  ),
  refused(HOST, 'a target that names another host', { status: 404 }, (field) =>
    sale(field, { target: 'http://evil.example/v2/terminal-payments' }),
  ),
  refused(HOST, 'a target that names us, from a rebound name', MISDIRECTED, (field) =>
    sale(field, { target: `http://${field.authority}/v2/terminal-payments`, host: 'evil.example' }),
  ),

  ...[
    ['https://evil.example', 'a foreign page'],
    ['null', 'a sandboxed frame or a file'],
    ['http://127.0.0.1:1', 'a page of another port on this machine'],
    ['http://localhost', 'localhost without our port'],
    ['', 'an empty Origin'],
    ['https://127.0.0.1', 'the other scheme'],
    ['http://127.0.0.1.evil.example', 'an origin that only begins like ours'],
  ].map(([origin, name]) =>
    refused(ORIGIN, `Origin: ${name}`, FOREIGN, (field) => sale(field, { headers: [`Origin: ${origin}`] })),
  ),
  refused(ORIGIN, 'two Origins, ours first', { status: 400 }, (field) =>
    sale(field, { headers: [`Origin: http://${field.authority}`, 'Origin: https://evil.example'] }),
  ),
  ...OPEN_PATHS.map((target) =>
    refused(ORIGIN, `a foreign page reads ${target}`, FOREIGN, (field) =>
      request(field, { target, key: null, headers: ['Origin: https://evil.example'] }),
    ),
  ),
  refused(ORIGIN, 'a preflight, asking for the private network too', FOREIGN, (field) =>
    request(field, {
      method: 'OPTIONS',
      target: '/v2/terminal-payments',
      key: null,
      headers: [
        'Origin: https://evil.example',
        'Access-Control-Request-Method: POST',
        'Access-Control-Request-Headers: x-api-key',
        'Access-Control-Request-Private-Network: true',
      ],
    }),
  ),
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'].map((type) =>
    refused(ORIGIN, `a form without preflight, ${type}`, FOREIGN, (field) =>
      sale(field, { key: null, headers: ['Origin: https://evil.example', `Content-Type: ${type}`] }),
    ),
  ),
  refused(ORIGIN, 'a form of a client that names no Origin', { status: 415 }, (field) =>
    sale(field, { headers: ['Content-Type: text/plain'] }),
  ),
  refused(ORIGIN, 'a WebSocket', FOREIGN, (field) =>
    request(field, {
      target: STREAM,
      headers: [
        'Origin: https://evil.example',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ],
    }),
  ),
  ...['cross-site', 'same-site'].flatMap((site) =>
    [...OPEN_PATHS, DEVICES].map((target) =>
      refused(ORIGIN, `an image tag at ${target}, Sec-Fetch-Site: ${site}, no Origin`, FOREIGN, (field) =>
        request(field, { target, headers: [`Sec-Fetch-Site: ${site}`, 'Sec-Fetch-Mode: no-cors'] }),
      ),
    ),
  ),
];
