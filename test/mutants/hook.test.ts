import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { parseSync } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { MUTANTS as PAYMENT_MUTANTS } from './list.ts';
import { isSameCode, type Plant, planted } from './plant.ts';
import { environmentOf, playSeeds, verdictOf } from './simulation-run.ts';
import { SYNC_MUTANTS } from './sync-list.ts';

const MUTANTS = [...PAYMENT_MUTANTS, ...SYNC_MUTANTS];

const FILE = 'src/base/loopback.ts';
const URL_OF_FILE = new URL(`../../${FILE}`, import.meta.url).href;
const PLANT = {
  name: 'planted-in-a-test',
  file: FILE,
  in: 'isLoopback',
  find: "bare === 'localhost'",
  replace: "bare === ('planted' as string)",
} as const;

function run(plant: Plant, program: string) {
  const args = ['--input-type=module', '--eval', program];
  return spawnSync(process.execPath, args, { env: environmentOf(plant), encoding: 'utf8' });
}

function load(change: { readonly find?: string; readonly replace?: string }) {
  return run({ ...PLANT, ...change }, `console.log((await import('${URL_OF_FILE}')).isLoopback('planted'))`);
}

describe('a planted bug', () => {
  it('is in the module that Node runs, its types stripped', () => {
    const { status, stdout } = load({});
    expect({ status, stdout: stdout.trim() }).toEqual({ status: 0, stdout: 'true' });
  });

  it('is in worker threads and child processes as well', () => {
    const inner = `import('${URL_OF_FILE}').then(({ isLoopback }) => console.log(isLoopback('planted')))`;
    const { status, stdout } = run(
      PLANT,
      `const { Worker } = await import('node:worker_threads');
       const { execFileSync } = await import('node:child_process');
       new Worker(new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(inner)})), { execArgv: [] });
       process.stdout.write(execFileSync(process.execPath, ['--input-type=module', '--eval', ${JSON.stringify(inner)}]));`,
    );
    expect({ status, stdout: stdout.trim().split('\n') }).toEqual({ status: 0, stdout: ['true', 'true'] });
  });

  it.each([
    ['its code is not in the function', { find: 'noSuchCode()' }, /"noSuchCode\(\)" .* is there 0 times/],
    ['its code is in the function more than once', { find: 'bare' }, /"bare" .* is there \d+ times/],
    ['what replaces it does not parse', { replace: 'export export' }, /do not parse/],
  ])('is an error when %s', (_, change, why) => {
    const { status, stderr } = load(change);
    expect(status).toBe(1);
    expect(stderr).toMatch(why);
  });

  it('is an error when its file was never loaded', () => {
    const { status, stderr } = run(PLANT, 'console.log(1)');
    expect(status).toBe(3);
    expect(stderr).toContain(`${FILE} was never loaded`);
  });
});

describe('the list of mutants', () => {
  it('names every mutant once, and each of them still fits the source', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
    for (const mutant of MUTANTS) {
      expect(() => stripTypeScriptTypes(planted(sourceOf(mutant), mutant)), mutant.name).not.toThrow();
    }
  });

  it('still fits a source that is laid out in another way', () => {
    for (const mutant of MUTANTS) {
      const source = sourceOf(mutant);
      const [expected, mutated] = [planted(source, mutant), planted(laidOutAnew(source), mutant)];
      expect(isSameCode(mutated, expected, mutant.file), mutant.name).toBe(true);
    }
  });
});

function sourceOf({ file }: Plant): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}

/** With blanks and a comment in front of every node. */
function laidOutAnew(source: string): string {
  const starts = new Set<number>();
  JSON.stringify(parseSync('module.ts', source).program, (_, node) => {
    if (typeof node?.start === 'number' && node.type !== 'TemplateElement') starts.add(node.start);
    return node;
  });
  const cuts = [0, ...[...starts].sort((a, b) => a - b)];
  return cuts.map((at, index) => source.slice(at, cuts[index + 1])).join('  /* said */ ');
}

describe('the hunt', () => {
  it('finds a mutant by the seeds that the product passes without it', async () => {
    const seeds = { from: 1, count: 2, workers: 1 };
    const mutant = MUTANTS.find(({ name }) => name === 'acknowledged-before-the-commit');
    if (!mutant) throw new Error('no such mutant');
    const [control, verdict] = [await playSeeds(null, seeds), await playSeeds(mutant, seeds)];
    expect(control).toEqual({ kind: 'clean' });
    expect(verdict).toMatchObject({ kind: 'found', finding: { seed: 1, crime: 'broken_rules' } });
  });

  it('never takes a crash of the run for a finding', () => {
    expect(verdictOf({ code: 1, stdout: '', stderr: 'TypeError: x is not a function' })).toEqual({
      kind: 'broken',
      why: 'exit 1: TypeError: x is not a function',
    });
    expect(verdictOf({ code: 1, stdout: '{"failures":[]}', stderr: '' }).kind).toBe('broken');
    expect(verdictOf({ code: 3, stdout: '{"failures":[4]}', stderr: '' }).kind).toBe('broken');
    expect(verdictOf({ code: 0, stdout: '{"failures":[]}', stderr: '' })).toEqual({ kind: 'clean' });
  });
});
