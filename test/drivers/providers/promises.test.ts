import { afterEach, describe, expect, it } from 'vitest';
import type { Connector } from '../../../src/integration/connector.ts';
import { EVERYTHING, idsOf, openOverHttp, walk } from '../../support/source-context.ts';
import { answer } from '../../unit/net/peer.ts';
import {
  DAY_MS,
  FAULTS,
  FIRST_CHANGE_MS,
  type HostileSource,
  rowsOf,
  type SourceRow,
  startHostileSource,
} from './hostile-source.ts';
import type { Subject } from './rest-subject.ts';
import { SUBJECTS } from './subjects.ts';

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

interface Stage {
  readonly source: HostileSource;
  readonly connector: Connector;
}

async function stage(subject: Subject, rows: readonly SourceRow[]): Promise<Stage> {
  const source = await startHostileSource(subject.dialect, rows);
  const opened = await openOverHttp(
    subject.manifest,
    subject.settings,
    { apiKey: subject.apiKey, baseUrl: source.url + subject.prefix },
    { maxBodyBytes: 4 * 1024 * 1024 },
  );
  running.unshift(opened, source);
  return { source, connector: opened.connector };
}

const ONE_OF_EACH = ['401', '404', '429', '500', 'JSON that is cut in the middle'];
const idsIn = (rows: readonly SourceRow[]) => rows.map(({ id }) => String(id));
const signal = new AbortController().signal;
/** Where the sources write when a record changed. */
const NO_TIME = {
  updated_at: 'soon',
  date_modified_gmt: 'soon',
  updatedAt: 'soon',
  updatedDate: 'soon',
  UpdatedDateUTC: 'soon',
  MetaData: { LastUpdatedTime: 'soon' },
  modified: 'soon',
  write_date: 'soon',
  date_modification: 'soon',
  update: 'soon',
};

describe.each(SUBJECTS)('$name', (subject) => {
  const { resource, dialect } = subject;
  const counts = [0, 1, dialect.size - 1, dialect.size, dialect.size + 1, 3 * dialect.size];

  it.each(counts)('gives every one of %i rows, and ends', async (count) => {
    const { connector } = await stage(subject, rowsOf(count));
    const { records, pages } = await walk(connector, resource);
    expect(idsOf(records)).toEqual(idsIn(rowsOf(count)));
    expect(pages.flatMap(({ bad }) => bad)).toEqual([]);
    expect(records.map(({ updatedAt }) => updatedAt)).toEqual(
      rowsOf(count).map(({ changedMs }) => (subject.isTimeless ? null : changedMs)),
    );
  });

  it('loses none of many rows that changed in one millisecond, none to a repeated row, none to rows that appear in front', async () => {
    const rows = rowsOf(2 * dialect.size + 3, 0);
    const { connector, source } = await stage(subject, rows);
    for (const habits of [{}, { repeats: true }, { shifts: true }, { boasts: true }, { caps: 4 }]) {
      source.rows = rows;
      source.habits = habits;
      const found = new Set(idsOf((await walk(connector, resource)).records));
      expect(idsIn(rows).filter((id) => !found.has(id))).toEqual([]);
    }
  });

  it('ends behind a full last page that promises more', async () => {
    const { connector, source } = await stage(subject, rowsOf(2 * dialect.size));
    source.habits = { boasts: true };
    expect(idsOf((await walk(connector, resource)).records)).toHaveLength(2 * dialect.size);
  });

  it.each([{ standsStill: true }, { promises: true }])(
    'does not read a list for ever whose source has the habit of %j',
    async (habits) => {
      if (dialect.style === 'whole') return;
      const { connector, source } = await stage(subject, rowsOf(dialect.size));
      source.habits = habits;
      const outcome = await walk(connector, resource).then(
        () => 'ended',
        (error: { code?: string }) => error.code,
      );
      expect(['ended', 'SOURCE_MALFORMED']).toContain(outcome);
      expect(source.seen.length).toBeLessThan(120);
    },
  );

  it('goes on from every page of a source that promises more for ever, and ends where it offers no way on', async () => {
    if (dialect.style === 'whole' || dialect.style === 'link') return;
    const { connector, source } = await stage(subject, rowsOf(dialect.size));
    source.habits = { promises: true };
    expect(idsOf((await walk(connector, resource)).records)).toHaveLength(dialect.size);
  });

  it.skipIf(!subject.asksForChanges)(
    `asks for what changed since the beginning of the window, itself included${subject.asksForChanges ? '' : ' (skipped: it has no filter for changes)'}`,
    async () => {
      const { connector } = await stage(subject, rowsOf(30));
      const from = FIRST_CHANGE_MS + 20_000;
      const { records } = await walk(connector, resource, { from, to: from + DAY_MS });
      expect(idsOf(records)).toEqual(expect.arrayContaining(idsIn(rowsOf(30).slice(20))));
      expect(idsOf(records).length).toBeLessThan(15);
    },
  );

  it.each<[what: string, value: unknown]>(
    [
      ['null', null],
      ['a number', 7],
      ['a list', []],
      ['no id', { updated_at: '2026-03-01T10:00:00Z' }],
      ['an id that is an object', { id: { $oid: '1' } }],
      ['an id that is too large to be exact', { id: 12345678901234567890n }],
      ['an id that is too long', { id: 'x'.repeat(300) }],
      ['a time that is none', { ...(dialect.row({ id: 5, changedMs: 0 }) as object), ...NO_TIME }],
    ].slice(0, subject.isTimeless ? -1 : undefined) as [string, unknown][],
  )('parks one record alone that is %s', async (_what, value) => {
    const rows = rowsOf(dialect.size);
    const { connector, source } = await stage(subject, rows);
    source.habits = { odd: { at: 3, value: typeof value === 'object' ? JSON.parse(numbers(value)) : value } };
    const { records, pages } = await walk(connector, resource);
    const bad = pages.flatMap((page) => page.bad);
    expect(bad).toHaveLength(1);
    expect(bad[0]?.reason).not.toBe('');
    expect(bad[0]?.excerpt.length).toBeLessThanOrEqual(2_000);
    expect(idsOf(records)).toEqual(idsIn(rows.filter(({ id }) => id !== 4)));
  });

  it.each(subject.everyFault ? FAULTS : FAULTS.filter(([what]) => ONE_OF_EACH.includes(what)))(
    '%s is %s, and nothing is lost when the page is asked for again',
    async (_what, code, fault) => {
      const rows = rowsOf(dialect.size + 5);
      const { connector, source } = await stage(subject, rows);
      const first = await connector.list(resource, EVERYTHING, null, signal);
      source.faults.push(fault);
      const error = await connector
        .list(resource, EVERYTHING, first.next, signal)
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code });
      if (code === 'SOURCE_RATE_LIMITED') expect(error).toMatchObject({ context: { retryAfterMs: 9_000 } });
      expect(String(error)).not.toContain(subject.apiKey);
      const found = [...first.records];
      for (let token = first.next; token !== null; ) {
        const page = await connector.list(resource, EVERYTHING, token, signal);
        found.push(...page.records);
        token = page.next;
      }
      expect(idsOf(found)).toEqual(idsIn(rows));
    },
  );

  it.each(subject.failures ?? [])(
    'a failure with the status 200 is %s, in the words of the source and without the key: %j',
    async (code, body) => {
      const rows = rowsOf(dialect.size + 5);
      const { connector, source } = await stage(subject, rows);
      const first = await connector.list(resource, EVERYTHING, null, signal);
      const text = JSON.stringify(body).replace('"message":"', `"message":"${subject.apiKey} `);
      source.faults.push((response) => answer(response, 200, text, { 'retry-after': '9' }));
      const failed = connector.list(resource, EVERYTHING, first.next, signal);
      const error = await failed.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code, context: { retryAfterMs: 9_000 } });
      expect(String(error)).not.toContain(subject.apiKey);
      expect(String(error)).toMatch(/: \[credential\] \w|: (Access Denied|Lock)/);
      const again = await connector.list(resource, EVERYTHING, first.next, signal);
      expect(idsOf([...first.records, ...again.records])).toEqual(idsIn(rows));
    },
  );

  it('keeps a place that is short, of text, and free of the credential', async () => {
    const { connector } = await stage(subject, rowsOf(3 * dialect.size));
    const { pages } = await walk(connector, resource);
    for (const { next, sourceNow } of pages) {
      expect((next ?? '').length).toBeLessThanOrEqual(2_000);
      expect(next ?? '').not.toContain(subject.apiKey);
      expect(sourceNow).not.toBeNull();
    }
  });

  it('says in words whether a credential works, without showing it', async () => {
    const { connector, source } = await stage(subject, rowsOf(1));
    expect(await connector.test(signal)).toEqual({ valid: true, error: '' });
    source.faults.push((response, seen) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: `no such key: ${subject.apiKey} ${seen.url}` } }));
    });
    const refused = await connector.test(signal);
    expect(refused.valid).toBe(false);
    expect(refused.error).toContain('no such key');
    expect(refused.error).not.toContain(subject.apiKey);
  });

  it('refuses a place that is none of its own, and a resource that it does not have', async () => {
    const { connector } = await stage(subject, rowsOf(1));
    for (const token of ['', 'x', '{"at":{}}', '{"at":-1}', '[]']) {
      await expect(connector.list(resource, EVERYTHING, token, signal)).rejects.toMatchObject({
        code: 'SOURCE_REFUSED',
      });
    }
    for (const name of ['nothing', '__proto__', 'constructor']) {
      await expect(connector.list(name, EVERYTHING, null, signal)).rejects.toMatchObject({
        code: 'SOURCE_REFUSED',
      });
    }
  });

  it('stops at once when it is told to', async () => {
    const { connector, source } = await stage(subject, rowsOf(1));
    const stop = new AbortController();
    const reason = new Error('a payment begins');
    source.faults.push(() => stop.abort(reason));
    await expect(connector.list(resource, EVERYTHING, null, stop.signal)).rejects.toBe(reason);
  });
});

/** JSON with whole numbers that JavaScript cannot hold. */
function numbers(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) => (typeof one === 'bigint' ? `#${one}#` : one)).replace(
    /"#(\d+)#"/g,
    '$1',
  );
}
