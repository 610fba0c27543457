import { describe, expect, it } from 'vitest';
import { spawnTillctl } from './command-line.ts';
import { AT, DEVICE, FakeDaemon, list } from './fake-daemon.ts';

describe('tillctl completion', () => {
  it.each(['bash', 'zsh', 'fish'])('prints a script for %s that asks tillctl itself', async (shell) => {
    const ran = await spawnTillctl(['completion', shell]).ended;
    expect(ran).toMatchObject({ exit: 0, err: '' });
    expect(ran.out).toMatch(/tillctl complete --/);
  });

  it('completes verbs, their parts and their options', async () => {
    const words = async (...typed: string[]) => {
      const { out } = await spawnTillctl(['complete', '--', ...typed]).ended;
      return out.split('\n').flatMap((line) => (line.includes('\t') ? [line.split('\t')[0]] : []));
    };
    expect(await words('stat')).toEqual(['status']);
    expect(await words('keys', '')).toEqual(
      expect.arrayContaining(['create', 'list', 'roll', 'revoke', 'audit']),
    );
    expect(await words('pay', '--am')).toEqual(['--amount']);
  });

  const id = (end: number) => `0199c0de-0000-7000-8000-${String(end).padStart(12, '0')}`;
  const TERMINALS = `Counter-1\tCounter 1\nLane-2\n${id(3)}\tCafé (2)\n${id(4)}\tBar 1\n${id(5)}\tbar-1\n:4\n`;

  it.each([
    [['end-of-day', ''], TERMINALS],
    [['pay', '--device', ''], TERMINALS],
    [['devices', 'show', ''], TERMINALS],
    [['sign-in', '--person', ''], 'Zoë-Smith\tZoë Smith\n:4\n'],
    [['people', 'disable', ''], 'Zoë-Smith\tZoë Smith\n:4\n'],
    [['devices', 'withdraw', ''], 'Tablet-2\tTablet 2\n:4\n'],
    [['webhooks', 'deliveries', '--endpoint', ''], `${id(9)}\thttps://till.example/hooks\n:4\n`],
    [['parked', ''], 'provider_a\nprovider_b\nterminal\nprovider_d\n:4\n'],
  ])('completes names after %j as one word, by an id where that is none, and slots', async (typed, words) => {
    const names = ['Counter 1', 'Lane-2', 'Café (2)', 'Bar 1', 'bar-1'];
    const gone = { role: 'staff', system_user: null, created_at: AT, paired_at: AT };
    const person = {
      ...gone,
      id: id(7),
      object: 'person',
      name: 'Zoë Smith',
      status: 'active',
      disabled_at: null,
    };
    const browser = { ...gone, id: id(8), object: 'paired_device', name: 'Tablet 2', status: 'paired' };
    const endpoint = {
      id: id(9),
      object: 'webhook_endpoint',
      url: 'https://till.example/hooks',
      events: [],
      status: 'enabled',
      needs_new_secret: false,
      created_at: AT,
      updated_at: AT,
    };
    const daemon = await new FakeDaemon()
      .on('GET /v2/terminal-devices', () =>
        list(names.map((name, at) => ({ ...DEVICE, id: id(at + 1), name }))),
      )
      .on('GET /v2/people', () =>
        list([person, { ...person, name: 'Al', status: 'disabled', disabled_at: AT }]),
      )
      .on('GET /v2/paired-devices', () => list([{ ...browser, withdrawn_at: null }]))
      .on('GET /v2/webhook-endpoints', () => list([endpoint]))
      .start();
    const env = { TILLD_SOCKET: daemon.socket };
    const ran = await spawnTillctl(['complete', '--', ...typed], '', env).ended;
    await daemon.remove();
    expect(ran.out.replaceAll('\t\n', '\n')).toBe(words);
  });

  it('completes no name without a daemon', async () => {
    const env = { TILLD_SOCKET: '/nonexistent' };
    expect((await spawnTillctl(['complete', '--', 'end-of-day', ''], '', env).ended).out).toBe(':4\n');
  });

  it('knows the shells it knows, and says which', async () => {
    const ran = await spawnTillctl(['completion', 'ksh']).ended;
    expect(ran).toMatchObject({ exit: 2, err: expect.stringContaining('bash, zsh, fish') });
  });
});
