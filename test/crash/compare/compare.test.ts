import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildRecorder, hasCompiler } from '../record/build.ts';
import type { Contest } from './contest.ts';
import { type Contestant, LIBRARY, OURS, QUEUES } from './contestants.ts';
import { cutPower } from './power-cuts.ts';
import { recordLife } from './recorded-life.ts';
import { scratchFolder } from './scratch-folder.ts';
import { complaintsOf } from './verdict.ts';

const JOBS = 60;
const PLAN = { seed: 1, moments: 25, disks: 2 };
const [WITH_FULL, REOPENED] = LIBRARY;
const where = hasCompiler() ? '' : ' (skipped: no C compiler)';

describe.skipIf(!hasCompiler())(`The power cut of the comparison${where}`, () => {
  const folder = scratchFolder();
  let recorder = '';
  beforeAll(() => {
    recorder = buildRecorder(folder) ?? '';
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('takes nothing that tilld has acknowledged', async () => {
    expect(await lossesOf(OURS)).toMatchObject({ acknowledged: JOBS, images_with_loss: 0 });
  });

  it('takes nothing from the library with FULL at every open', async () => {
    expect(await lossesOf(WITH_FULL)).toMatchObject({ acknowledged: JOBS, images_with_loss: 0 });
  });

  it('takes acknowledged jobs from the library that was opened again without FULL, the same ones for the same seed', async () => {
    const life = await lifeOf(REOPENED);
    const losses = cutPower(life, REOPENED?.find ?? '', PLAN, aFolder());
    expect(losses.lost_at_the_end).toBe(JOBS);
    expect(losses.images_with_loss).toBeGreaterThan(losses.images / 2);
    expect(cutPower(life, REOPENED?.find ?? '', PLAN, aFolder())).toEqual(losses);
  });

  it('is not played on a recording that has missed a write', async () => {
    const life = await lifeOf(WITH_FULL);
    const write = life.events.findLastIndex(({ type }) => type === 'write');
    const events = life.events.toSpliced(write, 1);
    expect(() => cutPower({ ...life, events }, WITH_FULL?.find ?? '', PLAN, aFolder())).toThrow(/misses/);
  });

  const aFolder = () => mkdtempSync(join(folder, 'queue-'));

  async function lifeOf(contestant: Contestant | undefined) {
    const workload = { file: contestant?.file ?? '', program: process.execPath, jobs: JOBS };
    return recordLife(recorder, workload, aFolder());
  }

  async function lossesOf(contestant: Contestant | undefined) {
    return cutPower(await lifeOf(contestant), contestant?.find ?? '', PLAN, join(aFolder(), 'disk'));
  }
});

describe('The comparison', () => {
  const fine = [OURS, ...LIBRARY, ...QUEUES.slice(0, 1)].map(({ name }) =>
    aRow(name, name === REOPENED?.name),
  );

  it('passes when tilld loses nothing, somebody else could run, and both known results come out', () => {
    expect(complaintsOf(fine)).toEqual([]);
  });

  it.each([
    ['tilld loses one job on one disk', OURS.name, /tilld lost/],
    ['FULL loses something', WITH_FULL?.name, /takes too much/],
    ['NORMAL loses nothing', REOPENED?.name, /takes too little/],
  ])('fails when %s', (_, name, words) => {
    const rows = fine.map((row) => (row.name === name ? aRow(name, row.images_with_loss === 0) : row));
    expect(complaintsOf(rows)).toEqual([expect.stringMatching(words)]);
  });

  it('fails when tilld or every queue of others could not run', () => {
    expect(complaintsOf(fine.filter(({ name }) => name !== OURS.name))).toHaveLength(1);
    expect(complaintsOf(fine.filter(({ name }) => name !== QUEUES[0]?.name))).toHaveLength(1);
  });
});

function aRow(name: string, loses: boolean): Contest & { readonly name: string; readonly version: string } {
  const lost = loses ? 1 : 0;
  return {
    name,
    version: '1.0.0',
    as_shipped: { journal_mode: 'wal', synchronous: 2 },
    syncs_per_job: 1,
    acknowledged: 10,
    images: 3,
    images_with_loss: lost,
    images_unreadable: 0,
    lost_worst: lost,
    lost_median: 0,
    lost_at_the_end: lost,
  };
}
