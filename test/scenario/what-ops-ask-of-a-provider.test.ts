import { describe, expect, it, vi } from 'vitest';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { aPeopleProvider, PEOPLE_RECIPE } from '../support/people-provider.ts';
import { askOver } from '../support/socket.ts';
import { tillctl } from '../support/till.ts';

// Each command is a process of its own, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const KEY = 'the-key-of-people';
const BROKEN = {
  ...PEOPLE_RECIPE,
  resources: {
    customers: {
      ...PEOPLE_RECIPE.resources.customers,
      fields: { name: 'id = "2" ? $error("no name") : name' },
    },
  },
};

describe('what ops ask of a provider', () => {
  it('is answered by the daemon: why records wait, what a dry run does, what can be read, what is stored', async () => {
    const integration = { connector: 'rest', sink: 'mirror', interval_s: 3600, settings: { recipe: BROKEN } };
    const daemon = await Daemon.start(await aWorld({}, { integrations: { provider_a: integration } }));
    const provider = await aPeopleProvider(KEY, 5);
    const credentials = { apiKey: KEY, baseUrl: provider.url };
    await askOver(daemon.socket, 'POST', '/v2/integrations/provider_a/activate', { credentials });
    await eventually(async () => {
      const found = (await askOver(daemon.socket, 'GET', '/v2/integrations/provider_a/streams')) as {
        data: { rows: number; parked: number }[];
      };
      return found.data[0]?.rows === 4 && found.data[0].parked === 1;
    });

    const parked = await tillctl(daemon, 'parked', 'provider_a');
    expect(parked.stdout).toMatch(/records +1 of provider_a\/customers: customers\/2/);
    expect(parked.stdout).toMatch(/"name" cannot be worked out/);
    const [retry] = /tillctl retry-parked provider_a --cause \S+/.exec(parked.stdout) ?? [];
    const retried = await tillctl(daemon, ...(retry ?? '').split(' ').slice(1));
    expect(retried).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 parked record is tried/) });
    const [list] = /tillctl parked provider_a --cause \S+/.exec(parked.stdout) ?? [];
    expect((await tillctl(daemon, ...(list ?? '').split(' ').slice(1))).stdout).toMatch(/record +2\n/);

    const dry = await tillctl(daemon, 'sync', 'provider_a', '--dry-run', '--full-resync');
    expect(dry.stdout).toMatch(/! 1 park\n +1 × "name" cannot be worked out/);
    expect(dry.stdout).not.toContain('Person');

    const tested = await tillctl(daemon, 'test', 'provider_a');
    expect(tested).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/customers +yes +5, 1 unreadable/),
    });
    const stored = await tillctl(daemon, 'credentials', 'provider_a', 'show');
    expect(stored.stdout).toContain(provider.url);
    expect(stored.stdout).not.toContain(KEY);
    expect((await tillctl(daemon, 'lookback', 'provider_a', '400')).code).toBe(0);

    provider.fails(503);
    await tillctl(daemon, 'sync', 'provider_a', '--wait');
    const one = await tillctl(daemon, 'integrations', 'provider_a');
    expect(one.stdout).toMatch(/looks back +400 days/);
    expect(one.stdout).toMatch(/customers +changes|customers +sweep|customers +full/);
    expect(one.stdout).toMatch(/\d+ \(customers\): .*status 503/);
    expect(one.stdout).toMatch(/who is that\?/);
    expect(await daemon.stop()).toBe(0);
  });
});
