import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { STEPS } from '../../src/cli/provider.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { aPeopleProvider, PEOPLE_RECIPE, type PeopleProvider } from '../support/people-provider.ts';
import { askOver } from '../support/socket.ts';
import type { CommandResult } from '../support/till.ts';
import { start } from '../unit/cli/command-line.ts';
import { FakeDaemon } from '../unit/cli/fake-daemon.ts';

// Each test starts a daemon, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const KEY = 'a-key-that-works';
const NEW_KEY = 'the-key-after-it';
const REST = { connector: 'rest', sink: 'mirror', interval_s: 60, max_errors: 1 };
/** One that wants to be asked by name. */
const POLITE = { ...PEOPLE_RECIPE, mustIdentify: true };

const SIGNED = { type: 'hmac', header: 'X-Signature', encoding: 'hex', form: { style: 'raw' } };

/** Rows of {@link STEPS} whose step a test has followed. */
const followed = new Set<string>();

async function typed(
  { socket }: { readonly socket: string },
  ...words: readonly string[]
): Promise<CommandResult> {
  const { exit, out, err } = await start(['--socket', socket, ...words]).ended;
  return { code: exit ?? -1, stdout: out, stderr: err };
}

/** A shop with a provider of people as `provider_a` and `provider_b`, files as `provider_d`, and a person with two key files. */
class Shop {
  readonly world: World;
  daemon: Daemon;
  readonly people: PeopleProvider;

  private constructor(world: World, daemon: Daemon, people: PeopleProvider) {
    this.world = world;
    this.daemon = daemon;
    this.people = people;
  }

  static async open(): Promise<Shop> {
    const people = await aPeopleProvider(KEY, 2);
    const folder = join((await aWorld()).folder, 'drop');
    mkdirSync(folder, { recursive: true });
    const resources = { memberships: { files: '*.csv', id: 'number' } };
    const world = await aWorld(
      {},
      {
        integrations: {
          provider_a: { ...REST, settings: { recipe: './people.json' } },
          provider_b: { ...REST, settings: { recipe: POLITE } },
          provider_d: { connector: 'files', sink: 'mirror', folder, settings: { resources } },
        },
      },
    );
    writeFileSync(join(world.folder, 'people.json'), JSON.stringify(PEOPLE_RECIPE));
    writeFileSync(join(world.folder, 'key'), `${KEY}\n`);
    writeFileSync(join(world.folder, 'new-key'), `${NEW_KEY}\n`);
    return new Shop(world, await Daemon.start(world), people);
  }

  /** In this process: a test types many commands, and a process of its own takes seconds on a busy machine. */
  run(...words: readonly string[]): Promise<CommandResult> {
    return typed(this.daemon, ...words);
  }

  async restart(): Promise<void> {
    await this.daemon.stop();
    this.daemon = await Daemon.start(this.world);
  }

  /**
   * Does what a next step says as it stands there; what is in capitals is what the person knows. Options alone go behind the command that was
   * refused.
   */
  async follow(text: string, file = 'key', refused: readonly string[] = []): Promise<void> {
    const [before = '', after] = text.split('Next: ');
    expect(after, text).toBeDefined();
    followed.add(String(STEPS.find(([words]) => words.test(before))?.[0]));
    const [step = ''] = (after ?? '').split('\n');
    const [first = '', ...afterRestart] = step.split('restart tilld');
    await this.#typed(first, file, refused);
    for (const part of afterRestart) {
      await this.restart();
      if (part.includes('`')) await this.#typed(part, file, refused);
    }
  }

  async #typed(step: string, file: string, refused: readonly string[]): Promise<void> {
    const commands = [...step.matchAll(/`(tillctl )?([^`]+)`/g)];
    expect(commands, step).not.toHaveLength(0);
    for (const [, isWhole, command = ''] of commands) {
      const words = command
        .replace('FILE', join(this.world.folder, file))
        .replace('ADDRESS', this.people.url)
        .replace('NAME', 'Shop')
        .replace('MAIL', 'shop@shop.example')
        .replace('DIR', join(this.world.folder, 'state'))
        .split(' ');
      const done = await this.run(...(isWhole ? [] : refused), ...words);
      // A doctor that finds something has worked.
      expect(words[0] === 'doctor' ? [0, 1] : [0], `${command}: ${done.stderr}`).toContain(done.code);
    }
  }

  async activate(): Promise<void> {
    const { url } = this.people;
    const key = join(this.world.folder, 'key');
    const done = await this.run('activate', 'provider_a', '--api-key-file', key, '--base-url', url);
    expect(done.code).toBe(0);
    await eventually(async () => {
      const { data } = (await askOver(this.daemon.socket, 'GET', '/v2/integrations/provider_a/streams')) as {
        data: { rows: number }[];
      };
      return data[0]?.rows === 2;
    });
  }

  async paused(reason: string): Promise<void> {
    await this.run('sync', 'provider_a');
    await eventually(async () => {
      const { data } = (await askOver(this.daemon.socket, 'GET', '/v2/integrations/provider_a')) as {
        data: { paused_reason: string | null };
      };
      return data.paused_reason === reason;
    }, 60_000);
  }
}

describe('the next step that a refusal shows works as it stands there', () => {
  it('for a provider that was never switched on', async () => {
    const shop = await Shop.open();
    const refused = await shop.run('sync', 'provider_a');
    expect(refused.code).toBe(1);
    await shop.follow(refused.stderr);
    expect((await shop.run('sync', 'provider_a')).code).toBe(0);
  });

  it('for one that wants to be asked by name', async () => {
    const shop = await Shop.open();
    await shop.follow((await shop.run('sync', 'provider_b')).stderr);
    expect((await shop.run('sync', 'provider_b')).code).toBe(0);
  });

  it('for one that needs no key', async () => {
    const shop = await Shop.open();
    await shop.follow((await shop.run('sync', 'provider_d')).stderr);
    expect((await shop.run('sync', 'provider_d')).code).toBe(0);
  });

  it('for one that was switched off, whose key is kept', async () => {
    const shop = await Shop.open();
    await shop.activate();
    await shop.run('deactivate', 'provider_a');
    for (const verb of ['sync', 'resume']) {
      const refused = await shop.run(verb, 'provider_a');
      expect(refused.code).toBe(1);
      await shop.follow(refused.stderr);
      expect((await shop.run(verb, 'provider_a')).code).toBe(0);
      await shop.run('deactivate', 'provider_a');
    }
  });

  it('for one without a key: to switch it on, and for a dry run', async () => {
    const shop = await Shop.open();
    await shop.follow((await shop.run('activate', 'provider_a')).stderr);
    await shop.follow((await shop.run('sync', 'provider_b', '--dry-run')).stderr);
    expect((await shop.run('sync', 'provider_b', '--dry-run')).code).toBe(0);
  });

  it('for a key without the address that belongs to it', async () => {
    const shop = await Shop.open();
    const key = join(shop.world.folder, 'key');
    for (const [verb, provider] of [
      ['activate', 'provider_a'],
      ['rotate', 'provider_b'],
    ] as const) {
      const refused = await shop.run(verb, provider, '--api-key-file', key);
      expect(refused.code).toBe(1);
      await shop.follow(refused.stderr);
    }
  });

  it('for a key that the provider has withdrawn: the new one is enough', async () => {
    const shop = await Shop.open();
    await shop.activate();
    shop.people.takes(NEW_KEY);
    await shop.paused('credentials');
    const refused = await shop.run('sync', 'provider_a');
    expect(refused.stderr).toContain('credential was refused');
    await shop.follow(refused.stderr, 'new-key');
    expect((await shop.run('sync', 'provider_a', '--wait')).code).toBe(0);
  });

  it('for the list of a provider that is paused', async () => {
    const shop = await Shop.open();
    await shop.activate();
    shop.people.takes(NEW_KEY);
    await shop.paused('credentials');
    await shop.follow((await shop.run('integrations')).stdout, 'new-key');
    expect((await shop.run('sync', 'provider_a', '--wait')).code).toBe(0);
  });

  it('for one whose runs have failed too often', async () => {
    const shop = await Shop.open();
    await shop.activate();
    shop.people.fails(404);
    await shop.paused('errors');
    shop.people.fails(null);
    await shop.follow((await shop.run('sync', 'provider_a')).stderr);
    expect((await shop.run('sync', 'provider_a', '--wait')).code).toBe(0);
  });

  it('for a resource that it does not have, and for nothing to let go', async () => {
    const shop = await Shop.open();
    await shop.activate();
    await shop.follow((await shop.run('sync', 'provider_a', '--resource', 'invoices')).stderr);
    await shop.follow((await shop.run('approve', 'provider_a', 'customers')).stderr);
  });

  it('for a stored key without the address that belongs to it', async () => {
    const shop = await Shop.open();
    const key = join(shop.world.folder, 'key');
    expect((await shop.run('activate', 'provider_a', '--api-key-file', key, '--no-test')).code).toBe(0);
    await shop.follow((await shop.run('sync', 'provider_a', '--dry-run')).stderr);
    expect((await shop.run('sync', 'provider_a', '--dry-run')).code).toBe(0);
  });

  it('for a dry run while another one reads', async () => {
    const shop = await Shop.open();
    await shop.activate();
    const goOn = shop.people.waits();
    const first = askOver(shop.daemon.socket, 'POST', '/v2/integrations/provider_a/dry-run', {});
    const refused = await shop.run('sync', 'provider_a', '--dry-run');
    const [before = '', step] = refused.stderr.split('Next: ');
    expect(step).toMatch(/^wait for it, at most two minutes/);
    followed.add(String(STEPS.find(([words]) => words.test(before))?.[0]));
    goOn();
    await first;
    expect((await shop.run('sync', 'provider_a', '--dry-run')).code).toBe(0);
  });

  it('for a key that this machine cannot open any more', async () => {
    const shop = await Shop.open();
    await shop.activate();
    rmSync(join(shop.world.folder, 'state', 'credentials', 'seal.key'));
    await shop.restart();
    await shop.follow((await shop.run('credentials', 'provider_a', 'show')).stdout);
    expect((await shop.run('sync', 'provider_a', '--wait')).code).toBe(0);
  });

  it('for webhooks without a secret, and for a recipe that was changed', async () => {
    const shop = await Shop.open();
    await shop.activate();
    const webhook = { signature: SIGNED, event: { in: { body: 'type' }, resources: { ping: [] } } };
    writeFileSync(join(shop.world.folder, 'people.json'), JSON.stringify({ ...PEOPLE_RECIPE, webhook }));
    await shop.follow((await shop.run('integrations')).stdout);
    const shown = (await shop.run('integrations', 'provider_a')).stdout;
    expect(shown).toMatch(/are refused: no secret/);
    await shop.follow(shown);
    expect((await shop.run('integrations', 'provider_a')).stdout).not.toMatch(/no secret/);
  });

  it('for one whose recipe cannot be used, once the file is corrected', async () => {
    const shop = await Shop.open();
    await shop.activate();
    const recipe = join(shop.world.folder, 'people.json');
    writeFileSync(recipe, JSON.stringify({ ...PEOPLE_RECIPE, resources: {} }));
    await shop.restart();
    const shown = (await shop.run('integrations')).stdout;
    expect(shown).toContain('provider_a is refused, everything else runs');
    writeFileSync(recipe, JSON.stringify(PEOPLE_RECIPE));
    await shop.follow(shown, 'tilld.jsonc');
    expect((await shop.run('sync', 'provider_a', '--wait')).code).toBe(0);
  });

  it('for a daemon that could not examine itself', async () => {
    const shop = await Shop.open();
    const failed = { state: 'failed', started_at: null, ended_at: null, findings: [], failure: 'no memory' };
    const answer = () => ({ status: 200, body: { data: failed } });
    const daemon = await new FakeDaemon().on('POST /v2/doctor', answer).start();
    const { stderr } = await typed(daemon, 'doctor');
    await daemon.remove();
    await shop.follow(stderr, 'tilld.jsonc');
  });

  it('for a recipe without a credential of its own: nothing is switched on', async () => {
    const shop = await Shop.open();
    const file = join(shop.world.folder, 'people.json');
    for (const recipe of [PEOPLE_RECIPE, { ...PEOPLE_RECIPE, baseUrl: shop.people.url }, POLITE]) {
      writeFileSync(file, JSON.stringify(recipe));
      const words = ['recipe', 'try', file];
      await shop.follow((await shop.run(...words)).stderr, 'key', words);
    }
    const unknown = await shop.run('recipe', 'try', file, '--resource', 'orders');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.not.stringContaining('Next: ') });
    expect((await shop.run('integrations')).stdout).toMatch(/provider_a +rest +not active/);
  });

  it('whatever the refusal: every row of the steps was followed here', () => {
    expect(STEPS.map(([words]) => String(words)).filter((words) => !followed.has(words))).toEqual([]);
  });
});

describe('a key of a provider', () => {
  it('is tried before it takes the place of one that works', async () => {
    const shop = await Shop.open();
    await shop.activate();
    const wrong = join(shop.world.folder, 'new-key');
    const refused = await shop.run('rotate', 'provider_a', '--api-key-file', wrong);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/nothing was stored.*provider_a/);
    expect(refused.stderr).not.toContain(NEW_KEY);
    expect((await shop.run('sync', 'provider_a', '--wait')).code).toBe(0);
    await shop.follow(refused.stderr);
  });

  it('is stored without a trial where the person says so', async () => {
    const shop = await Shop.open();
    await shop.activate();
    const later = join(shop.world.folder, 'new-key');
    expect((await shop.run('rotate', 'provider_a', '--api-key-file', later, '--no-test')).code).toBe(0);
    shop.people.takes(NEW_KEY);
    expect((await shop.run('sync', 'provider_a', '--wait')).code).toBe(0);
  });
});
