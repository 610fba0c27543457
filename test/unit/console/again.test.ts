import { describe, expect, it } from 'vitest';
import { mayTryAgain } from '../../../src/console/till/again.js';
import { payment } from '../cli/fake-daemon.ts';

const ENDED = '2026-05-01T10:00:00.000Z';
const SOON = Date.parse(ENDED) + 5_000;

const ended = (more: object = {}) =>
  payment({ status: 'declined', charged: 'no', in_doubt: false, completed_at: ENDED, ...more });

describe('the same sale may be tried again', () => {
  it.each(['declined', 'cancelled', 'error'])('after %s, where the customer was not charged', (status) => {
    expect(mayTryAgain(ended({ status }), [], SOON)).toBe(true);
  });

  it.each<readonly [string, object]>([
    ['a sale that runs', { status: 'in_progress', charged: 'unknown', completed_at: null }],
    ['one in doubt', { status: 'in_progress', charged: 'unknown', completed_at: null, in_doubt: true }],
    ['one that is not begun', { status: 'requested', charged: 'unknown', completed_at: null }],
    ['a paid one', { status: 'succeeded', charged: 'yes' }],
    ['one whose outcome stays unknown', { status: 'error', charged: 'unknown' }],
    ['one whose end is contradicted', { charged: 'yes' }],
    ['one under correction', { corrected_by: '0199c0de-0000-7000-8000-0000000000ab' }],
    ['one that a person is asked about', { needs_person: true }],
    ['a correction', { corrects: '0199c0de-0000-7000-8000-0000000000ab' }],
    ['a refund', { type: 'refund' }],
    ['one of an hour ago', { completed_at: '2026-05-01T09:00:00.000Z' }],
  ])('never: %s', (_, more) => {
    expect(mayTryAgain(ended(more), [], SOON)).toBe(false);
  });

  it('once: the attempt that followed is the one to look at, whatever became of it', () => {
    const first = ended();
    const next = payment({ id: '0199c0de-0000-7000-8000-0000000000ac', retry_of: first.id });
    expect(mayTryAgain(first, [first, next], SOON)).toBe(false);
    expect(
      mayTryAgain(first, [first, payment({ retry_of: '0199c0de-0000-7000-8000-0000000000ad' })], SOON),
    ).toBe(true);
  });
});
