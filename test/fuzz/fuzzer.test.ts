import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCampaign } from './campaign.ts';
import { type Finding, fire, fireOne } from './fire.ts';
import { targets } from './planted.ts';
import type { Target } from './target.ts';

const PLANTED = new URL('./planted.ts', import.meta.url).href;

function planted(name: string): Target {
  const target = targets.find((candidate) => candidate.name === name);
  if (!target) throw new Error(`no ${name}`);
  return target;
}

async function hunt(names: readonly string[], seconds: number): Promise<readonly Finding[]> {
  const { findings } = await runCampaign({
    targets: PLANTED,
    allNames: targets.map(({ name }) => name),
    names,
    seed: 1,
    forMs: seconds * 1000,
    workers: 1,
    onFinding: () => undefined,
    hangsAfterMs: 1500,
  });
  return findings;
}

describe('the fuzzer', () => {
  it.each([
    ['throws-something-else', 'TypeError'],
    ['minds-segmentation', 'another segmentation'],
    ['shows-what-it-must-hide', 'shows the card'],
    ['takes-ages', 'of CPU time'],
  ])('finds a parser that %s, and the bytes alone replay it', { timeout: 120_000 }, async (name, words) => {
    const { finding } = await fire(planted(name), { seed: 1, runs: 400, longestMs: 20 });
    expect(finding?.message).toContain(words);
    expect((await fireOne(planted(name), finding?.bytes ?? new Uint8Array(), 20))?.message).toContain(words);
  });

  it('makes a counterexample small', async () => {
    const { finding } = await fire(planted('throws-something-else'), { seed: 1, runs: 400 });
    expect(finding?.bytes.length).toBe(2);
  });

  it('finds the same again under the same seed and path', async () => {
    const target = planted('throws-something-else');
    const first = await fire(target, { seed: 5, runs: 400 });
    const again = await fire(target, { seed: 5, runs: 1, path: first.finding?.path ?? '' });
    expect(again.finding?.message).toBe(first.finding?.message);
  });

  it('finds a parser that never comes back, and names its input', { timeout: 120_000 }, async () => {
    const [finding] = await hunt(['never-comes-back'], 60);
    expect(finding).toMatchObject({
      target: 'never-comes-back',
      message: expect.stringContaining('come back'),
    });
    expect(finding?.bytes[0]).toBe(0x80);
  });

  it('finds nothing wrong with a sound parser, and gives every target its turn', {
    timeout: 120_000,
  }, async () => {
    expect(await hunt(['is-sound'], 0.2)).toEqual([]);
  });
});

describe('npm run fuzz', { timeout: 120_000 }, () => {
  const program = fileURLToPath(new URL('./fuzz.ts', import.meta.url));

  function ran(...words: readonly string[]): Promise<{ readonly exit: number | null; readonly out: string }> {
    const child = spawn(process.execPath, [program, ...words]);
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.resume();
    return new Promise((resolve) => child.on('close', (exit) => resolve({ exit, out })));
  }

  it('ends with one JSON line that counts executions and findings', async () => {
    const { exit, out } = await ran(
      '--minutes',
      '0.001',
      '--target',
      'kit-numbers',
      '--seed',
      '1',
      '--workers',
      '1',
    );
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toEqual({
      minutes: expect.any(Number),
      executions: expect.any(Number),
      targets: { 'kit-numbers': expect.any(Number) },
      findings: 0,
    });
    expect(JSON.parse(out).executions).toBeGreaterThanOrEqual(400);
  });

  it('tries one input', async () => {
    const { exit, out } = await ran('--target', 'zvt-decode', '--hex', '060F00');
    expect([exit, JSON.parse(out).executions]).toEqual([0, 1]);
  });

  it.each([[['--minutes', '-1']], [['--target', 'zvt-decode', '--hex', 'XY']]])(
    'a wrong call (%s) ends 2',
    async (words) => {
      expect((await ran(...words)).exit).toBe(2);
    },
  );
});
