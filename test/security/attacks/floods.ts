import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Verdict } from '../attack.ts';
import { Crowd } from '../crowd.ts';
import type { Field } from '../field.ts';
import { DEVICES, request, STREAM, sale } from '../request.ts';
import { dial, hear, roomIn } from '../wire.ts';

const FLOOD = 'floods';
/** What the daemon may hold on one listener. */
const CAP = 256;
/** The smallest crowd that is more than fits. */
const LEAST = 300;
/** In so long a key may ask thirty times more. */
const RATE_BACK_MS = 3_000;
const LEAVES_ROOM = `at most ${CAP} kept, the till sells meanwhile`;
const SELLS_ON = 'refused or answered, the till sells meanwhile';

/** A crowd of connections that say something and stay; the till sells while they are there. */
function crowd(
  name: string,
  words: (field: Field) => string,
  { share = 0.1, kind = 'heavy' }: { share?: number; kind?: 'heavy' | 'crowd' } = {},
): Attack {
  return {
    group: FLOOD,
    name,
    expected: LEAVES_ROOM,
    kind,
    run: async (field) => {
      const count = Math.max(LEAST, Math.floor(field.crowd * share));
      const people = await Crowd.gather(field, count, words(field));
      const kept = await people.kept(CAP);
      const selling = await sellsMeanwhile(field);
      await people.leave();
      return verdict(`${kept} of ${count} kept`, kept <= CAP, selling);
    },
  };
}

/** Connections that send the same bytes again as fast as they are taken, for a while; answers are thrown away. */
function torrent(name: string, bytes: (field: Field) => string, connections = 20): Attack {
  return {
    group: FLOOD,
    name,
    expected: SELLS_ON,
    kind: 'heavy',
    run: async (field) => {
      const message = bytes(field);
      const over = { yet: false };
      const streams = Array.from({ length: connections }, () => pour(field, message, over));
      const selling = await sellsMeanwhile(field);
      await new Promise((resolve) => setTimeout(resolve, field.torrentMs));
      const again = await sellsMeanwhile(field);
      over.yet = true;
      const sent = (await Promise.all(streams)).reduce((sum, count) => sum + count, 0);
      return verdict(`${sent} requests sent`, true, selling === 'yes' ? again : selling);
    },
  };
}

/** Pours `message` into connection after connection until it is over; gives how often. */
async function pour(field: Field, message: string, over: { yet: boolean }): Promise<number> {
  const portion = message.repeat(8);
  let sent = 0;
  while (!over.yet && sent < 400_000) {
    const socket = dial(field.tcp);
    socket.on('data', () => undefined);
    while (!over.yet && !socket.destroyed && sent < 400_000) {
      sent += 8;
      if (!socket.write(portion)) await roomIn(socket, 250);
      else await new Promise((resolve) => setImmediate(resolve));
    }
    socket.destroy();
  }
  return sent;
}

/** Everything a page, a till gone mad or a thief with a key can open at once. */
export const FLOODS: readonly Attack[] = [
  crowd('connections that say nothing', () => '', { share: 1 }),
  crowd('half a request line', () => 'GET /v2/terminal-dev'),
  crowd('half the headers', () => 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nx-slow: ', {
    share: 1,
  }),
  crowd('kept alive without a key', (field) => request(field, { target: '/healthz', key: null }), {
    kind: 'crowd',
  }),
  crowd('kept alive, refused', (field) => sale(field, { key: null })),
  crowd('bodies that do not come, without a key', (field) =>
    sale(field, { key: null, headers: ['Content-Length: 1000'], body: '{' }),
  ),
  crowd('one key: kept alive', (field) => request(field, { key: field.keys.flood })),
  crowd(
    'one key: bodies that do not come',
    (field) => sale(field, { key: field.keys.flood, headers: ['Content-Length: 1000'], body: '{' }),
    { kind: 'crowd' },
  ),
  crowd('one key: answers that nobody reads', (field) =>
    request(field, { key: field.keys.flood }).repeat(20),
  ),
  crowd('event streams that nobody reads', (field) =>
    request(field, { target: STREAM, key: field.keys.flood }),
  ),

  torrent('one key: as many requests as go through', (field) => request(field, { key: field.keys.flood })),
  torrent('one key: as many sales as go through, refused', (field) =>
    sale(field, { key: field.keys.flood, body: '{"amount_minor":0}' }),
  ),
  torrent('strangers: as many requests as go through', (field) =>
    request(field, { target: DEVICES, key: null }),
  ),
  torrent('strangers: the largest open answer', (field) =>
    request(field, { target: '/v2/openapi.json', key: null }),
  ),
  torrent('strangers: garbage', () => 'GARBAGE\r\n\r\n'),

  {
    group: FLOOD,
    name: 'event streams of one key: a quarter of the places, and no more',
    expected: '56 streams, then 503 or 429; another key gets one',
    kind: 'crowd',
    run: async (field) => {
      const first = await openStreams(field, field.keys.flood, 45);
      await sleep(RATE_BACK_MS);
      const more = await openStreams(field, field.keys.flood, 25);
      const streams = [...first.streams, ...more.streams];
      const others = [...first.others, ...more.others];
      const another = await openStreams(field, field.keys.other, 1);
      const selling = await sellsMeanwhile(field);
      for (const socket of [...streams, ...another.streams]) socket.destroy();
      const kept = `${streams.length} streams, others ${[...new Set(others)].join(' ')}, another key ${another.streams.length}`;
      const refused = others.every((status) => status === 503 || status === 429);
      return verdict(kept, streams.length === 56 && refused && another.streams.length === 1, selling);
    },
  },
  {
    group: FLOOD,
    name: 'event streams of every key: the unix socket has its own',
    expected: '224 streams in all, and one for the unix socket',
    kind: 'crowd',
    run: async (field) => {
      const { flood, other, listener, full, expired: _expired, ...rest } = field.keys;
      const opened = [];
      for (const key of [flood, other, listener, full, rest.till]) {
        opened.push(...(await openStreams(field, key, 45)).streams);
      }
      const inside = dial(field.socket);
      inside.write(request(field, { target: STREAM, key: null }));
      const { answers } = await hear(inside);
      for (const socket of [...opened, inside]) socket.destroy();
      const pass = opened.length === 224 && answers[0]?.status === 200;
      return verdict(`${opened.length} streams, unix socket ${answers[0]?.status}`, pass, 'yes');
    },
  },
];

async function openStreams(field: Field, key: string, count: number) {
  const streams = [];
  const others: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = dial(field.tcp);
    socket.write(request(field, { target: STREAM, key }));
    const { answers } = await hear(socket);
    if (answers[0]?.status === 200) streams.push(socket);
    else {
      others.push(answers[0]?.status ?? 0);
      socket.destroy();
    }
  }
  return { streams, others };
}

async function sellsMeanwhile(field: Field): Promise<string> {
  const inside = await field.till.sellOverSocket();
  if (!inside.ok) return `unix socket: ${inside.words}`;
  const outside = await field.till.sell();
  return outside.ok ? 'yes' : `TCP: ${outside.words}`;
}

function verdict(came: string, pass: boolean, selling: string): Verdict {
  return { came: `${came}, sold meanwhile: ${selling}`, pass: pass && selling === 'yes' };
}
