import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { aPeopleProvider, PEOPLE_RECIPE } from '../support/people-provider.ts';
import { askOver } from '../support/socket.ts';
import { statusOf, tillctl } from '../support/till.ts';

// Each command is a process of its own, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const KEY = 'the-key-of-people';
const GOOD = { connector: 'rest', sink: 'mirror', interval_s: 60, settings: { recipe: PEOPLE_RECIPE } };

/** An integration that reads its recipe from a file beside the configuration. */
const BY_FILE = { ...GOOD, settings: { recipe: './recipes/people.json' } };

/** The recipe on lines of its own, with one line changed. */
function recipeText(from: string, to: string): string {
  const text = JSON.stringify(PEOPLE_RECIPE, null, 2);
  expect(text).toContain(from);
  return text.replace(from, to);
}

async function world(provider_a: object, recipe: string | null, more: object = {}): Promise<World> {
  const made = await aWorld({}, { integrations: { provider_a, provider_b: GOOD, ...more } });
  mkdirSync(join(made.folder, 'recipes'));
  if (recipe !== null) writeFileSync(join(made.folder, 'recipes', 'people.json'), recipe);
  return made;
}

function placed(shop: World, ...args: readonly string[]): readonly string[] {
  return [...args, '--config', shop.config, '--state-dir', join(shop.folder, 'state')];
}

/** What all ways to ask say of the refused integration, while the till sells and the other one syncs. */
async function sellsAndSays(shop: World, words: RegExp): Promise<void> {
  const daemon = await Daemon.start(shop);
  const sale = await tillctl(daemon, 'pay', '--device', DEVICE_ID, '--amount', '5.00', '--json');
  expect(JSON.parse(sale.stdout).data.status).toBe('succeeded');

  const { reasons, can_sell: canSell } = await statusOf(daemon);
  expect(canSell).toBe(true);
  const reason = reasons.find(({ code }: { code: string }) => code === 'integration_refused');
  expect(reason.message).toMatch(words);
  expect(reason.message).toMatch(/(tilld\.jsonc|people\.json):?/);
  expect((await tillctl(daemon, 'status')).stdout).toMatch(words);
  const listed = await tillctl(daemon, 'integrations');
  expect(listed.stdout).toMatch(/provider_a +\S+ +REFUSED/);
  expect(listed.stdout).toMatch(words);

  const doctor = await tillctl(daemon, ...placed(shop, 'doctor'));
  expect(doctor.code).toBe(1);
  const line = doctor.stdout.split('\n').find((one) => /^FAIL {2}config /.test(one));
  expect(line).toMatch(words);
  expect(line).toContain('tilld sells');

  const checked = await tillctl(daemon, 'config', 'check', shop.config);
  expect(checked.code).toBe(2);
  expect(checked.stderr).toMatch(words);

  const refused = await tillctl(daemon, 'sync', 'provider_a');
  expect(refused.code).toBe(1);

  const { url: baseUrl } = await aPeopleProvider(KEY, 3);
  await askOver(daemon.socket, 'POST', '/v2/integrations/provider_b/activate', {
    credentials: { apiKey: KEY, baseUrl },
  });
  await eventually(async () => {
    const { data } = (await askOver(daemon.socket, 'GET', '/v2/integrations/provider_b/streams')) as {
      data: { rows: number }[];
    };
    return data[0]?.rows === 3;
  });
  expect(await daemon.stop()).toBe(0);
}

describe('a provider whose recipe is wrong is refused alone, with line and column, and the till sells', () => {
  it.each([
    ['no JSON', recipeText('"bearer"', '"bearer'), /recipes\/people\.json:7:\d+ syntax/],
    [
      'an unknown word',
      recipeText('"items"', '"itmes"'),
      /recipes\/people\.json:12:7 resources\.customers\.itmes: is unknown/,
    ],
    [
      'an expression that is no JSONata',
      recipeText('"name": "name"', '"name": "first &"'),
      /recipes\/people\.json:18:9 resources\.customers\.fields\.name: this is no JSONata/,
    ],
    [
      'a key that stands there twice',
      recipeText('"path"', '"path": "/x",\n "path"'),
      /recipes\/people\.json:12:2 .*stands here a second time/,
    ],
    ['no file', null, /recipes\/people\.json .*there is no such file/],
  ])('for %s', async (_, recipe, words) => {
    await sellsAndSays(await world(BY_FILE, recipe), words);
  });
});

describe('a provider whose settings are wrong is refused alone, with line and column, and the till sells', () => {
  it.each([
    ['a number out of its range', { ...GOOD, interval_s: 5 }, /1:\d+ .*interval_s: is 5/],
    ['an unknown key', { ...GOOD, intervall_s: 60 }, /1:\d+ .*did you mean "interval_s"/],
    ['an unknown connector', { ...GOOD, connector: 'rset' }, /1:\d+ .*did you mean "rest"/],
    [
      'an unknown recipe',
      { ...GOOD, settings: { recipe: 'clinico' } },
      /1:\d+ integrations\.provider_a\.settings\.recipe: there is no recipe "clinico"/,
    ],
    [
      'a schedule of an unknown resource',
      { ...GOOD, schedules: { custmers: { cron: '0 6 * * *' } } },
      /1:\d+ integrations\.provider_a\.schedules\.custmers: .*did you mean "customers"/,
    ],
    [
      'a schedule with seconds',
      { ...GOOD, schedules: { customers: { cron: '* * * * * *' } } },
      /1:\d+ integrations\.provider_a\.schedules\.customers\.cron: has 6 fields/,
    ],
    ['no object', 'rest', /1:\d+ integrations\.provider_a/],
  ])('for %s', async (_, integration, words) => {
    await sellsAndSays(await world(integration as object, null), words);
  });

  it('also when its name is unknown', async () => {
    const shop = await aWorld({}, { integrations: { provider_c: GOOD } });
    const daemon = await Daemon.start(shop);
    expect((await statusOf(daemon)).reasons).toContainEqual({
      code: 'integration_refused',
      message: expect.stringMatching(/provider_c/),
    });
    expect(await daemon.stop()).toBe(0);
  });

  it('but any other mistake still stops the start', async () => {
    const shop = await aWorld({}, { integrations: { provider_a: { ...GOOD, interval_s: 5 } }, heartbeat: 1 });
    await expect(Daemon.start(shop)).rejects.toThrow(/ended with 2[\s\S]*heartbeat/);
  });

  it('and a missing credential is none of them: it is named when it is asked for', async () => {
    const daemon = await Daemon.start(await aWorld({}, { integrations: { provider_a: GOOD } }));
    const { stderr, code } = await tillctl(daemon, 'activate', 'provider_a');
    expect(code).toBe(1);
    expect(stderr).toMatch(/no credential for provider_a/);
    expect((await statusOf(daemon)).can_sell).toBe(true);
    expect(await daemon.stop()).toBe(0);
  });
});
