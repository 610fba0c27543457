import { describe, expect, it } from 'vitest';
import { spawnTillctl } from './command-line.ts';

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

  it('knows the shells it knows, and says which', async () => {
    const ran = await spawnTillctl(['completion', 'ksh']).ended;
    expect(ran).toMatchObject({ exit: 2, err: expect.stringContaining('bash, zsh, fish') });
  });
});
