import { type Attack, type Message, type Refusal, refused } from '../attack.ts';
import type { Field } from '../field.ts';
import { request, SALE, sale } from '../request.ts';

const SMUGGLE = 'request smuggling';
const PROTOCOL = 'other protocols';
const NOTHING: Refusal = { status: 404, code: 'unknown route' };
const GARBLED = { status: 400, code: 'invalid_request_error', closes: true } as const;
const CHUNKED_SALE = `${SALE.length.toString(16)}\r\n${SALE}\r\n0\r\n\r\n`;

/** A sale with these lines of length and encoding. */
function framed(
  name: string,
  headers: readonly string[],
  body = CHUNKED_SALE,
  refusal: Refusal = GARBLED,
  version = 'HTTP/1.1',
): Attack {
  return refused(SMUGGLE, name, refusal, (field) => sale(field, { headers, body, version }));
}

/** A sale whose head is written by hand, line by line. */
function written(
  name: string,
  lines: (field: Field) => readonly string[],
  refusal: Refusal = GARBLED,
): Attack {
  return refused(SMUGGLE, name, refusal, (field) => `${lines(field).join('\r\n')}\r\n\r\n`);
}

/** Requests that two readers would cut differently, and things that are no HTTP/1.1 at all. */
export const FRAMING: readonly Attack[] = [
  framed('Content-Length and chunked', [`Content-Length: ${SALE.length}`, 'Transfer-Encoding: chunked']),
  framed('chunked and Content-Length', ['Transfer-Encoding: chunked', 'Content-Length: 4']),
  framed('a blank before the colon', ['Transfer-Encoding : chunked']),
  framed('a tab before the word', ['Transfer-Encoding:\tchunked', 'Content-Length: 4']),
  framed('chunked that is not the last encoding', ['Transfer-Encoding: chunked, identity']),
  framed('identity', ['Transfer-Encoding: identity']),
  framed('an encoding of its own', ['Transfer-Encoding: xchunked']),
  framed('chunked twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity']),
  framed('a header name with a letter too many', ['Transfer_Encoding: chunked', 'Transfer-Encoding: cow']),
  framed('two lengths', ['Content-Length: 4', `Content-Length: ${SALE.length}`], SALE),
  framed('two lengths in one line', [`Content-Length: ${SALE.length}, 4`], SALE),
  framed('a length with a sign', [`Content-Length: +${SALE.length}`], SALE),
  framed('a negative length', ['Content-Length: -1'], SALE),
  framed('a length in hex', ['Content-Length: 0x10'], SALE),
  framed('a length beyond 64 bits', ['Content-Length: 18446744073709551617'], SALE),
  framed('an empty length', ['Content-Length: '], SALE),
  framed('a length with a blank inside', ['Content-Length: 1 0'], SALE),
  framed(
    'a chunk size beyond 64 bits',
    ['Transfer-Encoding: chunked'],
    `10000000000000001\r\n${SALE}\r\n0\r\n\r\n`,
  ),
  framed('a chunk size with a sign', ['Transfer-Encoding: chunked'], `-1\r\n${SALE}\r\n0\r\n\r\n`),
  framed('a chunk that is longer than it says', ['Transfer-Encoding: chunked'], `1\r\n${SALE}\r\n0\r\n\r\n`),
  framed('a chunk size that ends in a bare line feed', ['Transfer-Encoding: chunked'], `2\n{}\r\n0\r\n\r\n`),
  framed(
    'a chunk extension without end',
    ['Transfer-Encoding: chunked'],
    `1;${'x'.repeat(200_000)}\r\n{\r\n0\r\n\r\n`,
    { status: 400, closes: true },
  ),
  framed('chunks in HTTP/1.0', ['Transfer-Encoding: chunked'], CHUNKED_SALE, GARBLED, 'HTTP/1.0'),
  framed('HTTP/2.0 in words', [], SALE, GARBLED, 'HTTP/2.0'),
  framed(
    'trailers that would give a key',
    ['Transfer-Encoding: chunked', 'Trailer: x-api-key'],
    `2\r\n{}\r\n0\r\nHost: evil.example\r\n\r\n`,
    { status: 400, code: 'missing_required_field' },
  ),

  written('bare line feeds', (field) => [
    `POST /v2/terminal-payments HTTP/1.1\nHost: ${field.authority}\nx-api-key: ${field.keys.full}\nContent-Length: 0`,
  ]),
  written('a header that goes on in the next line', (field) => [
    'GET /v2/terminal-devices HTTP/1.1',
    `Host: ${field.authority}`,
    `x-api-key: ${field.keys.full.slice(0, 20)}`,
    ` ${field.keys.full.slice(20)}`,
  ]),
  written('a blank before the first header', (field) => ['GET / HTTP/1.1', ` Host: ${field.authority}`]),
  written('a NUL in a header', (field) => ['GET / HTTP/1.1', `Host: ${field.authority}`, 'x-a: b\0c']),
  written('a NUL in a header name', (field) => ['GET / HTTP/1.1', `Host: ${field.authority}`, 'x\0a: b']),
  written('a header without a colon', (field) => ['GET / HTTP/1.1', `Host: ${field.authority}`, 'nonsense']),
  written('a header without a name', (field) => ['GET / HTTP/1.1', `Host: ${field.authority}`, ': evil']),
  written('a lone carriage return', (field) => [
    'GET / HTTP/1.1',
    `Host: ${field.authority}`,
    'x-a: b\rx-b: c',
  ]),
  written('CR LF in the path', (field) => [
    'GET /v2/terminal-devices\r\nx-api-key: a HTTP/1.1',
    `Host: ${field.authority}`,
  ]),
  written('a blank in the path', (field) => [
    'GET /v2/ terminal-devices HTTP/1.1',
    `Host: ${field.authority}`,
  ]),
  written('a version that is none', (field) => ['GET / HTTP/9.9', `Host: ${field.authority}`]),
  written('a method that is none', (field) => ['CHARGE / HTTP/1.1', `Host: ${field.authority}`]),
  written('a method in small letters', (field) => ['get / HTTP/1.1', `Host: ${field.authority}`]),

  refused(SMUGGLE, 'a second request in the body of the first', { status: 404, answers: 1 }, (field) =>
    request(field, {
      method: 'POST',
      target: '/v2/nothing',
      body: sale(field),
      headers: ['Content-Type: application/json'],
    }),
  ),
  refused(SMUGGLE, 'a second request in the body of a GET', { status: 401, answers: 1 }, (field) =>
    request(field, { key: null, body: sale(field) }),
  ),
  ...['GET', 'HEAD'].map((method) =>
    refused(
      SMUGGLE,
      `garbage behind a ${method} that waits for its answer: not taken for it`,
      { status: null, closes: true },
      (field) => `${request(field, { method })}GARBAGE\r\n\r\n`,
    ),
  ),

  ...protocols(),
];

function protocols(): readonly Attack[] {
  const clientHello = Buffer.from(
    `16030100710100006d0303${'00'.repeat(32)}000006c02bc02fc00a0100003e${'00'.repeat(62)}`,
    'hex',
  );
  const rows: readonly (readonly [string, Message])[] = [
    ['HTTP/0.9', 'GET /healthz\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
    ['a TLS ClientHello', clientHello],
    ['the PROXY line of a balancer', 'PROXY TCP4 10.0.0.1 10.0.0.2 5 6\r\nGET /healthz HTTP/1.1\r\n\r\n'],
    ['PROXY, version 2', Buffer.from('0d0a0d0a000d0a515549540a2111000c0a0000010a00000200050006', 'hex')],
    ['SSH', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['Redis', '*1\r\n$4\r\nINFO\r\n'],
    ['a ZVT packet', Buffer.from('060112040000001000490978', 'hex')],
    ['noise', Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 167 + 13) % 256))],
  ];
  return [
    ...rows.map(([name, bytes]) => refused(PROTOCOL, name, GARBLED, () => bytes)),
    refused(PROTOCOL, 'CONNECT to another host', { status: null, closes: true }, (field) =>
      request(field, { method: 'CONNECT', target: '192.0.2.1:443' }),
    ),
    refused(PROTOCOL, 'OPTIONS *', { status: 404 }, (field) =>
      request(field, { method: 'OPTIONS', target: '*' }),
    ),
    refused(PROTOCOL, 'TRACE', { status: 404 }, (field) => request(field, { method: 'TRACE' })),
    refused(PROTOCOL, 'an upgrade to h2c', { status: 401 }, (field) =>
      request(field, {
        key: null,
        headers: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
      }),
    ),
    refused(
      PROTOCOL,
      'Expect: 100-continue without a key is told no before the body',
      { status: 401, closes: true },
      (field) =>
        sale(field, { key: null, headers: ['Expect: 100-continue', 'Content-Length: 200'], body: '' }),
    ),
    refused(PROTOCOL, 'an expectation that is none', { status: 417 }, (field) =>
      sale(field, { headers: ['Expect: the unexpected'] }),
    ),
    ...[
      'X-HTTP-Method-Override: POST',
      'X-HTTP-Method: POST',
      'X-Original-URL: /v2/keys',
      'X-Rewrite-URL: /v2/keys',
    ].map((header) =>
      refused(PROTOCOL, `${header} changes nothing`, NOTHING, (field) =>
        request(field, { target: '/v2/nothing', headers: [header] }),
      ),
    ),
  ];
}
