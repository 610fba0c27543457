import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../src/integration/connector.ts';
import type { MirrorQuery } from '../../src/integration/views/mirror.ts';
import { openMirror } from '../../src/store/mirror/mirror-database.ts';
import { SqliteMirrorReader } from '../../src/store/mirror/sqlite-mirror-reader.ts';
import { mirrorRecords } from '../support/mirrored.ts';
import { type BenchOptions, figuresOf, type Print, quantile } from './figure.ts';

const CUSTOMERS = { integration: 'service', resource: 'customers' } as const;
const FIRST = [
  'Anna',
  'Bea',
  'Cem',
  'Dora',
  'Emil',
  'Fritz',
  'Gül',
  'Hans',
  'Ida',
  'José',
  'Karl',
  'Lena',
  'Max',
  'Zoé',
];
const SYLLABLES = [
  'ka',
  'me',
  'lo',
  'ri',
  'ta',
  'schu',
  'ber',
  'gen',
  'hof',
  'stein',
  'ma',
  'no',
  'pe',
  'wi',
  'du',
];
const BAR = { name: 'the bar of issue 30', value: 20 };

/** Pages and searches of a list of very many customers, in the process that reads them: what a payment may have to wait for. */
export async function mirror({ rows, times }: BenchOptions, print: Print): Promise<void> {
  const figure = figuresOf('mirror', print);
  const folder = mkdtempSync(join(tmpdir(), 'tilld-bench-mirror-'));
  const { database } = openMirror(join(folder, 'mirror.db'), '0.1.0', 0);
  try {
    const before = process.cpuUsage();
    mirrorRecords(database, 'customers', customers(rows));
    const { user, system } = process.cpuUsage(before);
    figure('processor time to write a row and its words', (user + system) / rows, 'us');
    const reader = new SqliteMirrorReader(database);
    const heap = process.memoryUsage().rss;
    for (const [name, queryOf] of Object.entries(queriesOf(rows))) {
      const took = Array.from({ length: times }, (_, index) => timeOf(reader, queryOf(index)));
      const by = (which: 'wall' | 'cpu', q: number) =>
        quantile(
          took.map((one) => one[which]),
          q,
        );
      figure(`${name}, p50`, by('wall', 0.5), 'ms');
      figure(`${name}, p99`, by('wall', 0.99), 'ms', BAR);
      figure(`${name}, processor time, p99`, by('cpu', 0.99), 'ms', BAR);
    }
    figure('memory that the queries took', (process.memoryUsage().rss - heap) / 2 ** 20, 'MiB');
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function queriesOf(rows: number): Readonly<Record<string, (index: number) => Partial<MirrorQuery>>> {
  const somewhere = (index: number) => (index * 7919 * 131) % rows;
  const surname = (index: number) => nameOf(somewhere(index)).split(' ')[1] ?? '';
  const searched = (search: (index: number) => string) => (index: number) => ({ search: search(index) });
  return {
    'first page': () => ({}),
    'page at any offset': (index) => ({ place: { offset: somewhere(index) } }),
    'last tenth, counted': (index) => ({
      place: { offset: Math.floor(rows * 0.9) + (index % 100) },
      isCounted: true,
    }),
    'page behind a cursor': (index) => ({ place: { after: idOf(somewhere(index)) } }),
    'search: surname': searched(surname),
    'search: first name and surname': searched((index) => nameOf(somewhere(index))),
    'search: as it is typed, 1 to 8 letters': searched((index) => surname(index).slice(0, 1 + (index % 8))),
    'search: a word of every row': searched((index) => 'example.shop'.slice(0, 2 + (index % 11))),
    'search: that word and a surname': searched((index) => `example ${surname(index)}`),
    'search: mail address': searched((index) => mailOf(somewhere(index))),
    'search: a word of every row that is not there': searched((index) => `example ${surname(index)}q`),
    'search: phone number': searched((index) => phoneOf(somewhere(index))),
    'search, counted': (index) => ({ search: nameOf(somewhere(index)), isCounted: true }),
  };
}

/** ms by the clock, and of the processor: on a machine that does something else the clock counts that, too. */
function timeOf(
  reader: SqliteMirrorReader,
  query: Partial<MirrorQuery>,
): { readonly wall: number; readonly cpu: number } {
  const begun = performance.now();
  const used = process.cpuUsage();
  reader.page(CUSTOMERS, { place: { offset: 0 }, limit: 20, ...query });
  const { user, system } = process.cpuUsage(used);
  return { wall: performance.now() - begun, cpu: (user + system) / 1_000 };
}

function* customers(count: number): Generator<JsonObject> {
  for (let index = 0; index < count; index += 1) {
    const at = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
    yield {
      id: idOf(index),
      object: 'customer',
      email: mailOf(index),
      name: nameOf(index),
      phone: phoneOf(index),
      company_name: index % 4 === 0 ? `Company ${index + 1}` : null,
      default_currency: 'EUR',
      locale: 'en',
      created_at: at,
      updated_at: at,
    };
  }
}

function idOf(index: number): string {
  return `0199c0de-0002-7000-8000-${index.toString(16).padStart(12, '0')}`;
}

/** 14 first names, 3,375 surnames of three syllables, as unevenly spread as a multiplication makes them. */
function nameOf(index: number): string {
  const mixed = (index * 2_654_435_761) % 2 ** 32;
  const syllable = (place: number) => SYLLABLES[Math.floor(mixed / 15 ** place) % 15] ?? '';
  const surname = syllable(1) + syllable(2) + syllable(3);
  return `${FIRST[mixed % FIRST.length]} ${surname.charAt(0).toUpperCase()}${surname.slice(1)}`;
}

function mailOf(index: number): string {
  return `${nameOf(index).toLowerCase().replace(' ', '.')}${index}@example.shop`;
}

function phoneOf(index: number): string {
  return `+4930${String((index * 48_271) % 9_999_991).padStart(7, '0')}`;
}
