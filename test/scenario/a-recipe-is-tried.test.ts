import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aWorld, Daemon, type World } from '../support/daemon.ts';
import { askOver } from '../support/socket.ts';
import { type CommandResult, tillctl } from '../support/till.ts';

// Each command is a process of its own, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const KEY = 'a-key-of-the-desk';
const RECIPE = {
  recipe: 1,
  id: 'desk',
  title: 'Desk',
  documentation: 'https://desk.example/docs',
  auth: { type: 'bearer' },
  resources: {
    customers: {
      path: '/people',
      query: { sort: 'id' },
      page: { style: 'page', size: 50, sizeParameter: 'per_page' },
      id: 'id',
      fields: { name: 'first & " " & last', email: 'mail', phon: 'phone' },
    },
    invoices: {
      path: '/bills',
      query: { filter: 'open' },
      page: { style: 'whole' },
      changes: { from: { parameter: 'since', format: 'iso' } },
      id: 'id',
      updatedAt: { value: '(changed ? changed : made)', format: 'iso' },
      fields: {
        status: '"open"',
        currency: '"EUR"',
        total_minor: '$round($number(total) * 100)',
        customer_external_id: 'who',
        due_on: 'due',
        lines: 'items.{"description": name, "quantity": 1, "unit_amount_minor": 100}',
      },
    },
  },
};
const PEOPLE = [
  { id: 1, first: 'Anna', last: 'Muster', mail: 'anna@example.com', phone: '1' },
  { id: 2, first: 'Bo', last: null, mail: null, phone: '2' },
  { first: 'Nobody' },
  { id: 4, first: 'Di', last: 'Fourth', mail: 'd@example.com', phone: '4' },
];
const BILLS = [
  {
    id: 7,
    changed: '2026-01-02T03:04:05',
    total: '29.35',
    who: '1',
    due: '2026-02-01T00:00:00',
    items: [{ name: 'A' }],
  },
];

interface Source {
  readonly url: string;
  readonly asked: { readonly path: string; readonly key: string }[];
  bills: readonly object[];
  /** The status of an answer of bills that change tomorrow, which then has none; null: it is as any other. */
  ofTomorrow: number | null;
}

async function aSource(): Promise<Source> {
  const source: Source & { url: string } = { url: '', asked: [], bills: BILLS, ofTomorrow: null };
  const server = createServer((request, answer) => {
    const key = request.headers.authorization ?? '';
    source.asked.push({ path: request.url ?? '', key });
    const since = new URL(request.url ?? '', 'http://desk').searchParams.get('since') ?? '';
    const status = Date.parse(since) > Date.now() ? source.ofTomorrow : null;
    const bills = status === null ? source.bills : [];
    const body = request.url?.startsWith('/people') ? PEOPLE : bills;
    answer.writeHead(key === `Bearer ${KEY}` ? (status ?? 200) : 401, { 'content-type': 'application/json' });
    answer.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  source.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return source;
}

interface Shop {
  readonly world: World;
  readonly daemon: Daemon;
  readonly source: Source;
  readonly run: (...words: readonly string[]) => Promise<CommandResult>;
}

async function open(integrationsOf: (source: Source) => object = () => ({})): Promise<Shop> {
  const source = await aSource();
  const world = await aWorld({}, { integrations: integrationsOf(source) });
  writeFileSync(join(world.folder, 'desk.json'), JSON.stringify(RECIPE, null, 2));
  writeFileSync(join(world.folder, 'key'), KEY);
  const daemon = await Daemon.start(world);
  return { world, daemon, source, run: (...words) => tillctl(daemon, ...words) };
}

const file = ({ world }: Shop) => join(world.folder, 'desk.json');
const key = ({ world, source }: Shop) => [
  '--api-key-file',
  join(world.folder, 'key'),
  '--base-url',
  source.url,
];

describe('a recipe is tried before it is configured', () => {
  it('with a given key: raw, mapped and what would be written, with what is probably not meant', async () => {
    const shop = await open();
    const tried = await shop.run('recipe', 'try', file(shop), ...key(shop));
    expect(tried).toMatchObject({ code: 0 });
    const text = tried.stdout;
    expect(text).toContain('GET /people?sort=id&page=1&per_page=50');
    expect(text).toContain('4 records came, a further page may follow; 3 shown, nothing was stored');
    expect(text).toMatch(/1\. raw +\{"id":1,"first":"Anna"/);
    expect(text).toMatch(/mapped +id 1 +\{"name":"Anna Muster","email":"anna@example\.com"/);
    expect(text).toMatch(/write +PUT \/customers\/external\/batch +\{.*"name":"Anna Muster"/);
    expect(text).toMatch(/! "email" is null: `mail` gives nothing here/);
    expect(text).toMatch(/3\. raw.*\n +mapped +not at all: .*id/);
    expect(text).toMatch(/park/);
    expect(text).toMatch(/! "phon" is no field of customers: .*phone/);
    expect(text + tried.stderr).not.toContain(KEY);
    expect(shop.source.asked).toHaveLength(1);
    expect((await shop.run('integrations', '--streams')).stdout).not.toMatch(/customers/);
    expect((await askOver(shop.daemon.socket, 'GET', '/v2/integrations/provider_a')) as object).toMatchObject(
      {
        data: { active: false, missing_credentials: [] },
      },
    );
  });

  it('one resource of it: a list of one, which stays a list, and times without a zone', async () => {
    const shop = await open();
    const words = ['recipe', 'try', file(shop), '--resource', 'invoices', ...key(shop)];
    const bare = await shop.run(...words);
    expect(bare.stdout).toMatch(/not at all: its time of change is wrong/);
    const { stdout } = await shop.run(...words, '--time-zone', 'Europe/Berlin', '--json');
    const { data } = JSON.parse(stdout);
    expect(data).toMatchObject({ object: 'recipe_trial', resource: 'invoices', received: 1 });
    expect(data.request).toMatch(/^GET \/bills\?filter=open&since=\d{4}-/);
    const [one] = data.records;
    expect(one.warnings).toEqual([
      expect.stringMatching(/"updatedAt" has no time zone: it is read as one of Europe\/Berlin/),
      expect.stringMatching(/"due_on" is a time without a time zone/),
    ]);
    expect(one.mapped.fields.lines).toHaveLength(1);
  });

  it('and where nothing comes it says why that may be', async () => {
    const shop = await open();
    shop.source.bills = [];
    const { stdout } = await shop.run('recipe', 'try', file(shop), '--resource', 'invoices', ...key(shop));
    expect(stdout).toContain('! the source answers, and sends no invoices');
    expect(stdout).toMatch(/! the first sync asks for what has changed in the last \d+ days/);
    expect(stdout).toMatch(/! the request has a filter/);
    expect(stdout).toMatch(/! the key may not be allowed to read invoices/);
  });

  it.each([
    ['ignores', null, /! the source knows no such filter as "changes" says.*since=.*it sends 1 all the same/],
    ['refuses', 400, /! asking for changes .*failed: .*status 400/],
    ['cannot serve now', 429, /! asking for changes .*failed: /],
    ['understands', 200, null],
  ])('a filter for changes that the source %s', async (_, status, words) => {
    const shop = await open();
    shop.source.ofTomorrow = status;
    const { code, stdout } = await shop.run(
      ...['recipe', 'try', file(shop), '--resource', 'invoices', '--time-zone', 'UTC', ...key(shop)],
    );
    expect(code).toBe(0);
    if (words) expect(stdout).toMatch(words);
    else expect(stdout).not.toMatch(/changes/);
    expect(shop.source.asked.map(({ path }) => path)).toEqual([
      expect.stringContaining('since='),
      expect.stringContaining('since='),
    ]);
  });

  it('a name of a field that is null in a text', async () => {
    const shop = await open();
    const recipe = structuredClone(RECIPE);
    recipe.resources.customers.fields.name = 'first & " " & last';
    writeFileSync(file(shop), JSON.stringify(recipe));
    const { stdout } = await shop.run('recipe', 'try', file(shop), ...key(shop));
    expect(stdout).toMatch(/! "name" joins a null with &, which counts as nothing: \$join/);
  });
});

describe('a recipe is tried with the stored key', () => {
  const integration = (recipe: object) => ({
    provider_a: { connector: 'rest', sink: 'mirror', settings: { recipe } },
  });

  it('of its integration, and of no other address', async () => {
    const shop = await open(() => integration(RECIPE));
    expect((await shop.run('activate', 'provider_a', ...key(shop))).code).toBe(0);
    expect(await shop.run('recipe', 'try', file(shop))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /Anna.*! "phon" is no field of customers: it is kept under this name only\. /s,
      ),
    });
    const other = await aSource();
    writeFileSync(file(shop), JSON.stringify({ ...RECIPE, baseUrl: other.url }));
    expect((await shop.run('recipe', 'try', file(shop))).code).toBe(0);
    expect(other.asked).toEqual([]);
  });

  it('which never goes to an address that only the recipe names', async () => {
    const shop = await open(({ url }) => integration({ ...RECIPE, baseUrl: url }));
    const stored = await shop.run('activate', 'provider_a', '--api-key-file', join(shop.world.folder, 'key'));
    expect(stored.code).toBe(0);
    expect((await shop.run('recipe', 'try', file(shop))).stderr).toMatch(/baseUrl/);
    const other = await aSource();
    writeFileSync(file(shop), JSON.stringify({ ...RECIPE, baseUrl: other.url }));
    const refused = await shop.run('recipe', 'try', file(shop));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/is for another address/) });
    expect(other.asked).toEqual([]);
    writeFileSync(file(shop), JSON.stringify({ ...RECIPE, baseUrl: shop.source.url }));
    expect((await shop.run('recipe', 'try', file(shop))).code).toBe(0);
  });

  it('while a given key goes to no address but the given one and that of the recipe', async () => {
    const shop = await open(() => integration(RECIPE));
    expect((await shop.run('activate', 'provider_a', ...key(shop))).code).toBe(0);
    const other = await aSource();
    writeFileSync(join(shop.world.folder, 'given'), 'a-key-of-another-provider');
    const given = ['--api-key-file', join(shop.world.folder, 'given')];
    writeFileSync(file(shop), JSON.stringify({ ...RECIPE, baseUrl: other.url }));
    await shop.run('recipe', 'try', file(shop), ...given);
    expect(other.asked).toMatchObject([{ key: 'Bearer a-key-of-another-provider' }]);
    writeFileSync(file(shop), JSON.stringify(RECIPE));
    const refused = await shop.run('recipe', 'try', file(shop), ...given);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/needs "baseUrl"/) });
    expect(shop.source.asked.filter((one) => one.key !== `Bearer ${KEY}`)).toEqual([]);
  });

  it('without a recipe the one that runs there, where one runs', async () => {
    const shop = await open(() => integration(RECIPE));
    expect((await shop.run('activate', 'provider_a', ...key(shop))).code).toBe(0);
    const tried = (provider: string, body: object) =>
      askOver(shop.daemon.socket, 'POST', `/v2/integrations/${provider}/try-recipe`, body);
    expect(await tried('provider_a', { limit: 1 })).toMatchObject({
      data: { resource: 'customers', records: [{ mapped: { fields: { name: 'Anna Muster' } } }] },
    });
    await expect(tried('provider_a', { timeZone: 'UTC' })).rejects.toThrow(/must hold a recipe/);
    await expect(tried('provider_b', {})).rejects.toThrow(/no recipe runs at this integration/);
  });

  it('and what is wrong in it is said with line and column, also without a daemon', async () => {
    const shop = await open();
    const text = JSON.stringify(RECIPE, null, 2).replace('"per_page"', '"per_page",\n"sise": 5');
    writeFileSync(file(shop), text);
    for (const verb of ['try', 'check']) {
      const refused = await tillctl({ socket: '/nowhere' }, 'recipe', verb, file(shop));
      expect(refused.code).toBe(2);
      expect(refused.stderr).toMatch(
        /desk\.json has a problem:\n {2}\d+:\d+ resources\.customers\.page\.sise: is unknown/,
      );
    }
    writeFileSync(file(shop), JSON.stringify(RECIPE));
    expect(await tillctl({ socket: '/nowhere' }, 'recipe', 'check', file(shop))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/is fine: customers, invoices/),
    });
  });

  it('an unknown name and an unknown resource are refused in words', async () => {
    const shop = await open();
    const unknown = await shop.run('recipe', 'try', 'clinico', ...key(shop));
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringMatching(/there is no recipe "clinico"/) });
    const none = await shop.run('recipe', 'try', file(shop), '--resource', 'orders', ...key(shop));
    expect(none).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no resource of this name: customers, invoices/),
    });
    const noKey = await shop.run('recipe', 'try', file(shop));
    expect(noKey).toMatchObject({ code: 1, stderr: expect.stringMatching(/no credential/) });
  });
});

describe('a recipe file that is changed after the start', () => {
  it('is said to be unused wherever its integration is looked at, until a restart reads it', async () => {
    const recipe = { ...RECIPE, resources: { customers: RECIPE.resources.customers } };
    const shop = await open(() => ({
      provider_a: { connector: 'rest', sink: 'mirror', settings: { recipe: './desk.json' } },
    }));
    const words = `provider_a runs its recipe as it was when tilld started; ${file(shop)} has changed since`;
    const activated = await shop.run('activate', 'provider_a', ...key(shop));
    expect(activated).toMatchObject({ code: 0, stdout: expect.not.stringContaining('has changed') });
    writeFileSync(file(shop), `// the desk\n${JSON.stringify(RECIPE)}`);
    expect((await shop.run('integrations')).stdout).not.toContain('has changed');

    writeFileSync(file(shop), JSON.stringify(recipe));
    expect((await shop.run('activate', 'provider_a')).stdout).toContain(words);
    expect((await shop.run('integrations')).stdout).toContain(words);
    expect((await shop.run('sync', 'provider_a')).stderr).toContain(words);
    const waited = await shop.run('sync', 'provider_a', '--resource', 'customers', '--wait');
    expect(waited.stderr).toContain(words);
    const shown = await askOver(shop.daemon.socket, 'GET', '/v2/integrations/provider_a');
    expect(shown).toMatchObject({ data: { changed_recipe: file(shop) } });
    rmSync(file(shop));
    expect((await shop.run('integrations')).stdout).toContain(words);

    writeFileSync(file(shop), JSON.stringify(recipe));
    await shop.daemon.stop();
    const again = await Daemon.start(shop.world);
    expect((await tillctl(again, 'integrations')).stdout).not.toContain('has changed');
  });
});
