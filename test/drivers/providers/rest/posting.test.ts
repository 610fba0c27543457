import { describe, expect, it } from 'vitest';
import { graphqlProblem } from '../../../../drivers/providers/rest/graphql.ts';
import { rest } from '../../../../drivers/providers/rest/manifest.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { SourceReply, SourceRequest, SyncWindow } from '../../../../src/integration/connector.ts';
import { hasPlace, placed } from '../../../../src/integration/mapping/json-place.ts';
import { systemClock } from '../../../../src/runtime/system-clock.ts';
import { CREDENTIALS, EVERYTHING } from '../../../support/source-context.ts';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const CHANGED: SyncWindow = { from: NOW, to: NOW + 1_000 };
const signal = new AbortController().signal;
const QUERY =
  'query ($first: Int!, $after: String, $search: String) { things(first: $first) { nodes { id } } }';

const recipeOf = (resource: object, more: object = {}) => ({
  recipe: 1,
  id: 'things',
  title: 'Things',
  documentation: 'https://things.example/docs',
  baseUrl: 'https://things.example/api',
  auth: { type: 'none' },
  ...more,
  resources: { things: { path: '/things', page: { style: 'whole' }, id: 'id', fields: {}, ...resource } },
});

async function asking(recipe: object, answer: unknown, settings: object = {}, status = 200) {
  const asked: SourceRequest[] = [];
  const reply: SourceReply = { status, headers: {}, text: JSON.stringify(answer), dateMs: NOW };
  const connector = (await rest.configure({ recipe, ...settings })).connect({
    credentials: CREDENTIALS,
    http: async (request) => {
      asked.push(request);
      return reply;
    },
    files: () => Promise.reject(new Error('no folder')),
    readFile: () => Promise.reject(new Error('no folder')),
    clock: systemClock,
    log: silentLog,
  });
  const list = (window: SyncWindow = EVERYTHING, token: string | null = null) =>
    connector.list('things', window, token, signal);
  return { connector, asked, list };
}

const cursor = { style: 'cursor', cursor: 'after', next: 'next', size: 5, sizeParameter: 'first' };
const graphql = (query: unknown, variables = {}) => ({ as: 'graphql', query, variables });
const changes = (from: object) => ({
  changes: { from: { parameter: 'search', format: 'iso', ...from } },
  updatedAt: { value: 'changed', format: 'iso' },
});

describe('a place in JSON', () => {
  const tree = { a: { list: [1, { b: 2 }] } };

  it('takes a value, in a copy; a list takes it as one more element', () => {
    expect(placed(tree, 'a.list.1.b', 'x')).toEqual({ a: { list: [1, { b: 'x' }] } });
    expect(placed(tree, 'a.list', 'x')).toEqual({ a: { list: [1, { b: 2 }, 'x'] } });
    expect(placed(tree, 'new.place', 'x')).toEqual({ ...tree, new: { place: 'x' } });
    expect(placed(tree, 'a.list.7', 'x')).toEqual(tree);
    expect(tree).toEqual({ a: { list: [1, { b: 2 }] } });
  });

  it('is no way to what every object has', () => {
    const made = placed({}, '__proto__.polluted', 'x');
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
    expect(hasPlace({}, 'constructor.name')).toBe(false);
    expect(hasPlace(tree, 'a.list.2')).toBe(false);
    expect(hasPlace(tree, 'a.list.1.c')).toBe(true);
  });
});

describe('a GraphQL document', () => {
  it.each([
    ['{ a }', null],
    ['query A($x: T = {b: "}"}) @d(y: {z: 1}) { a }', null],
    ['fragment F on T { a } query { ...F }', null],
    ['# mutation { a }\nquery { a(text: "mutation {", block: """ " mutation { """) { b } }', null],
    ['mutation { a }', '"mutation" is refused'],
    ['query { a } mutation { b }', '"mutation" is refused'],
    ['query { a(t: "x") } # {\n subscription { b }', '"subscription" is refused'],
    ['query { a(t: "\\"") { b } } mutation { c }', '"mutation" is refused'],
    ['query { a } query { b }', '2 queries'],
    ['fragment F on T { a }', '0 queries'],
    ['type T { a: Int }', '"type" is refused'],
    ['query { a ', 'not closed'],
    ['query { a } }', 'not closed'],
    ['query { a(t: "x) }', 'not closed'],
  ])('%j: %s', (text, problem) => {
    if (problem === null) expect(graphqlProblem(text)).toBeNull();
    else expect(graphqlProblem(text)).toContain(problem);
  });
});

describe('a recipe with a POST', () => {
  it.each<[mistake: string, resource: object, words: string, more?: object]>([
    ['a mutation', { body: graphql('mutation { a }') }, 'body.query: a recipe only reads'],
    [
      'a mutation as plain JSON',
      { body: { as: 'json', value: { query: 'mutation { a }' } } },
      'mutation is refused',
    ],
    [
      'a mutation in a form',
      { body: { as: 'form', fields: { query: 'mutation { a }' } } },
      'mutation is refused',
    ],
    [
      'no variable for its cursor',
      { page: cursor, body: graphql('query ($first: Int) { a }') },
      'declares no variable $after',
    ],
    [
      'no variable for its window',
      { body: graphql('{ a }'), ...changes({}) },
      'declares no variable $search',
    ],
    [
      'no place for its cursor',
      { page: { ...cursor, cursor: 'a.b' }, body: { as: 'json', value: { first: 1 } } },
      'no place "a.b"',
    ],
    [
      'links',
      { page: { style: 'link', size: 5 }, body: graphql('{ a }') },
      'page.style: "link" names an address',
    ],
    [
      'too large a body',
      { body: { as: 'json', value: { text: 'x'.repeat(20_001) } } },
      'at most 20,000 characters',
    ],
    ['too long a query', { body: graphql(`{ ${'a '.repeat(10_001)} }`) }, 'body.query'],
    ['a template of JSON in a query', changes({ template: ['>=', '{time}'] }), 'only a JSON or GraphQL body'],
    [
      'a template of JSON without its time',
      { body: graphql(QUERY), ...changes({ template: ['>='] }) },
      '"{time}"',
    ],
    [
      'a statement and a body',
      { body: graphql('{ a }'), statement: { parameter: 'q', text: 'x' } },
      'there is a body',
    ],
    [
      'a cursor in a statement',
      { page: cursor, statement: { parameter: 'q', text: '{after}' } },
      'whole numbers and times only',
    ],
    [
      'a statement without a mark',
      { page: { style: 'offset', size: 5 }, statement: { parameter: 'q', text: 'x' } },
      'no mark {offset}',
    ],
    ['one record by no id', { get: { path: '/thing' } }, 'needs "{id}"'],
    [
      'one record by two ids',
      { get: { path: '/thing/{id}', id: 'id', body: graphql('query ($id: ID!) { a }') } },
      'either into the path',
    ],
    [
      'one record by no variable',
      { get: { path: '/thing', id: 'id', body: graphql('{ a }') } },
      'declares no variable $id',
    ],
    [
      'a value that it does not have',
      { body: { as: 'json', value: { a: [{ $value: 'shop' }] } } },
      '"values" has no "shop"',
    ],
    [
      'a header of no value',
      {},
      'headers.X-Shop: "values" has no "shop"',
      { headers: { 'X-Shop': { $value: 'shop' } } },
    ],
    ['the key in a GET', {}, 'it needs a body', { auth: { type: 'body', place: 'key' } }],
    [
      'the key in no place',
      { body: { as: 'json', value: { a: 1 } } },
      'no place "b.key"',
      { auth: { type: 'body', place: 'b.key' } },
    ],
    ['nothing in place of a list', { empty: 'missing' }, '"empty": "missing" needs "items"'],
  ])('that has %s is refused in words', async (_mistake, resource, words, more) => {
    await expect(rest.configure({ recipe: recipeOf(resource, more) })).rejects.toThrow(words);
  });

  it('sends what it asks for as values of the variables: no text of the source reaches the query', async () => {
    const hostile = '") { a } } mutation { b }';
    const recipe = recipeOf({
      items: 'items',
      page: cursor,
      body: graphql([QUERY, '# the list'], { kind: 'all' }),
      ...changes({ template: 'updated_at:>={time}' }),
    });
    const { asked, list } = await asking(recipe, { items: [{ id: 1 }], next: hostile });
    const { next } = await list(CHANGED);
    await list(CHANGED, next).catch(() => undefined);
    const variables = { kind: 'all', search: 'updated_at:>=2026-03-01T10:00:00Z', first: 5 };
    expect(asked.map(({ body, isRead, query }) => ({ body, isRead, query }))).toEqual([
      { body: { query: `${QUERY}\n# the list`, variables }, isRead: true, query: {} },
      {
        body: { query: `${QUERY}\n# the list`, variables: { ...variables, after: hostile } },
        isRead: true,
        query: {},
      },
    ]);
  });

  it('keeps numbers numbers in JSON, and reads values of the settings', async () => {
    const recipe = recipeOf(
      {
        page: { style: 'offset', size: 5, sizeParameter: 'limit' },
        body: { as: 'json', value: { user: { $number: 'user' }, shop: { $value: 'shop' }, filter: [] } },
        ...changes({ parameter: 'filter', template: { since: '{time}' }, format: 'unix_s' }),
      },
      { values: { user: '7', shop: '' } },
    );
    const { asked, list } = await asking(recipe, [], { values: { shop: 'north' } });
    await list(CHANGED);
    expect(asked[0]?.body).toEqual({
      user: 7,
      shop: 'north',
      filter: [{ since: NOW / 1_000 }],
      offset: 0,
      limit: 5,
    });
    const unset = await asking(recipe, []);
    await expect(unset.list()).rejects.toThrow('the recipe needs "settings.values.shop"');
  });

  it('may put a bound into a header', async () => {
    const bound = { parameter: 'If-Modified-Since', in: 'header', format: 'iso_local' };
    const { asked, list } = await asking({ ...recipeOf(changes(bound)), timeZone: 'UTC' }, []);
    await list(CHANGED);
    await list();
    expect(asked.map(({ headers, query }) => ({ headers, query }))).toEqual([
      { headers: { 'If-Modified-Since': '2026-03-01T10:00:00' }, query: {} },
      { headers: undefined, query: {} },
    ]);
  });

  it('is shown by a trial as it is sent, without the key, which takes its place on the way', async () => {
    const value = { key: '', filter: [{ active: true }] };
    const recipe = recipeOf({ body: { as: 'json', value } }, { auth: { type: 'body', place: 'key' } });
    const { connector } = await asking(recipe, [{ id: 1 }]);
    const sample = await connector.sample?.('things', EVERYTHING, 5, signal);
    expect(sample).toMatchObject({
      request: 'POST /things {"key":"","filter":[{"active":true}]}',
      received: 1,
      isFiltered: false,
    });
    const configured = await rest.configure({ recipe });
    expect(configured.access(CREDENTIALS)).toMatchObject({ body: { key: CREDENTIALS.apiKey }, query: {} });
  });

  it('does not guess the zone of a source that is asked in its own time', async () => {
    for (const format of ['sql', 'iso_local', 'date']) {
      const { list } = await asking(recipeOf(changes({ format })), []);
      await expect(list(CHANGED)).rejects.toThrow('set "settings.timeZone" to the zone of the source');
    }
    const { asked, list } = await asking(recipeOf(changes({ format: 'sql' })), [], {
      timeZone: 'Europe/Berlin',
    });
    await list(CHANGED);
    expect(asked[0]?.query?.['search']).toEqual(['2026-03-01 11:00:00']);
  });

  it('asks for one record by its id as a value, and takes null and an empty list for none', async () => {
    const get = {
      path: '/graphql',
      body: graphql('query ($id: ID!) { thing(id: $id) { id } }'),
      id: 'id',
      item: 'data.thing',
    };
    const one = await asking(recipeOf({ get }), { data: { thing: { id: 'a"b' } } });
    expect(await one.connector.get?.('things', 'a"b', signal)).toMatchObject({ id: 'a"b' });
    expect(one.asked[0]?.body).toMatchObject({ variables: { id: 'a"b' } });
    for (const thing of [null, []]) {
      const none = await asking(recipeOf({ get }), { data: { thing } });
      expect(await none.connector.get?.('things', '7', signal)).toBeNull();
    }
    const listed = await asking(recipeOf({ get }), { data: { thing: [{ id: 7 }] } });
    expect(await listed.connector.get?.('things', '7', signal)).toMatchObject({ id: '7' });
    const other = await asking(recipeOf({ get }), { data: {} });
    await expect(other.connector.get?.('things', '7', signal)).rejects.toMatchObject({
      code: 'SOURCE_MALFORMED',
    });
  });
});

describe('a list of nothing', () => {
  it('that is missing is empty only where nothing else is beside it', async () => {
    const recipe = recipeOf({ items: 'answer.things', empty: 'missing' });
    expect((await (await asking(recipe, { answer: {} })).list()).records).toEqual([]);
    expect((await (await asking(recipe, { answer: { maxResults: 0 } })).list()).records).toEqual([]);
    for (const answer of [
      { answer: { objects: [] } },
      { answer: { error: 'x' } },
      {},
      { answer: null },
      { answer: [] },
    ])
      await expect((await asking(recipe, answer)).list()).rejects.toMatchObject({ code: 'SOURCE_MALFORMED' });
  });

  it('that is a status is believed in its own words, and not at the first page of everything: else a wrong address would empty the books', async () => {
    const empty = { status: 404, when: '$contains(error.message, "none")' };
    const recipe = recipeOf({ page: { style: 'page', size: 5 }, empty, ...changes({}) });
    const source = await asking(recipe, { error: { message: 'none found' } }, {}, 404);
    expect(await source.list(CHANGED)).toMatchObject({ records: [], next: null });
    expect(await source.list(EVERYTHING, '{"at":2}')).toMatchObject({ records: [], next: null });
    await expect(source.list()).rejects.toThrow('none found');
    for (const answer of [{ error: 'no such page' }, null, 7]) {
      const other = await asking(recipe, answer, {}, 404);
      await expect(other.list(CHANGED)).rejects.toMatchObject({ code: 'SOURCE_REFUSED' });
    }
  });
});

describe('a failure with a status of 200', () => {
  it('whose expression fails is no list', async () => {
    const recipe = { ...recipeOf({}), failure: { when: '$number(state) > 1' } };
    await expect((await asking(recipe, { state: 'x' })).list()).rejects.toThrow(
      '"failure.when" cannot be worked out',
    );
  });

  it.each([null, false, '', []])('is none where its place holds %j', async (errors) => {
    const recipe = { ...recipeOf({ items: 'data' }), failure: { when: 'errors' } };
    expect((await (await asking(recipe, { errors, data: [{ id: 1 }] })).list()).records).toHaveLength(1);
  });
});
