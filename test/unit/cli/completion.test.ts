import { describe, expect, it } from 'vitest';
import { spawnTillctl } from './command-line.ts';
import { DEVICE, FakeDaemon, list } from './fake-daemon.ts';

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

  it.each([
    [['end-of-day', ''], `${DEVICE.id}\tCounter 1\nLane-2\tLane-2\n:4\n`],
    [['pay', '--device', ''], `${DEVICE.id}\tCounter 1\nLane-2\tLane-2\n:4\n`],
    [['parked', ''], 'provider_a\nprovider_b\nterminal\nprovider_d\n:4\n'],
  ])('completes names after %j: a terminal of two words by its id, and slots', async (typed, words) => {
    const lane = { ...DEVICE, id: '0199c0de-0000-7000-8000-000000000002', name: 'Lane-2' };
    const daemon = await new FakeDaemon().on('GET /v2/terminal-devices', () => list([DEVICE, lane])).start();
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
