import type { Attack } from '../attack.ts';
import { cameOf } from '../attack.ts';
import type { Field } from '../field.ts';
import { request, sale } from '../request.ts';
import { dial, hear, roomIn } from '../wire.ts';

const ENDLESS = 'without end';
const MIB = 1024 * 1024;
/** More than the 4 MiB that are read for the sake of the answer, and what the system holds on its way. */
const MOST_TAKEN_MIB = 32;

/** Sends `first`, then `more` again and again until it is cut, at most 512 MiB; gives what was taken. */
async function feed(field: Field, first: string, more: string) {
  const socket = dial(field.tcp);
  const heard = hear(socket, { untilClosed: true, limitMs: 30_000 });
  socket.write(first);
  const portion = Buffer.from(more);
  for (let sent = 0; sent < 512 * MIB && socket.writable && !socket.destroyed; sent += portion.length) {
    if (socket.write(portion)) await new Promise((resolve) => setImmediate(resolve));
    else await roomIn(socket, 1_000);
  }
  const result = await heard;
  const takenMiB = Math.round((socket.bytesWritten - socket.writableLength) / MIB);
  socket.destroy();
  field.keep(result.text);
  return { heard: result, takenMiB };
}

function endless(
  name: string,
  status: number,
  first: (field: Field) => string,
  more: string,
  most = MOST_TAKEN_MIB,
): Attack {
  return {
    group: ENDLESS,
    name,
    expected: `${status} or cut, at most ${most} MiB taken`,
    run: async (field) => {
      const { heard, takenMiB } = await feed(field, first(field), more);
      const answer = heard.answers[0]?.status;
      const pass = (answer === undefined || answer === status) && heard.end !== 'open' && takenMiB <= most;
      return { came: `${cameOf(heard)}, ${takenMiB} MiB taken`, pass };
    },
  };
}

const CHUNK = `10000\r\n${'x'.repeat(65_536)}\r\n`;

/** Senders who never stop. */
export const ENDLESS_SENDERS: readonly Attack[] = [
  endless(
    'chunks',
    413,
    (field) => sale(field, { headers: ['Transfer-Encoding: chunked'], body: CHUNK }),
    CHUNK,
  ),
  endless(
    'chunks without a key',
    401,
    (field) => sale(field, { key: null, headers: ['Transfer-Encoding: chunked'], body: CHUNK }),
    CHUNK,
  ),
  endless(
    'a body of 1 GB',
    413,
    (field) => sale(field, { headers: ['Content-Length: 1000000000'], body: 'x' }),
    'x'.repeat(65_536),
  ),
  endless(
    'a body of 1 GB without a key',
    401,
    (field) => sale(field, { key: null, headers: ['Content-Length: 1000000000'], body: 'x' }),
    'x'.repeat(65_536),
  ),
  endless(
    'a body for a GET',
    401,
    (field) => request(field, { key: null, headers: ['Content-Length: 1000000000'] }),
    'x'.repeat(65_536),
  ),
  endless(
    'a body for a route that takes none, with a key',
    413,
    (field) => request(field, { method: 'GET', headers: ['Content-Length: 1000000000'] }),
    'x'.repeat(65_536),
  ),
  endless(
    'chunks for a GET, with a key',
    200,
    (field) => request(field, { method: 'GET', headers: ['Transfer-Encoding: chunked'] }),
    CHUNK,
  ),
  endless(
    'chunk extensions',
    400,
    (field) => sale(field, { headers: ['Transfer-Encoding: chunked'], body: '1;' }),
    'x'.repeat(65_536),
  ),
  endless(
    'trailers',
    431,
    (field) => sale(field, { headers: ['Transfer-Encoding: chunked'], body: '0\r\n' }),
    'a: b\r\n'.repeat(8_000),
  ),
  endless('headers', 431, () => 'GET / HTTP/1.1\r\n', 'a: b\r\n'.repeat(8_000)),
  endless('one header', 431, () => 'GET / HTTP/1.1\r\na: ', 'x'.repeat(65_536)),
  endless('an address', 431, () => 'GET /', 'x'.repeat(65_536)),
  endless('a method', 400, () => 'X', 'X'.repeat(65_536)),
  // Lines before a request are let pass by the parser, for the ten seconds that a head may take.
  { ...endless('empty lines', 408, () => '', '\r\n'.repeat(32_000), 512), kind: 'heavy' },
];
