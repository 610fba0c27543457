import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { below, quotedIn, type Section, sectionsOf, tableOf, wordsOf } from './document.ts';
import {
  CODES_401,
  CODES_403,
  CURRENT,
  ERROR_ENVELOPE,
  ERROR_STATUSES,
  ERROR_TYPES,
  EVENT_ENVELOPE,
  EVENT_TYPES,
  FLAT_IDEMPOTENCY,
  INTEGRATIONS,
  LIMITS,
  LIST_STYLES,
  MERCHANT_LISTS,
  OPERATIONS,
  OTHER_CODES,
  PLANS,
  SCOPES,
  TERMINAL_PAYMENT,
  VERSIONS,
} from './interface.ts';
import { SUITE } from './suite.ts';
import { OTHER_WORDS, vocabulary } from './vocabulary.ts';

const DOCUMENT = new URL('../../../shared/spec/service-interface.md', import.meta.url);
const isHere = existsSync(DOCUMENT);
const title = isHere
  ? 'the data of the contract'
  : 'the data of the contract (skipped: the interface document is not beside this folder)';

describe.skipIf(!isHere)(title, () => {
  const sections = isHere ? sectionsOf(readFileSync(DOCUMENT, 'utf8')) : [];
  const of = (...path: string[]): Section => {
    const [section] = below(sections, ...path);
    if (!section) throw new Error(path.join());
    return section;
  };
  const rowsOf = (...path: string[]) => tableOf(of(...path));
  const statusesOf = (cell: string) => (cell === '5xx' ? [502, 504] : cell.split(' or ').map(Number));

  it('is what every exemption of a row quotes', () => {
    const plain = readFileSync(DOCUMENT, 'utf8').replaceAll('`', '').replaceAll('**', '');
    const excused = SUITE.flatMap(({ rows }) => rows.flatMap(({ exempt = {} }) => Object.values(exempt)));
    const quotes = excused.map((why) => /“([^”]+)”/.exec(why)?.[1] ?? why);
    expect([...new Set(quotes)].filter((quote) => !plain.includes(quote))).toEqual([]);
  });

  it('has every operation of the terminal table', () => {
    const named = rowsOf('Endpoints', 'Terminal').map(([method, path]) => `${method} /v2${path}`);
    expect(OPERATIONS.map(({ method, path }) => `${method} ${path}`)).toEqual(expect.arrayContaining(named));
    expect(named).toHaveLength(8);
  });

  it('has every operation on integrations, also those whose path is not shown', () => {
    const rows = rowsOf('Endpoints', 'Integrations').map(([method, path = '']) => ({ method, path }));
    const named = rows
      .filter(({ path }) => path.startsWith('/'))
      .flatMap(({ method, path }) => {
        const [first = '', ...more] = path.split('; ');
        const folder = first.slice(0, first.lastIndexOf('/'));
        return [first, ...more.map((name) => `${folder}${name}`)].map((one) => `${method} /v2${one}`);
      });
    const shown = INTEGRATIONS.filter(({ unshown }) => !unshown);
    expect(shown.map(({ method, path }) => `${method} ${path}`)).toEqual(named);
    expect(INTEGRATIONS.length - shown.length).toBe(
      rows.length - rows.filter(({ path }) => path.startsWith('/')).length,
    );
  });

  it('has every field of a terminal payment, and its type', () => {
    const named = rowsOf(
      'Resources and their fields',
      'Terminal payment (response wrapped as `{data: {...}}`)',
    );
    expect(Object.entries(TERMINAL_PAYMENT)).toEqual(
      named.map(([field, type = '']) => [field, type.split(/[ ;]/)[0]]),
    );
  });

  it('reads each list in the style of the pagination table', () => {
    const named = rowsOf('Endpoints', 'Pagination');
    expect(named.map(([style = '', parameters = '']) => [style.toLowerCase(), wordsOf(parameters)])).toEqual(
      Object.entries(LIST_STYLES).map(([style, names]) => [style, [...names]]),
    );
    for (const [style = '', , users = ''] of named) {
      const lists = wordsOf(users).map((user) => `/v2/${user.split(';')[0]?.replaceAll(' ', '-')}`);
      for (const operation of [...OPERATIONS, ...MERCHANT_LISTS])
        if ('list' in operation && lists.includes(operation.path))
          expect([operation.path, operation.list]).toEqual([operation.path, style.toLowerCase()]);
    }
  });

  it('has every scope', () => {
    expect([...SCOPES]).toEqual(rowsOf('Authentication').flatMap(([names = '']) => names.split(' / ')));
  });

  it('has every event type, and the fields of its envelope', () => {
    const listed = of('Events', 'Event types (57)').lines.filter((line) => line.startsWith('- '));
    const named = listed.flatMap((line) =>
      [...line.replaceAll(/`billing[^`]*`|e\.g\./g, '').matchAll(/\b[a-z_]+(?:\.[a-z_]+)+\b/g)].map(
        ([type]) => type,
      ),
    );
    expect(new Set(EVENT_TYPES.flat())).toEqual(new Set(named));
    expect([...EVENT_ENVELOPE]).toEqual(rowsOf('Events', 'Envelope').map(([field]) => field));
  });

  it('has every status, type and field of an error', () => {
    expect([...ERROR_STATUSES].sort()).toEqual(
      rowsOf('Errors', 'Status codes')
        .flatMap(([cell = '']) => wordsOf(cell).map(Number))
        .sort(),
    );
    const fields = rowsOf('Errors', 'Envelope');
    expect([...ERROR_ENVELOPE]).toEqual(fields.map(([field = '']) => field.replace('error.', '')));
    expect([...ERROR_TYPES]).toEqual(wordsOf(fields[0]?.[2] ?? ''));
  });

  it('has every code with its statuses', () => {
    expect([...CODES_401]).toEqual(quotedIn([of('Errors', '401 codes (authentication_error)')]));
    expect([...CODES_403]).toEqual(quotedIn([of('Errors', '403 codes (authorization_error)')]));
    const named = rowsOf('Errors', 'Other codes').map(([codes = '', status = '']) => ({
      codes: wordsOf(codes),
      statuses: statusesOf(status),
    }));
    expect(OTHER_CODES).toEqual(named);
  });

  it('has the shapes outside the envelope', () => {
    const [[, statuses = '', shape = ''] = []] = rowsOf('Errors', 'Responses outside the envelope');
    expect([...FLAT_IDEMPOTENCY.statuses]).toEqual(wordsOf(statuses).map(Number));
    for (const field of FLAT_IDEMPOTENCY.fields) expect(shape).toContain(`${field}: <string>`);
    for (const [code, status] of Object.entries(FLAT_IDEMPOTENCY.codes))
      expect(shape).toContain(`\`${code}\` (${status}`);
  });

  it('has the limits, and the rates by plan', () => {
    const named = new Map(rowsOf('Limits').map(([name = '', value = '']) => [name, value]));
    for (const [name, value] of Object.entries(LIMITS))
      expect(Object.values(value).map(String)).toEqual(named.get(name)?.match(/\d+/g));
    const plans = rowsOf('Limits', 'Rate limits').slice(0, 3);
    expect(plans).toEqual(
      Object.entries(PLANS).map(([name, { perMinute, burst }]) => [
        `${name[0]?.toUpperCase()}${name.slice(1)}`,
        String(perMinute),
        String(burst),
      ]),
    );
  });

  it('has the versions with their sunsets', () => {
    const named = rowsOf('Versioning').map(([version, , sunset = '']) => ({
      version,
      sunset: sunset === 'none' ? null : new Date(`${sunset} UTC`).toUTCString(),
    }));
    expect(VERSIONS).toEqual(named);
    expect(rowsOf('Versioning').find(([, status]) => status === 'current')?.[0]).toBe(CURRENT);
  });

  it.each([
    [['Resources and their fields', 'List wrappers']],
    [['States and transitions', 'Terminal payment']],
    [['States and transitions', 'Integration']],
    [['Endpoints', 'Integrations']],
    [['Endpoints', 'Terminal']],
    [['Endpoints', 'Pagination']],
    [['Authentication']],
    [['Events']],
    [['Errors']],
    [['Limits']],
    [['Versioning']],
  ])('knows every word that "%s" puts in backticks, or says what it is', (path) => {
    const known = vocabulary();
    const strange = quotedIn(below(sections, ...path)).filter(
      (word) => !known.has(word) && !(word in OTHER_WORDS),
    );
    expect(strange).toEqual([]);
  });
});

describe('a document', () => {
  const sections = sectionsOf(
    '# T\n\n## One\n\nsays `a`\n\n### Two\n\n| H | I |\n|---|---|\n| x | `b`, `c` |\n\n## Three\n',
  );

  it('is cut at its headings, and its tables at their lines', () => {
    expect(sections.map(({ path }) => path)).toEqual([['One'], ['One', 'Two'], ['Three']]);
    expect(below(sections, 'One').flatMap(tableOf)).toEqual([['x', '`b`, `c`']]);
    expect(quotedIn(below(sections, 'One'))).toEqual(['a', 'b', 'c']);
    expect(wordsOf('`b`, `c`')).toEqual(['b', 'c']);
  });

  it('without a heading that the contract reads is an error, and no silence', () => {
    expect(() => below(sections, 'Four')).toThrow('Four');
  });
});
