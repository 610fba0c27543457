import { describe, expect, it } from 'vitest';
import {
  hasMadeUpReference,
  keepSplit,
  keptSplit,
  newSplit,
  openBills,
  partOf,
  splitOf,
  standOf,
} from '../../../src/console/till/split.js';
import { nowOfPart, whyNoPart } from '../../../src/console/till/split-note.js';
import { payment } from '../cli/fake-daemon.ts';

const ENDED = '2026-05-01T10:00:00.000Z';
const SPLIT = { id: 'a split', wholeMinor: 3_000, currency: 'EUR', reference: 'table 4' };
const ID = (no: number) => `0199c0de-0000-7000-8000-00000000000${no}`;

const part = (amount: number, more: object = {}) =>
  payment({
    amount_minor: amount,
    approved_amount_minor: null,
    given_back_minor: 0,
    status: 'succeeded',
    charged: 'yes',
    in_doubt: false,
    needs_person: false,
    completed_at: ENDED,
    metadata: { split: SPLIT.id },
    ...more,
  });

it('a bill without a typed reference has one that no list shows', () => {
  expect(hasMadeUpReference(newSplit({ minor: 3_000, currency: 'EUR', reference: '' }))).toBe(true);
  expect(hasMadeUpReference(newSplit({ minor: 3_000, currency: 'EUR', reference: 'table 4' }))).toBe(false);
});

describe('what is left of a split bill', () => {
  it.each<readonly [string, Parameters<typeof standOf>[1], object]>([
    ['nothing paid', [], { paidMinor: 0, openMinor: 0, leftMinor: 3_000 }],
    ['a part', [part(1_200)], { paidMinor: 1_200, openMinor: 0, leftMinor: 1_800 }],
    ['all', [part(1_200), part(1_800)], { paidMinor: 3_000, openMinor: 0, leftMinor: 0 }],
    ['what was given back', [part(1_200, { given_back_minor: 200 })], { paidMinor: 1_000, leftMinor: 2_000 }],
    ['less than was asked', [part(1_200, { approved_amount_minor: 700 })], { leftMinor: 2_300 }],
    [
      'a tip on top, which pays nothing of the bill',
      [part(1_200, { approved_amount_minor: 1_320, tip_minor: 120 })],
      { paidMinor: 1_200, leftMinor: 1_800 },
    ],
    [
      'a part that was given back with its tip',
      [part(1_200, { approved_amount_minor: 1_320, tip_minor: 120, given_back_minor: 1_320 })],
      { paidMinor: 0, leftMinor: 3_000 },
    ],
    ['a decline', [part(1_200, { status: 'declined', charged: 'no' })], { paidMinor: 0, leftMinor: 3_000 }],
    [
      'one that runs',
      [part(1_200, { charged: 'unknown', completed_at: null })],
      { paidMinor: 0, openMinor: 1_200, leftMinor: 1_800 },
    ],
    [
      'one in doubt',
      [part(1_200, { charged: 'unknown', in_doubt: true })],
      { openMinor: 1_200, leftMinor: 1_800 },
    ],
    ['one whose outcome stays unknown', [part(1_200, { charged: 'unknown' })], { leftMinor: 1_800 }],
    ['one that a person is asked about', [part(1_200, { needs_person: true })], { leftMinor: 1_800 }],
    ['others', [part(1_200, { metadata: {} }), part(9, { metadata: { split: 'b' } })], { leftMinor: 3_000 }],
    ['a refund', [part(1_200, { type: 'refund' })], { leftMinor: 3_000 }],
    ['never less than nothing', [part(3_100)], { leftMinor: 0 }],
  ])('%s', (_, payments, expected) => {
    expect(standOf(SPLIT, payments)).toMatchObject(expected);
  });
});

describe('a part of a split bill', () => {
  it('is under the reference of the bill, and names it', () => {
    expect(partOf(SPLIT, 1_200, [])).toEqual({
      reference: 'table 4',
      metadata: { split: 'a split', split_of_minor: '3000' },
    });
    const made = part(1_200, { ...partOf(SPLIT, 1_200, []) });
    expect(splitOf(made)).toEqual(SPLIT);
  });

  it.each<readonly [string, object]>([
    ['another sale', { metadata: {} }],
    ['one without the whole', { metadata: { split: 'a split' } }],
    ['one whose whole is no amount', { metadata: { split: 'a split', split_of_minor: 'all' } }],
    ['one of nothing', { metadata: { split: 'a split', split_of_minor: '0' } }],
    ['one without a reference', { reference: null }],
    ['a refund', { type: 'refund' }],
  ])('is not %s', (_, more) => {
    expect(splitOf(part(1_200, { ...partOf(SPLIT, 1_200, []), ...more }))).toBeNull();
  });

  it('of an amount that was paid before names the newest such payment, and no other', () => {
    const parts = [part(1_500, { id: ID(3) }), part(1_200, { id: ID(2) }), part(1_500, { id: ID(1) })];
    expect(partOf(SPLIT, 1_500, parts)).toMatchObject({ after: ID(3) });
    expect(partOf(SPLIT, 700, parts)).not.toHaveProperty('after');
    for (const more of [
      { charged: 'no', status: 'declined' },
      { charged: 'unknown', in_doubt: true },
      { given_back_minor: 1_500 },
    ])
      expect(partOf(SPLIT, 1_500, [part(1_500, more)])).not.toHaveProperty('after');
  });

  it('gets a reference where none was typed, and each split its own', () => {
    const [one, two] = [1, 2].map(() => newSplit({ minor: 3_000, currency: 'EUR', reference: '' }));
    expect(one?.reference).toMatch(/^split-[0-9a-f]{8}$/);
    expect(one?.reference).not.toBe(two?.reference);
    expect(newSplit({ minor: 1, currency: 'EUR', reference: 'table 4' }).reference).toBe('table 4');
  });
});

describe('bills that every till sees', () => {
  const NOW = Date.parse(ENDED) + 60_000;
  const of = (split: typeof SPLIT, amount: number, more: object = {}) =>
    part(amount, { created_at: ENDED, ...partOf(split, amount, []), ...more });
  const other = { ...SPLIT, id: 'another', reference: 'table 5' };

  it('are those of which a part is paid, or may be, and something is left; the newest first', () => {
    expect(openBills([of(other, 100), of(SPLIT, 1_200)], NOW)).toEqual([other, SPLIT]);
    expect(openBills([of(SPLIT, 1_200, { completed_at: null, charged: 'unknown' })], NOW)).toEqual([SPLIT]);
    expect(openBills([of(SPLIT, 1_200), of(SPLIT, 700)], NOW)).toEqual([SPLIT]);
    const four = [1, 2, 3, 4].map((no) => of({ ...SPLIT, id: `split ${no}` }, 100));
    expect(openBills(four, NOW).map(({ id }) => id)).toEqual(['split 1', 'split 2', 'split 3']);
  });

  it.each<readonly [string, readonly ReturnType<typeof of>[], number]>([
    ['one that is paid', [of(SPLIT, 1_800), of(SPLIT, 1_200)], NOW],
    ['one of which nothing is paid', [of(SPLIT, 1_200, { status: 'declined', charged: 'no' })], NOW],
    ['one that was given back', [of(SPLIT, 1_200, { given_back_minor: 1_200 })], NOW],
    ['one of an hour ago', [of(SPLIT, 1_200)], Date.parse(ENDED) + 3_600_000],
    ['other payments', [part(1_200, { metadata: {} })], NOW],
  ])('never: %s', (_, payments, at) => {
    expect(openBills(payments, at)).toEqual([]);
  });
});

describe('a split bill that a reload keeps', () => {
  const storage = (text: string | null) => {
    const kept = new Map(text === null ? [] : [['tilld.split', text]]);
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    } as unknown as Storage;
  };

  it('is the same, until it ends', () => {
    const kept = storage(null);
    keepSplit(kept, SPLIT);
    expect(keptSplit(kept)).toEqual(SPLIT);
    keepSplit(kept, null);
    expect(keptSplit(kept)).toBeNull();
  });

  it.each([
    ['no JSON', '{'],
    ['another shape', '{"id":"a"}'],
    ['a list', '[]'],
    ['nothing', 'null'],
  ])('is none where %s is kept', (_, text) => {
    expect(keptSplit(storage(text))).toBeNull();
  });
});

describe('a part that cannot be taken', () => {
  const stand = { split: SPLIT, parts: [], paidMinor: 1_200, openMinor: 0, leftMinor: 1_800, isRead: true };

  it.each<readonly [string, Parameters<typeof whyNoPart>, boolean]>([
    ['all that is left', [stand, 1_800, 'EUR'], true],
    ['more than is left', [stand, 1_801, 'EUR'], false],
    ['at a terminal of another currency', [stand, 100, 'CHF'], false],
    ['while the parts are not read', [{ ...stand, isRead: false, leftMinor: 0 }, 100, 'EUR'], false],
    ['where no bill is split', [null, 100, 'CHF'], true],
  ])('%s', (_, given, mayTake) => {
    expect(whyNoPart(...given) === '').toBe(mayTake);
  });
});

describe('what to do behind a paid part', () => {
  const words = { key: 'paid', now: 'Hand over the goods.' };
  const stand = { split: SPLIT, parts: [], paidMinor: 2_000, openMinor: 0, leftMinor: 1_000, isRead: true };

  it('is to take what is missing: the goods are released by the last part', () => {
    expect(nowOfPart(stand, words)).toMatch(/^Take the missing €10\.00, too\./);
    expect(nowOfPart({ ...stand, openMinor: 1_000, leftMinor: 0 }, words)).toMatch(/^Wait until .*€10\.00/);
    expect(nowOfPart({ ...stand, leftMinor: 0 }, words)).toBe(words.now);
    expect(nowOfPart(null, words)).toBe(words.now);
  });

  it('releases nothing before the other parts are read, and leaves other outcomes their words', () => {
    expect(nowOfPart({ ...stand, leftMinor: 0, isRead: false }, words)).not.toBe(words.now);
    expect(nowOfPart(stand, { ...words, key: 'declined' })).toBe(words.now);
  });
});
