import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { driver } from '../../../../drivers/providers/rest/connector.ts';
import { recipeSchema } from '../../../../drivers/providers/rest/recipe-rules.ts';
import { CREDENTIALS } from '../../../support/source-context.ts';

const rest = { configure: (settings: unknown) => driver.configure('rest', settings) };

const RESOURCE = {
  path: '/things',
  page: { style: 'whole' },
  id: 'id',
  fields: { name: 'name' },
};
const RECIPE = {
  recipe: 1,
  id: 'things',
  title: 'Things',
  documentation: 'https://things.example/docs',
  baseUrl: 'https://things.example/api',
  auth: { type: 'none' },
  resources: { things: RESOURCE },
};

const withResource = (changes: object) => ({ ...RECIPE, resources: { things: { ...RESOURCE, ...changes } } });

describe('a recipe', () => {
  it('is taken when it is one, and says what its source can do', () => {
    const changes = {
      changes: { from: { parameter: 'since', format: 'iso' } },
      updatedAt: { value: 'changed', format: 'iso' },
    };
    const { resources } = rest.configure({ recipe: withResource(changes) });
    expect(resources).toEqual([
      { name: 'things', cursorField: 'changed', pageStyle: 'whole', deletes: 'scan' },
    ]);
    expect(rest.configure({ recipe: RECIPE }).resources[0]?.cursorField).toBeNull();
  });

  it('says once what all of its resources have; each may say it itself, or that it has none', () => {
    const defaults = {
      page: { style: 'page', size: 50 },
      changes: { from: { parameter: 'since', format: 'iso' } },
      id: 'uuid',
      updatedAt: { value: 'changed', format: 'iso' },
    };
    const bare = { path: '/things', fields: { name: 'name' } };
    const own = { ...bare, page: { style: 'whole' }, changes: null, updatedAt: null };
    const recipe = { ...RECIPE, defaults, resources: { things: bare, people: own } };
    const { resources } = rest.configure({ recipe });
    expect(resources).toEqual([
      { name: 'things', cursorField: 'changed', pageStyle: 'page', deletes: 'scan' },
      { name: 'people', cursorField: null, pageStyle: 'whole', deletes: 'scan' },
    ]);
    const parsed = recipeSchema.parse({ ...recipe, defaults: { ...defaults, id: 'uuid' } });
    expect(parsed.resources['people']).toMatchObject({ id: 'uuid', page: { style: 'whole' } });
    expect(Object.keys(parsed)).not.toContain('defaults');
  });

  it('gives its title to people', () => {
    expect(rest.configure({ recipe: RECIPE }).title).toBe(RECIPE.title);
  });

  it.each<[mistake: string, recipe: unknown, words: string]>([
    [
      'a misspelt word',
      { ...RECIPE, baseURL: 'x' },
      'recipe.baseURL: is unknown here; known are $schema, recipe, id, title',
    ],
    [
      'a word of no style of pages',
      withResource({ page: { style: 'page', size: 9, parameter: 'p' } }),
      'recipe.resources.things.page.parameter: is unknown here; known are style, page, first, size, sizeParameter',
    ],
    [
      'pages that neither the resource nor the defaults have',
      { ...RECIPE, defaults: { id: 'id' }, resources: { things: { path: '/things', fields: {} } } },
      'recipe.resources.things.page: ',
    ],
    [
      'defaults of what each resource must say itself',
      { ...RECIPE, defaults: { path: '/things' } },
      'recipe.defaults.path: is unknown here; known are page, changes, id, updatedAt',
    ],
    [
      'a mistake in the defaults',
      { ...RECIPE, defaults: { page: { style: 'whole', size: 5 } } },
      'recipe.defaults.page.size: is unknown here',
    ],
    [
      'a resource without an id of its own',
      { ...RECIPE, defaults: { id: 'id' }, resources: { things: { ...RESOURCE, id: null } } },
      'recipe.resources.things.id: ',
    ],
    ['a recipe that does not exist', 'wocommerce', 'there are cliniko, directus, dolibarr, erpnext'],
    ['no recipe at all', undefined, 'recipe'],
    [
      'an expression that is none',
      withResource({ id: 'a.[' }),
      'recipe.resources.things.id: this is no JSONata',
    ],
    ['an expression that ends its brackets', withResource({ id: 'a) ? (b' }), 'recipe.resources.things.id'],
    ['a clock in an expression', withResource({ id: '$string($now())' }), '$now is refused'],
    [
      'chance in an expression',
      withResource({ fields: { x: '$random()' } }),
      'recipe.resources.things.fields.x: $random',
    ],
    ['text run as an expression', withResource({ fields: { x: '$eval(name)' } }), '$eval is refused'],
    [
      'a regular expression',
      withResource({ fields: { x: '$match(name, /(a+)+$/)' } }),
      'regular expressions are refused',
    ],
    [
      'a function that calls itself',
      withResource({ fields: { x: '($f := function($n) { $f($n + 1) }; $f(1))' } }),
      'functions of its own are refused',
    ],
    ['an unknown zone', { ...RECIPE, timeZone: 'Europe/Atlantis' }, 'recipe.timeZone: no time zone'],
    [
      'changes without a time',
      withResource({ changes: { from: { parameter: 'since', format: 'iso' } } }),
      '"changes" needs "updatedAt"',
    ],
    ['tombstones that nobody can tell', withResource({ deletes: 'tombstones' }), 'needs "deleted"'],
    [
      'a path with a query',
      withResource({ path: '/things?x=1' }),
      'recipe.resources.things.path: begins with /',
    ],
    [
      'a path that is an address',
      withResource({ path: 'https://evil.example' }),
      'recipe.resources.things.path',
    ],
    ['an unknown style', withResource({ page: { style: 'scroll' } }), 'recipe.resources.things.page.style'],
    [
      'a template without its time',
      withResource({ changes: { from: { parameter: 'q', format: 'iso', template: 'x' } } }),
      '{time}',
    ],
    ['a header that is none', { ...RECIPE, headers: { 'x\r\ny': '1' } }, 'recipe.headers'],
    ['no resources', { ...RECIPE, resources: {} }, 'at least one resource'],
    [
      'too many things at once',
      withResource({ page: { style: 'page', size: 1e9 } }),
      'recipe.resources.things.page.size',
    ],
  ])('with %s is refused in words, with the path', (_mistake, recipe, words) => {
    expect(() => rest.configure({ recipe })).toThrow(
      expect.objectContaining({ code: 'PROVIDER_SETTINGS_INVALID' }),
    );
    expect(() => rest.configure({ recipe })).toThrow(words);
  });

  it('names the values that it does not have', () => {
    expect(() => rest.configure({ recipe: 'cliniko', values: { curency: 'GBP' } })).toThrow('values.curency');
  });

  it.each(
    readdirSync(new URL('../../../../drivers/providers/rest/recipes', import.meta.url))
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.replace('.json', '')),
  )('that comes with tilld is one: %s', (name) => {
    expect(rest.configure({ recipe: name }).resources.length).toBeGreaterThan(0);
  });
});

describe('what opens a source', () => {
  const access = (auth: object, credentials = {}, more = {}) =>
    rest
      .configure({ recipe: { ...RECIPE, ...more, auth } })
      .access({ ...CREDENTIALS, apiKey: 'key-of-shop', ...credentials });

  it.each([
    [{ type: 'header', name: 'X-Key' }, { 'X-Key': 'key-of-shop' }, {}],
    [{ type: 'header', name: 'Authorization', prefix: 'Token ' }, { Authorization: 'Token key-of-shop' }, {}],
    [{ type: 'bearer' }, { authorization: 'Bearer key-of-shop' }, {}],
    [{ type: 'basic' }, { authorization: `Basic ${btoa('key-of-shop:')}` }, {}],
    [{ type: 'query', name: 'api_key' }, {}, { api_key: 'key-of-shop' }],
  ])('%j', (auth, headers, query) => {
    expect(access(auth)).toMatchObject({
      baseUrl: 'https://things.example/api',
      headers: { ...headers, 'user-agent': 'Corner shop (till@shop.example)' },
      query,
      secrets: expect.arrayContaining(['key-of-shop']),
    });
  });

  it('a key of two parts is sent as user and password, and each part is kept secret', () => {
    const two = access({ type: 'basic', key: 'user:password' }, { apiKey: 'ck_12345678:cs_abcdefgh' });
    expect(two?.headers['authorization']).toBe(`Basic ${btoa('ck_12345678:cs_abcdefgh')}`);
    expect(two?.secrets).toEqual(expect.arrayContaining(['ck_12345678', 'cs_abcdefgh']));
    expect(() => access({ type: 'basic', key: 'user:password' })).toThrow('two parts');
  });

  it('an OAuth client is read from the parts of the key, whose addresses are those of the recipe or its own', () => {
    const own = { type: 'oauth2', tokenUrl: '/token', scope: 'read' };
    const machine = access(own, { apiKey: 'till%3A1:a-secret%25' });
    expect(machine).toMatchObject({
      headers: { 'user-agent': 'Corner shop (till@shop.example)' },
      oauth: {
        tokenUrl: 'https://things.example/api/token',
        grant: 'client_credentials',
        id: 'till:1',
        secret: 'a-secret%',
        sends: 'basic',
        scope: 'read',
        refreshToken: '',
      },
    });
    expect(machine?.headers).not.toHaveProperty('authorization');
    expect(machine?.secrets).toEqual(expect.arrayContaining(['a-secret%', 'a-secret%25']));
    const elsewhere = {
      type: 'oauth2',
      tokenUrl: 'https://id.example/t',
      grant: 'refresh_token',
      sends: 'post',
    };
    expect(access(elsewhere, { apiKey: 'till::a-refresh-token' })).toMatchObject({
      oauth: { tokenUrl: 'https://id.example/t', secret: '', refreshToken: 'a-refresh-token' },
      secrets: expect.arrayContaining(['a-refresh-token']),
    });
  });

  it.each([
    ['client_credentials', 'till', 'id:secret'],
    ['client_credentials', 'till:', 'id:secret'],
    ['client_credentials', 'till:secret:token', 'id:secret'],
    ['refresh_token', 'till:secret', 'id:secret:token'],
    ['refresh_token', ':secret:token', 'id:secret:token'],
  ])('an OAuth client of the grant %s is not read from %s', (grant, apiKey, shape) => {
    const auth = { type: 'oauth2', tokenUrl: '/token', grant };
    expect(() => access(auth, { apiKey })).toThrow(`needs "apiKey" as ${shape} of the OAuth client`);
  });

  it('the credential says where a source is that every shop hosts itself, before the recipe', () => {
    expect(access({ type: 'none' }, { baseUrl: 'https://shop.example/x' })?.baseUrl).toBe(
      'https://shop.example/x',
    );
    expect(() => rest.configure({ recipe: 'woocommerce' }).access(CREDENTIALS)).toThrow('needs "baseUrl"');
  });

  it('no header is smuggled in by a name or a key', () => {
    const agent = access({ type: 'none' }, { appName: 'Shop\r\nX-Evil: 1', appEmail: 'ä@b' })?.headers[
      'user-agent'
    ];
    expect(agent).toBe('ShopX-Evil: 1 (@b)');
    expect(() => access({ type: 'bearer' }, { apiKey: 'a\r\nb' })).toThrow('needs "apiKey"');
  });

  it('a source that refuses nameless clients is not asked without a name', () => {
    expect(() => access({ type: 'none' }, { appEmail: '' }, { mustIdentify: true })).toThrow(
      '"appName" and "appEmail"',
    );
  });
});
