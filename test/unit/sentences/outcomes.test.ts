import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../src/sentences/outcome.js';
import { outcomes as de } from '../../../src/sentences/words/outcomes.de.js';
import { outcomes as en } from '../../../src/sentences/words/outcomes.en.js';
import { outcomes as fr } from '../../../src/sentences/words/outcomes.fr.js';

const LANGUAGES = { en, de, fr } as const;
type Payment = Parameters<typeof outcomeOf>[0];

const SALE = {
  type: 'sale',
  status: 'succeeded',
  charged: 'yes',
  amount_minor: 1000,
  approved_amount_minor: 1000,
  tip_minor: null,
  surcharge_minor: null,
  cashback_minor: null,
  given_back_minor: 0,
  giving_back_minor: 0,
  in_doubt: false,
  needs_person: false,
  cause: null,
  corrects: null,
  corrects_type: null,
  cancel_requested_at: null,
  completed_at: '2026-11-22T12:00:00.000Z',
} as const;

const keyOf = (changes: object) => outcomeOf({ ...SALE, ...changes } as Payment).key;
const NONE = { charged: 'no', approved_amount_minor: null } as const;
const OPEN = {
  status: 'in_progress',
  charged: 'unknown',
  completed_at: null,
  approved_amount_minor: null,
} as const;

describe('what staff are told at the pages', () => {
  it('says in three languages of every outcome whether the customer was charged, and what to do now', () => {
    const keys = Object.keys(en).sort();
    for (const [language, outcomes] of Object.entries(LANGUAGES)) {
      expect(Object.keys(outcomes).sort(), language).toEqual(keys);
      for (const [key, words] of Object.entries(outcomes)) {
        expect(Object.keys(words), `${language} ${key}`).toEqual(['title', 'charged', 'now']);
        for (const text of Object.values(words)) {
          expect(text.trim(), `${language} ${key}`).not.toBe('');
          const holes = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
          for (const hole of holes)
            expect(['asked', 'paid', 'back', 'rest', 'more', 'cash', 'tip', 'going', 'which']).toContain(
              hole,
            );
        }
      }
    }
  });

  it.each([
    ['paid', {}],
    ['paid_cash', { cashback_minor: 500, approved_amount_minor: 1500 }],
    ['paid_tip', { tip_minor: 100, approved_amount_minor: 1100 }],
    ['paid_cash', { tip_minor: 100, cashback_minor: 500, approved_amount_minor: 1600 }],
    ['paid_late', { cancel_requested_at: '2026-11-22T11:59:00.000Z' }],
    ['paid_more', { approved_amount_minor: 1200 }],
    ['paid_part', { approved_amount_minor: 900 }],
    ['paid_correction', { corrects: 'x' }],
    ['paid_back_part', { given_back_minor: 400 }],
    ['paid_back_all', { given_back_minor: 1000 }],
    ['declined', { status: 'declined', ...NONE }],
    ['cancelled', { status: 'cancelled', ...NONE }],
    ['failed', { status: 'error', ...NONE }],
    ['corrected_yes', { status: 'declined' }],
    ['corrected_no', { charged: 'no' }],
    ['corrected_unknown', { charged: 'unknown' }],
    ['waiting', { ...OPEN, status: 'requested' }],
    ['working', OPEN],
    ['cancelling', { ...OPEN, cancel_requested_at: '2026-11-22T11:59:00.000Z' }],
    ['doubt_asking', { ...OPEN, in_doubt: true }],
    ['doubt_person', { ...OPEN, in_doubt: true, needs_person: true }],
    ['back_done', { type: 'refund' }],
    ['back_part', { type: 'refund', approved_amount_minor: 500 }],
    ['back_declined', { type: 'refund', status: 'declined', ...NONE }],
    ['void_failed', { type: 'void', status: 'declined', ...NONE }],
    ['back_late_done', { type: 'void', cause: 'late_approval' }],
    ['back_late_failed', { type: 'void', cause: 'late_approval', status: 'error', ...NONE }],
    ['back_late_now', { ...OPEN, type: 'void', cause: 'late_approval' }],
    ['back_doubt_person', { ...OPEN, type: 'refund', in_doubt: true, needs_person: true }],
    ['back_corrected_no', { type: 'refund', charged: 'no' }],
  ])('is %s for its state', (key, changes) => {
    expect(keyOf(changes)).toBe(key);
  });

  it('never calls paid what is open, in part, or not charged', () => {
    for (const changes of [
      OPEN,
      { ...OPEN, in_doubt: true },
      { approved_amount_minor: 1 },
      { charged: 'no' },
      { charged: 'unknown' },
    ])
      expect(['paid', 'paid_cash', 'paid_tip', 'paid_more', 'paid_late']).not.toContain(keyOf(changes));
  });
});
