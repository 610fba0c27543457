import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { answer, type Seen, startPeer } from '../../unit/net/peer.ts';

/** A record at a source, before the source writes it in its own shape. */
export interface SourceRow {
  readonly id: number;
  readonly changedMs: number;
}

/** What a source says of one page beside its records. */
export interface PageFacts {
  readonly hasMore: boolean;
  readonly total: number;
  /** The address of the next page, whole; null: there is none. */
  readonly nextAddress: string | null;
  readonly lastId: string | null;
}

/** How a source pages, filters and writes. */
export interface Dialect {
  readonly path: string;
  readonly style: 'offset' | 'page' | 'cursor' | 'link' | 'whole';
  readonly size: number;
  /** Names of its parameters for the place and the size. */
  readonly place: string;
  readonly sizeName: string;
  row(row: SourceRow): unknown;
  /** The body and headers of a page. */
  page(
    items: readonly unknown[],
    facts: PageFacts,
  ): { readonly body: unknown; readonly headers?: Record<string, string>; readonly status?: number };
  /** What a request asks for, by the names of parameters; absent: its query does. A body comes by POST. */
  asked?(body: string, query: URLSearchParams, headers: Seen['headers']): Readonly<Record<string, unknown>>;
  /** What it filters by, ms; null: it gives everything. */
  since(query: URLSearchParams): number | null;
}

/** A fault strikes instead of one answer. */
export type Fault = (response: ServerResponse, seen: Seen) => void;

/** What a source does wrong all the time. */
export interface Habits {
  /** Every page but the first begins with the last record of the page before. */
  readonly repeats?: boolean;
  /** A new record appears in front of all others before three pages out of four. */
  readonly shifts?: boolean;
  /** It says that there is more behind a last page that is exactly full. */
  readonly boasts?: boolean;
  /** It says that there is more, behind every page, and sends empty ones for ever. */
  readonly promises?: boolean;
  /** It gives at most so many, whatever is asked for. */
  readonly caps?: number;
  /** It sends its first page whatever is asked for, and says that there is more. */
  readonly standsStill?: boolean;
  /** In place of the record at this index comes something else. */
  readonly odd?: { readonly at: number; readonly value: unknown };
}

export const DAY_MS = 86_400_000;
/** When the first row of a source changed. */
export const FIRST_CHANGE_MS = Date.parse('2026-03-01T10:00:00Z');

/** Rows that changed a second apart. */
export function rowsOf(count: number, apartMs = 1_000): readonly SourceRow[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    changedMs: FIRST_CHANGE_MS + index * apartMs,
  }));
}

export interface HostileSource {
  readonly url: string;
  readonly seen: readonly Seen[];
  rows: readonly SourceRow[];
  habits: Habits;
  /** Strikes at the next request, once each. */
  readonly faults: Fault[];
  close(): Promise<void>;
}

/** A source over real HTTP. */
export async function startHostileSource(
  dialect: Dialect,
  rows: readonly SourceRow[],
): Promise<HostileSource> {
  const state: { rows: readonly SourceRow[]; habits: Habits; faults: Fault[] } = {
    rows,
    habits: {},
    faults: [],
  };
  let served = 0;
  const peer = await startPeer((response, seen) => {
    const fault = state.faults.shift();
    if (fault) return fault(response, seen);
    const url = new URL(seen.url, `http://${seen.headers.host}`);
    if (url.pathname !== dialect.path) return answer(response, 200, '{}');
    if (dialect.asked) {
      const asked = dialect.asked(seen.body, url.searchParams, seen.headers);
      for (const [name, value] of Object.entries(asked))
        if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    if (state.habits.shifts && served % 4 > 0) {
      state.rows = [{ id: 100_000 + served, changedMs: FIRST_CHANGE_MS + DAY_MS }, ...state.rows];
    }
    served += 1;
    const { body, headers, status = 200 } = pageAt(dialect, url, state.rows, state.habits);
    answer(response, status, JSON.stringify(body), headers ?? {});
  });
  return Object.assign(state, { url: peer.url, seen: peer.seen, close: peer.close });
}

function pageAt(dialect: Dialect, url: URL, all: readonly SourceRow[], habits: Habits) {
  const since = dialect.since(url.searchParams);
  const rows = since === null ? all : all.filter(({ changedMs }) => changedMs >= since);
  const wanted = Number(url.searchParams.get(dialect.sizeName) ?? dialect.size);
  const size = dialect.style === 'whole' ? rows.length : Math.min(wanted, habits.caps ?? wanted);
  const start = habits.standsStill ? 0 : startOf(dialect, url.searchParams.get(dialect.place), rows, size);
  const from = habits.repeats && start > 0 && start < rows.length ? start - 1 : start;
  const page = rows.slice(from, start + size);
  const end = start + size;
  const items = page.map((row, index) =>
    habits.odd?.at === from + index ? habits.odd.value : dialect.row(row),
  );
  const more =
    end < rows.length ||
    habits.promises === true ||
    habits.standsStill === true ||
    (habits.boasts === true && page.length === size);
  const lastId = page.at(-1)?.id;
  const next = new URL(url);
  next.searchParams.set(dialect.place, String(Number(url.searchParams.get(dialect.place) ?? 1) + 1));
  return dialect.page(items, {
    hasMore: more,
    total: rows.length,
    nextAddress: more ? (habits.standsStill ? url.href : next.href) : null,
    lastId: lastId === undefined ? null : String(lastId),
  });
}

function startOf(dialect: Dialect, place: string | null, rows: readonly SourceRow[], size: number): number {
  if (dialect.style === 'whole') return 0;
  if (dialect.style === 'offset') return Number(place ?? 0);
  if (dialect.style === 'cursor')
    return place === null ? 0 : rows.findIndex(({ id }) => String(id) === place) + 1;
  return (Number(place ?? 1) - 1) * size;
}

const BOMB = gzipSync(Buffer.alloc(32 * 1024 * 1024, 0x20));

/** What can come instead of an answer, and what it must become. */
export const FAULTS: readonly [what: string, code: string, fault: Fault][] = [
  ['401', 'SOURCE_UNAUTHORISED', (response) => answer(response, 401, '{"message":"unknown key"}')],
  ['403', 'SOURCE_FORBIDDEN', (response) => answer(response, 403, '{}')],
  ['404', 'SOURCE_REFUSED', (response) => answer(response, 404, '{"error":"no such thing"}')],
  ['422', 'SOURCE_REFUSED', (response) => answer(response, 422, '{"errors":[{"message":"no"}]}')],
  ['429', 'SOURCE_RATE_LIMITED', (response) => answer(response, 429, '{}', { 'retry-after': '9' })],
  ['500', 'SOURCE_UNAVAILABLE', (response) => answer(response, 500, 'Internal Server Error')],
  ['503 with a page', 'SOURCE_UNAVAILABLE', (response) => answer(response, 503, '<html>maintenance</html>')],
  ['a connection that breaks', 'SOURCE_UNAVAILABLE', (response) => response.destroy()],
  [
    'a page that is cut in the middle',
    'SOURCE_UNAVAILABLE',
    (response) => {
      response.writeHead(200, { 'content-length': '5000' });
      response.write('[{"id":1,');
      setImmediate(() => response.destroy());
    },
  ],
  [
    'JSON that is cut in the middle',
    'SOURCE_MALFORMED',
    (response) => answer(response, 200, '[{"id":1},{"id"'),
  ],
  ['a login page', 'SOURCE_MALFORMED', (response) => answer(response, 200, '<html>sign in</html>')],
  ['an empty answer', 'SOURCE_MALFORMED', (response) => answer(response, 200, '')],
  ['a number in place of a list', 'SOURCE_MALFORMED', (response) => answer(response, 200, '42')],
  ['another shape', 'SOURCE_MALFORMED', (response) => answer(response, 200, '{"result":{"rows":[]}}')],
  [
    'many records that are all of another shape',
    'SOURCE_MALFORMED',
    (response) => {
      const rows = Array.from({ length: 50 }, (_, index) => ({ number: index }));
      answer(response, 200, JSON.stringify(rows));
    },
  ],
  [
    'a gzip bomb',
    'SOURCE_MALFORMED',
    (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(BOMB);
    },
  ],
  [
    'a redirect elsewhere',
    'SOURCE_MALFORMED',
    (response) => answer(response, 302, '', { location: 'http://192.0.2.1/' }),
  ],
];
