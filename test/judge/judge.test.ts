import { describe, expect, it } from 'vitest';
import type { Answer, Basket, Facts, Outcome, Shown, Standing } from './facts.ts';
import { judge } from './judge.ts';
import type { Claim } from './reader.ts';

const BASKET: Basket = {
  id: 'b',
  amountMinor: 500,
  wasForgotten: false,
  wasCompared: false,
  takenOffline: false,
  wasAskedTwice: false,
};
const standing = (at: number, minor: number): Standing => ({ at, basket: 'b', minor });
const word = (at: number, charged: Claim, changes: Partial<Shown> = {}): Shown => ({
  at,
  basket: 'b',
  payment: 'p1',
  type: 'sale',
  surface: 'interface field',
  language: 'en',
  text: `charged: ${charged}`,
  ...changes,
});
const outcome = (charged: Outcome['charged'], changes: Partial<Outcome> = {}): Outcome => ({
  payment: 'p1',
  basket: 'b',
  type: 'sale',
  charged,
  isOpen: false,
  hasOwner: false,
  isCorrected: false,
  ...changes,
});
const answer = (stated: Answer['stated'], isTrue: boolean, changes: Partial<Answer> = {}): Answer => ({
  at: 50,
  basket: 'b',
  payment: 'p1',
  type: 'sale',
  stated,
  isTrue,
  ...changes,
});

function harms(facts: Partial<Facts>, payments: readonly Outcome[], basket: Partial<Basket> = {}) {
  const baskets = [{ ...BASKET, ...basket }];
  const whole = { ledger: [], shown: [], answers: [], ...facts };
  const verdict = judge({ baskets, ...whole, end: { payments, personTasks: 0 } });
  return { ...verdict, harms: verdict.findings.map(({ harm }) => harm) };
}

describe('the judge', () => {
  it('has nothing to say of a sale that was paid once and told so, nor of one that was refunded', () => {
    const shown = { ledger: [standing(10, 500)], shown: [word(20, 'yes')] };
    expect(harms(shown, [outcome('yes')]).harms).toEqual([]);
    const back = { ledger: [standing(10, 500), standing(90, 0)], shown: [word(20, 'yes')] };
    expect(harms(back, [outcome('yes')]).harms).toEqual([]);
  });

  it('has nothing to say of a second try after one that moved nothing', () => {
    const words = [word(5, 'no'), word(40, 'yes', { payment: 'p2' })];
    const ends = [outcome('no'), outcome('yes', { payment: 'p2' })];
    expect(harms({ ledger: [standing(30, 500)], shown: words }, ends).harms).toEqual([]);
  });

  it('finds a basket that stood charged twice, also when one was given back later', () => {
    const ledger = [standing(10, 500), standing(30, 1000), standing(90, 500)];
    expect(harms({ ledger, shown: [word(20, 'yes')] }, [outcome('yes')]).harms).toEqual(['double_charge']);
  });

  it('finds "not charged" of what was charged, and what the books do not know at the end', () => {
    const facts = { ledger: [standing(10, 500)], shown: [word(20, 'no')] };
    expect(harms(facts, [outcome('no')]).harms).toEqual(['false_not_charged', 'lost_outcome']);
  });

  it('finds "not charged" that was shown before the terminal charged', () => {
    const facts = { ledger: [standing(30, 500)], shown: [word(20, 'no'), word(60, 'no')] };
    expect(harms(facts, [outcome('no')]).harms).toEqual(['false_not_charged', 'lost_outcome']);
  });

  it('takes no word for false that the terminal made true within its time', () => {
    const facts = { ledger: [standing(10, 500), standing(200_000, 0)], shown: [word(20, 'no')] };
    expect(harms(facts, [outcome('no')]).harms).toEqual([]);
  });

  it('finds a doubt that neither a machine nor a person has', () => {
    const open = { isOpen: true };
    expect(harms({}, [outcome('unknown', open)]).harms).toEqual(['orphan_doubt']);
    expect(harms({}, [outcome('unknown', { ...open, hasOwner: true })]).harms).toEqual([]);
  });

  it('counts a wrong answer as contained where the books contradict it, and as not contained where they repeat it', () => {
    const facts = {
      ledger: [standing(10, 500)],
      shown: [word(5, 'unknown'), word(60, 'no')],
      answers: [answer('no', false)],
    };
    expect(harms(facts, [outcome('no')])).toMatchObject({ harms: [], uncontainedAnswers: 1 });
    const corrected = [outcome('yes', { isCorrected: true })];
    expect(harms(facts, corrected)).toMatchObject({ harms: [], containedAnswers: 1, uncontainedAnswers: 0 });
  });

  describe('of a wrong "not charged" of a person', () => {
    const p2 = { payment: 'p2' };
    const stated = { answers: [answer('no', false)] };
    const ends = [outcome('no'), outcome('yes', p2)];
    const ledger = [standing(10, 500), standing(90, 1000)];
    const [first, itsEnd] = [word(5, 'unknown'), word(50, 'no')];

    it('excuses the second charge that began after it', () => {
      const words = [first, itsEnd, word(80, 'unknown', p2), word(95, 'yes', p2)];
      expect(harms({ ...stated, ledger, shown: words }, ends).harms).toEqual([]);
    });

    it('does not excuse a second charge that had begun before it', () => {
      const words = [first, word(40, 'unknown', p2), itsEnd, word(95, 'yes', p2)];
      expect(harms({ ...stated, ledger, shown: words }, ends).harms).toEqual(['double_charge']);
    });

    it('does not excuse a third charge, nor one against which another payment stood', () => {
      const words = [first, itsEnd, word(80, 'unknown', p2), word(95, 'yes', p2)];
      const third = [...words, word(96, 'unknown', { payment: 'p3' }), word(99, 'yes', { payment: 'p3' })];
      const more = [...ledger, standing(98, 1500)];
      const books = [...ends, outcome('yes', { payment: 'p3' })];
      expect(harms({ ...stated, ledger: more, shown: third }, books).harms).toEqual(['double_charge']);
    });

    it('does not excuse a charge that began after it was put right', () => {
      const answers = [answer('no', false), answer('yes', true, { at: 70 })];
      const words = [first, itsEnd, word(80, 'unknown', p2), word(95, 'yes', p2)];
      expect(harms({ answers, ledger, shown: words }, ends).harms).toEqual(['double_charge']);
    });

    it('does not excuse what tilld itself had said before, nor what it says of another payment', () => {
      const before = [first, word(30, 'no'), itsEnd];
      const charged = { ...stated, ledger: [standing(10, 500)] };
      expect(harms({ ...charged, shown: before }, [outcome('no')]).harms).toEqual(['false_not_charged']);
      const other = [first, itsEnd, word(80, 'unknown', p2), word(95, 'no', p2)];
      const both = { ...stated, ledger, shown: other };
      const books = [outcome('no'), outcome('no', p2)];
      expect(harms(both, books).harms).toContain('false_not_charged');
    });

    it('does not take a second try that moved nothing for a false word', () => {
      const words = [first, itsEnd, word(80, 'unknown', p2), word(95, 'no', p2)];
      const facts = { ...stated, ledger: [standing(10, 500)], shown: words };
      expect(harms(facts, [outcome('no'), outcome('no', p2)]).harms).toEqual([]);
    });
  });

  it('takes a wrong "charged" of one payment for no word of another', () => {
    const p2 = { payment: 'p2' };
    const words = [word(5, 'unknown'), word(50, 'yes'), word(60, 'unknown', p2), word(95, 'no', p2)];
    const facts = { answers: [answer('yes', false)], ledger: [standing(90, 500)], shown: words };
    expect(harms(facts, [outcome('yes'), outcome('no', p2)]).harms).toEqual(['false_not_charged']);
  });

  it('excuses what the books have lost only where a person was asked to compare', () => {
    const facts = { ledger: [standing(10, 500)], shown: [word(5, 'unknown'), word(20, 'yes')] };
    expect(harms(facts, [], { wasForgotten: true, wasCompared: true }).harms).toEqual([]);
    expect(harms(facts, [], { wasForgotten: true }).harms).toEqual(['lost_outcome']);
  });

  it('counts two tills without a line by themselves, where a person was asked', () => {
    const facts = { ledger: [standing(10, 500), standing(30, 1000)], shown: [word(20, 'yes')] };
    const verdict = harms(facts, [outcome('yes')], { takenOffline: true, wasAskedTwice: true });
    expect([verdict.harms, verdict.offlineTwice]).toEqual([[], 1]);
    for (const lack of [{ takenOffline: false }, { wasAskedTwice: false }])
      expect(
        harms(facts, [outcome('yes')], { takenOffline: true, wasAskedTwice: true, ...lack }).harms,
      ).toEqual(['double_charge']);
  });

  it('excuses the sale after a wrong answer also where a true one has cleared an older payment of lost books', () => {
    const [p2, p3] = [{ payment: 'p2' }, { payment: 'p3' }];
    const shown = [word(5, 'unknown'), word(20, 'yes', p2), word(80, 'unknown', p3), word(90, 'yes', p3)];
    const answers = [answer('no', true, { at: 10 }), answer('no', false, { at: 60, ...p2 })];
    const ledger = [standing(15, 500), standing(85, 1000)];
    const ends = [outcome('yes', p3)];
    expect(harms({ answers, ledger, shown }, ends, { wasForgotten: true, wasCompared: true }).harms).toEqual(
      [],
    );
    const without = answers.slice(1);
    expect(
      harms({ answers: without, ledger, shown }, ends, { wasForgotten: true, wasCompared: true }).harms,
    ).toEqual(['double_charge']);
  });

  it.each([
    ['en', 'The customer was NOT charged. Take the payment again.'],
    ['de', 'Dem Kunden wurde NICHTS abgebucht. Kassieren Sie noch einmal.'],
    ['fr', 'Le client n’a PAS été débité. Encaissez de nouveau.'],
  ] as const)('reads the page of a till in %s, and finds what is false there', (language, text) => {
    const shown = [word(20, 'yes'), word(30, 'no', { surface: 'page', language, text })];
    expect(harms({ ledger: [standing(10, 500)], shown }, [outcome('yes')]).harms).toEqual([
      'false_not_charged',
    ]);
  });

  it.each([
    ['of nothing', 'Thank you.'],
    ['two things', 'The customer HAS paid 5.00 EUR. The customer was NOT charged.'],
    ['to hand over what may not be paid', 'It is not known whether the customer paid. Hand over the goods.'],
  ])('does not let a text pass that speaks %s', (_what, text) => {
    const shown = [word(20, 'yes'), word(30, 'yes', { surface: 'page', text })];
    expect(harms({ ledger: [standing(10, 500)], shown }, [outcome('yes')]).harms).toEqual(['unclear_text']);
  });

  it('takes the first sentence of a refusal for one about the new request', () => {
    const text =
      'This request charged the customer NOTHING: it was not started. A payment stands in its way: The customer HAS paid 5.00 EUR.';
    const shown = [word(20, 'yes'), word(30, 'yes', { surface: 'refusal', text })];
    expect(harms({ ledger: [standing(10, 500)], shown }, [outcome('yes')]).harms).toEqual([]);
  });
});
