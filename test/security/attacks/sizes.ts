import { type Attack, refused } from '../attack.ts';
import { DEVICES, request, SALE, sale } from '../request.ts';

const SIZE = 'too large';
const MIB = 1024 * 1024;
const TOO_LARGE = { status: 413, code: 'payload_too_large' } as const;
const HEADERS = { status: 431, code: 'invalid_request_error', closes: true } as const;

/** Bodies, headers and addresses that are larger than anything honest, and lengths that lie. */
export const SIZES: readonly Attack[] = [
  refused(SIZE, 'a length of 1 GB, and nothing', { ...TOO_LARGE, closes: true }, (field) =>
    sale(field, { headers: ['Content-Length: 1000000000'], body: '' }),
  ),
  refused(SIZE, 'a length of 1 GB without a key, and nothing', { status: 401, closes: true }, (field) =>
    sale(field, { key: null, headers: ['Content-Length: 1000000000'], body: '' }),
  ),
  refused(SIZE, 'a length of 9,007,199,254,740,993', { ...TOO_LARGE, closes: true }, (field) =>
    sale(field, { headers: ['Content-Length: 9007199254740993'], body: '' }),
  ),
  refused(SIZE, 'a body of 64 KiB and one byte', TOO_LARGE, (field) =>
    sale(field, { body: ' '.repeat(65_537) }),
  ),
  refused(SIZE, 'a body of 1 MiB', TOO_LARGE, (field) => sale(field, { body: 'x'.repeat(MIB) })),
  refused(SIZE, 'a chunked body of 1 MiB', TOO_LARGE, (field) =>
    sale(field, {
      headers: ['Transfer-Encoding: chunked'],
      body: `${MIB.toString(16)}\r\n${'x'.repeat(MIB)}\r\n0\r\n\r\n`,
    }),
  ),
  refused(SIZE, 'a body in chunks of one byte', { status: 400 }, (field) =>
    sale(field, { headers: ['Transfer-Encoding: chunked'], body: `${'1\r\n[\r\n'.repeat(10_000)}0\r\n\r\n` }),
  ),
  refused(SIZE, 'a compressed body', { status: 415 }, (field) =>
    sale(field, { headers: ['Content-Encoding: gzip'] }),
  ),
  refused(SIZE, 'a header of 17 KiB', HEADERS, (field) =>
    sale(field, { headers: [`x-a: ${'b'.repeat(17_000)}`] }),
  ),
  refused(SIZE, 'a header name of 17 KiB', HEADERS, (field) =>
    sale(field, { headers: [`${'b'.repeat(17_000)}: a`] }),
  ),
  refused(SIZE, 'headers of 1 MiB', HEADERS, (field) =>
    sale(field, { headers: Array.from({ length: 1_000 }, (_, index) => `x-${index}: ${'b'.repeat(1_000)}`) }),
  ),
  refused(SIZE, '3,000 small headers', { status: 431 }, (field) =>
    sale(field, { headers: Array.from({ length: 3_000 }, () => 'a:') }),
  ),
  refused(SIZE, 'the key behind 150 headers', { status: 431 }, (field) =>
    sale(field, {
      key: null,
      headers: [...Array.from({ length: 150 }, () => 'a: b'), `x-api-key: ${field.keys.full}`],
    }),
  ),
  refused(SIZE, 'an address of 17 KiB', HEADERS, (field) =>
    request(field, { target: `/${'a'.repeat(17_000)}` }),
  ),
  refused(SIZE, 'a query of 12 KiB', { status: 400, code: 'validation_error' }, (field) =>
    request(field, { target: `${DEVICES}?limit=${'9'.repeat(12_000)}` }),
  ),
  refused(SIZE, 'a query of 3,000 parameters', { status: 400, code: 'validation_error' }, (field) =>
    request(field, { target: `${DEVICES}?${'a=b&'.repeat(3_000)}` }),
  ),
  refused(SIZE, 'a method of 17 KiB', { status: 400, closes: true }, (field) =>
    request(field, { method: 'A'.repeat(17_000) }),
  ),
  refused(
    SIZE,
    'a length that is too short: the rest is no request',
    { status: null, closes: true },
    (field) => sale(field, { headers: ['Content-Length: 10'], body: SALE }),
  ),
];
