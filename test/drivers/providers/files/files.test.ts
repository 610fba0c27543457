import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { files as manifest } from '../../../../drivers/providers/files/manifest.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { Connector, SourceFile } from '../../../../src/integration/connector.ts';
import { sourceFolder } from '../../../../src/runtime/source-folder.ts';
import { systemClock } from '../../../../src/runtime/system-clock.ts';
import { CREDENTIALS, idsOf, walk } from '../../../support/source-context.ts';

const STILL_S = 10;
let folder: string;
/** How far our clock is ahead of the files' times, ms. */
let later: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tilld-drops-'));
  later = 60_000;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function drop(name: string, text: string | Uint8Array): void {
  writeFileSync(join(folder, name), text);
}

async function open(format: object = {}): Promise<Connector> {
  const resources = { customers: { files: 'customers*.csv', id: 'No', fields: { name: 'Name' }, ...format } };
  const { files, readFile } = sourceFolder(folder);
  return (await manifest.configure({ resources, still_s: STILL_S })).connect({
    credentials: CREDENTIALS,
    http: () => Promise.reject(new Error('no network')),
    files,
    readFile,
    clock: { ...systemClock, now: () => Date.now() + later },
    log: silentLog,
  });
}

async function read(format: object = {}) {
  const { pages, records } = await walk(await open(format), 'customers');
  return { records, bad: pages.flatMap((page) => page.bad), pages };
}

describe('files that are dropped into a folder', () => {
  it('are read with their header, our names first, the rest as it is', async () => {
    drop('customers.csv', 'No,Name,City\n1,Ann,Bonn\n2,"Lee, ""Bob""","New\nYork"\n');
    const { records, bad } = await read();
    expect(bad).toEqual([]);
    expect(records.map(({ id, fields }) => [id, fields])).toEqual([
      ['1', { name: 'Ann', No: '1', City: 'Bonn' }],
      ['2', { name: 'Lee, "Bob"', No: '2', City: 'New\nYork' }],
    ]);
  });

  it.each<[what: string, bytes: Uint8Array, format: object]>([
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffNo;Name\r\n1;Müller\r\n'), { delimiter: ';' }],
    ['Latin-1', Buffer.from('No;Name\r\n1;Müller\r\n', 'latin1'), { delimiter: ';', encoding: 'latin-1' }],
    ['no end of line at the end', Buffer.from('No,Name\n1,Müller'), {}],
    ['a quoted last cell without an end of line', Buffer.from('No,Name\n1,"Müller"'), {}],
    ['empty lines between', Buffer.from('No,Name\n\n1,Müller\n\n\n'), {}],
  ])('are read as %s', async (_what, bytes, format) => {
    drop('customers.csv', bytes);
    const { records, bad } = await read(format);
    expect(bad).toEqual([]);
    expect(records.map(({ fields }) => fields['name'])).toEqual(['Müller']);
  });

  it.each([
    ['too few columns', '3'],
    ['too many columns', '3,Carl,x'],
    ['no id', ',Carl'],
    ['a quotation mark that is never closed', '3,"Carl'],
    ['a quotation mark in the middle', '3,Carl "the" Great'],
    ['text behind a closing quotation mark', '3,"Carl"x'],
    ['a byte that is no UTF-8', Buffer.from('3,M\xfcller', 'latin1')],
  ])('a line with %s is parked alone', async (_what, line) => {
    drop(
      'customers.csv',
      Buffer.concat([
        Buffer.from('No,Name\n1,Ann\n'),
        Buffer.from(line),
        Buffer.from('\n4,"Dora"\n5,"E, F"\n'),
      ]),
    );
    const { records, bad } = await read();
    expect(idsOf(records)).toEqual(['1', '4', '5']);
    expect(bad).toHaveLength(1);
    expect(bad[0]?.reason).not.toBe('');
    expect(bad[0]?.excerpt).not.toBe('');
  });

  it('a quotation mark that is never closed costs its own line only, however long the file is', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `${index + 10},Name ${index}`).join('\n');
    drop('customers.csv', `No,Name\n1,"Ann\n${many}\n`);
    const { records, bad } = await read();
    expect(bad).toHaveLength(1);
    expect(records).toHaveLength(20_000);
  });

  it('one that is not yet still is left alone, and the clock of the source lies so far back that it is never passed over', async () => {
    drop('customers.csv', 'No,Name\n1,Ann\n');
    later = STILL_S * 1_000 - 2_000;
    const before = await read();
    expect(before.records).toEqual([]);
    const [file] = await sourceFolder(folder).files();
    for (const { sourceNow } of before.pages)
      expect(sourceNow ?? Number.NaN).toBeLessThan((file as SourceFile).modifiedAt);
    later = 60_000;
    expect((await read()).records).toHaveLength(1);
  });

  it('one that is written to while it is read is given up, and comes again as a whole', async () => {
    const lines = (from: number) =>
      Array.from({ length: 20_000 }, (_, index) => `${from + index},Name`).join('\n');
    drop('customers.csv', `No,Name\n${lines(1)}\n`);
    const connector = await open();
    const window = { from: null, to: Date.now() + 3_600_000 };
    const first = await connector.list('customers', window, null, new AbortController().signal);
    expect(first.next).not.toBeNull();
    appendFileSync(join(folder, 'customers.csv'), `${lines(20_001)}\n`);
    const rest = [];
    for (let token = first.next; token !== null; ) {
      const page = await connector.list('customers', window, token, new AbortController().signal);
      rest.push(...page.records);
      token = page.next;
    }
    expect(idsOf(rest)).toHaveLength(40_000);
  });

  it.each(['changes', 'whole'])(
    'one that goes away while it is read ends the pass, and a part of it is never taken for all of it (%s)',
    async (mode) => {
      const lines = Array.from({ length: 20_000 }, (_, index) => `${index},Name`).join('\n');
      drop('customers-1.csv', 'No,Name\n77777,Older\n');
      drop('customers-2.csv', `No,Name\n${lines}\n`);
      utimesSync(join(folder, 'customers-2.csv'), Date.now() / 1_000 + 5, Date.now() / 1_000 + 5);
      const connector = await open({ mode });
      const window = { from: null, to: Date.now() + 3_600_000 };
      const signal = new AbortController().signal;
      let page = await connector.list('customers', window, null, signal);
      while (page.records.some(({ id }) => id === '77777'))
        page = await connector.list('customers', window, page.next, signal);
      rmSync(join(folder, 'customers-2.csv'));
      await expect(connector.list('customers', window, page.next, signal)).rejects.toMatchObject({
        code: 'SOURCE_REFUSED',
      });
    },
  );

  it('come in the order in which they were written, each from the window that it was written in', async () => {
    const now = Date.now();
    drop('customers-b.csv', 'No,Name\n1,Ann\n');
    drop('customers-a.csv', 'No,Name\n1,Anna\n2,Bob\n');
    drop('other.csv', 'No,Name\n9,X\n');
    drop('customers-empty.csv', '');
    const { records, pages } = await read();
    expect(records.map(({ id, fields }) => `${id} ${String(fields['name'])}`).sort()).toEqual([
      '1 Ann',
      '1 Anna',
      '2 Bob',
    ]);
    expect(pages).toHaveLength(2);
    const old = await walk(await open(), 'customers', { from: null, to: now - 3_600_000 });
    expect(old.records).toEqual([]);
    for (const { updatedAt } of records) expect(Math.abs((updatedAt ?? 0) - now)).toBeLessThan(60_000);
  });

  it('one whose date was set back by a copy is as new as its arrival', async () => {
    drop('customers.csv', 'No,Name\n1,Ann\n');
    utimesSync(join(folder, 'customers.csv'), 1, 1);
    const { records } = await walk(await open(), 'customers', {
      from: Date.now() - 60_000,
      to: Date.now() + 60_000,
    });
    expect(records).toHaveLength(1);
  });

  it('the newest one alone is the list where the settings say so', async () => {
    drop('customers-1.csv', 'No,Name\n1,Ann\n');
    drop('customers-2.csv', 'No,Name\n2,Bob\n');
    utimesSync(join(folder, 'customers-2.csv'), Date.now() / 1_000 + 5, Date.now() / 1_000 + 5);
    const { records } = await read({ mode: 'whole' });
    expect(idsOf(records)).toEqual(['2']);
    expect(records[0]?.updatedAt).toBeNull();
  });

  it('a line can say that its record is gone', async () => {
    drop('customers.csv', 'No,Name,State\n1,Ann,gone\n2,Bob,\n');
    const { records } = await read({ deleted: { column: 'State', is: 'gone' } });
    expect(records.map(({ id, deleted }) => [id, deleted])).toEqual([
      ['1', true],
      ['2', false],
    ]);
  });

  it.each<[what: string, text: string | Uint8Array, words: string]>([
    ['lacks a column', 'Number,Name\n1,Ann\n', 'it has no column "No"; it has "Number", "Name"'],
    ['has one twice', 'No,Name,Name\n1,Ann,B\n', 'the column "Name" twice'],
    ['is UTF-16', Buffer.from('\ufeffNo,Name\n', 'utf16le'), 'UTF-16'],
  ])('one whose header %s is refused in words', async (_what, text, words) => {
    drop('customers.csv', text);
    await expect(read()).rejects.toMatchObject({
      code: 'SOURCE_MALFORMED',
      message: expect.stringContaining(words),
    });
  });

  it('nothing outside the folder is read: no link, no path, no folder', async () => {
    drop('customers.csv', 'No,Name\n1,Ann\n');
    symlinkSync('/etc/hostname', join(folder, 'customers-link.csv'));
    mkdirSync(join(folder, 'customers-folder.csv'));
    const { files, readFile } = sourceFolder(folder);
    expect((await files()).map(({ name }) => name)).toEqual(['customers.csv']);
    for (const name of ['../x', '/etc/hostname', '', '.', 'a\0b']) {
      await expect(readFile(name, 0, 10)).rejects.toMatchObject({ code: 'SOURCE_REFUSED' });
    }
    await expect(readFile('missing.csv', 0, 10)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    rmSync(folder, { recursive: true });
    await expect(files()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  });

  it('a place that is none is refused', async () => {
    const list = (await open()).list(
      'customers',
      { from: null, to: 0 },
      '{"name":"../../etc/passwd"}',
      new AbortController().signal,
    );
    await expect(list).rejects.toMatchObject({ code: 'SOURCE_REFUSED' });
  });
});
