import { type Attack, cameOf, judge, type Refusal } from '../attack.ts';
import type { Field } from '../field.ts';
import { request, sale } from '../request.ts';
import { dial, type Heard, hear, type Where } from '../wire.ts';

const SLOW = 'too slow';
const DRIP_MS = 1_000;
const LATE = { status: 408, closes: true } as const;

/** Opens with `first`, then sends `drop` every second until it is cut. */
async function drip(where: Where, first: string | Uint8Array, drop: string, limitMs: number): Promise<Heard> {
  const socket = dial(where);
  socket.write(first);
  const drops = setInterval(() => drop !== '' && socket.write(drop), DRIP_MS);
  try {
    return await hear(socket, { untilClosed: true, limitMs });
  } finally {
    clearInterval(drops);
    socket.destroy();
  }
}

function slow(
  name: string,
  limitMs: number,
  refusal: Refusal,
  first: (field: Field) => string | Uint8Array,
  drop: string,
  at?: 'tls',
): Attack {
  const expected = `${refusal.status ?? 'nothing'}, closed within ${limitMs / 1_000} s`;
  return {
    group: SLOW,
    name,
    expected,
    kind: 'slow',
    ...(at ? { at } : {}),
    run: async (field) => {
      const heard = await drip(field.tcp, first(field), drop, limitMs);
      field.keep(heard.text);
      return { ...judge(refusal, heard), came: cameOf(heard) };
    },
  };
}

const HALF_HELLO = Buffer.from('160301020001', 'hex');

/** Clients that come and do not go on: each is let go within the daemon's own time limits (10 s, 20 s, 30 s). */
export const SLOW_CLIENTS: readonly Attack[] = [
  slow('says nothing', 13_000, LATE, () => '', ''),
  slow('a request line, byte for byte', 13_000, LATE, () => 'GET /', 'x'),
  slow('headers, byte for byte', 13_000, LATE, () => 'GET /healthz HTTP/1.1\r\nx-slow: ', 'a'),
  slow('one small header after the other', 13_000, LATE, () => 'GET /healthz HTTP/1.1\r\n', 'a: b\r\n'),
  slow(
    'a body, byte for byte',
    23_000,
    LATE,
    (field) => sale(field, { headers: ['Content-Length: 1000'], body: '{' }),
    ' ',
  ),
  slow(
    'a body that stops: its length was too long',
    23_000,
    LATE,
    (field) => sale(field, { headers: ['Content-Length: 1000'] }),
    '',
  ),
  slow(
    'chunks, one a second',
    23_000,
    LATE,
    (field) => sale(field, { headers: ['Transfer-Encoding: chunked'], body: '1\r\n{\r\n' }),
    '1\r\n \r\n',
  ),
  slow(
    'a body without a key, byte for byte',
    23_000,
    { status: 401, closes: true },
    (field) => sale(field, { key: null, headers: ['Content-Length: 1000'], body: '{' }),
    ' ',
  ),
  slow(
    'an answer, and then nothing more',
    34_000,
    { status: 200, closes: true },
    (field) => request(field),
    '',
  ),
  slow('half a TLS handshake', 13_000, { status: null, closes: true }, () => HALF_HELLO, '', 'tls'),
  slow(
    'a TLS handshake, byte for byte',
    13_000,
    { status: null, closes: true },
    () => HALF_HELLO,
    '\0',
    'tls',
  ),
  slow('nothing to the TLS listener', 13_000, { status: null, closes: true }, () => '', '', 'tls'),
];
