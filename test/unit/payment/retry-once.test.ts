import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { guardRetry } from '../../../src/payment/guards/retry-once.ts';
import { anAttempt } from '../../support/attempts.ts';
import { viewOf } from '../api/memory-payments.ts';

const FIRST = 'first';
const first = (state: Attempt['state']) => viewOf(anAttempt({ id: FIRST, state }));
const next = (state: Attempt['state']) => anAttempt({ id: 'next', state, retryOf: FIRST });

describe('a sale is tried again once', () => {
  it.each(['declined', 'cancelled', 'error'] as const)(
    'after %s, where it is proved that nothing was charged',
    (name) => {
      expect(() => guardRetry(first({ name }), null, null)).not.toThrow();
    },
  );

  it.each<Attempt['state']>([
    { name: 'requested' },
    { name: 'in_doubt', hadApproval: false },
    { name: 'succeeded' },
    { name: 'declined' },
  ])('and then never, whatever became of the retry: $name', (state) => {
    const details = expect.objectContaining({ payment_id: 'next' });
    expect(() => guardRetry(first({ name: 'declined' }), next(state), FIRST)).toThrow(
      expect.objectContaining({ code: 'PAYMENT_RETRIED', context: { details } }),
    );
  });

  it.each<[Attempt['state'], string]>([
    [{ name: 'requested' }, 'PAYMENT_ALREADY_OPEN'],
    [{ name: 'accepted', lastVerdict: null }, 'PAYMENT_ALREADY_OPEN'],
    [{ name: 'in_doubt', hadApproval: false }, 'PAYMENT_ALREADY_OPEN'],
    [{ name: 'succeeded' }, 'PAYMENT_ALREADY_PAID'],
    [{ name: 'written_off' }, 'PAYMENT_ALREADY_PAID'],
  ])('and never while it may have charged: %j is %s', (state, code) => {
    expect(() => guardRetry(first(state), null, null)).toThrow(expect.objectContaining({ code }));
  });

  it('nor where newer evidence says that it had charged, unless a person passes it by', () => {
    const corrected = { ...first({ name: 'declined' }), charged: 'yes' } as const;
    expect(() => guardRetry(corrected, null, null)).toThrow(
      expect.objectContaining({ code: 'PAYMENT_ALREADY_PAID' }),
    );
    expect(() => guardRetry(corrected, null, FIRST)).not.toThrow();
  });
});
