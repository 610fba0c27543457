import { describe, expect, it } from 'vitest';
import { Breach } from './breach.ts';
import { entriesOfTheInterface, NOT_HELD } from './entries.ts';
import { play } from './play.ts';
import type { Row } from './row.ts';
import { SIDES, type Side } from './sides/side.ts';
import { SUITE } from './suite.ts';
import { sumsOf, tableOf } from './table.ts';

const rows = SUITE.flatMap((group) => group.rows);

describe('the contract', () => {
  it('holds every entry of the interface in a row, or says why not', () => {
    const covered = new Set(rows.flatMap(({ covers }) => covers));
    const open = entriesOfTheInterface().filter((entry) => !covered.has(entry) && !(entry in NOT_HELD));
    expect(open).toEqual([]);
  });

  it('excuses nothing that a row holds, and nothing that the interface does not name', () => {
    const covered = new Set(rows.flatMap(({ covers }) => covers));
    const entries = entriesOfTheInterface();
    expect(Object.keys(NOT_HELD).filter((entry) => covered.has(entry) || !entries.includes(entry))).toEqual(
      [],
    );
  });

  it('has each row once, with a section and a promise', () => {
    const ids = rows.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(
      rows.filter(({ section, what, covers }) => section === '' || what === '' || covers.length === 0),
    ).toEqual([]);
  });

  it('exempts few rows on a side, each with a reason in words', () => {
    const excused = rows.flatMap(({ exempt = {} }) => Object.values(exempt));
    expect(excused.filter((why) => !/^.{20,}“[^”]{10,}”$/.test(why))).toEqual([]);
    expect(excused.length).toBeLessThan(rows.length / 10);
  });
});

describe('a row', () => {
  const side = { name: 'local', pass: async () => undefined } as unknown as Side;
  const planted = (run: Row['run'], exempt: Row['exempt'] = {}): Row => ({
    id: 'planted',
    section: 's',
    what: 'w',
    covers: [],
    run,
    exempt,
  });
  const broken = planted(async () => {
    throw new Breach('not kept');
  });

  it.each([
    ['that is kept passes', planted(async () => undefined), { kind: 'passed' }],
    ['that is not kept fails with its reason', broken, { kind: 'failed', why: 'not kept' }],
    [
      'that is exempt is not run',
      { ...broken, exempt: { local: 'for a reason' } },
      { kind: 'exempt', why: 'for a reason' },
    ],
    [
      'that breaks fails too',
      planted(async () => JSON.parse('{')),
      { kind: 'failed', why: expect.stringContaining('SyntaxError') },
    ],
  ])('%s', async (_title, row, verdict) => {
    expect(await play(row, side)).toEqual(verdict);
  });

  it('that nobody ran counts as failed', () => {
    const groups = [{ name: 'planted', rows: [broken] }];
    const verdicts = new Map([['local' as const, new Map([['planted', { kind: 'passed' as const }]])]]);
    expect(sumsOf(groups, verdicts)).toEqual({ rows: 1, passed: 1, failed: SIDES.length - 1, exempt: 0 });
    expect(tableOf(groups, verdicts)).toContain('not run');
  });
});
