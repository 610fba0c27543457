import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { aPeopleProvider, PEOPLE_RECIPE, type PeopleProvider } from '../support/people-provider.ts';
import { askOver } from '../support/socket.ts';
import { type CommandResult, tillctl } from '../support/till.ts';

// Each command is a process of its own, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const KEY = 'a-key-that-works';
const NEW_KEY = 'the-key-after-it';
const REST = { connector: 'rest', sink: 'mirror', interval_s: 60, max_errors: 1 };
/** One that wants to be asked by name. */
const POLITE = { ...PEOPLE_RECIPE, mustIdentify: true };

/** A shop with a provider of people as `provider_a` and `provider_b`, files as `provider_d`, and a person with two key files. */
class Shop {
  readonly world: World;
  readonly daemon: Daemon;
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
          provider_a: { ...REST, settings: { recipe: PEOPLE_RECIPE } },
          provider_b: { ...REST, settings: { recipe: POLITE } },
          provider_d: { connector: 'files', sink: 'mirror', folder, settings: { resources } },
        },
      },
    );
    writeFileSync(join(world.folder, 'key'), `${KEY}\n`);
    writeFileSync(join(world.folder, 'new-key'), `${NEW_KEY}\n`);
    return new Shop(world, await Daemon.start(world), people);
  }

  run(...words: readonly string[]): Promise<CommandResult> {
    return tillctl(this.daemon, ...words);
  }

  /** Types the commands of a next step as they stand there; what is in capitals is what the person knows. */
  async follow(text: string, key = 'key'): Promise<void> {
    const [, step] = /Next: (.*)/.exec(text) ?? [];
    expect(step, text).toBeDefined();
    const commands = [...(step ?? '').matchAll(/`tillctl ([^`]+)`/g)].map(([, words]) => words ?? '');
    expect(commands, step).not.toHaveLength(0);
    for (const command of commands) {
      const words = command
        .replace('FILE', join(this.world.folder, key))
        .replace('ADDRESS', this.people.url)
        .replace('NAME', 'Shop')
        .replace('MAIL', 'shop@shop.example')
        .split(' ');
      const done = await this.run(...words);
      expect(done, command).toMatchObject({ code: 0 });
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
