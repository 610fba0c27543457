import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { reconcileLines } from '../../../src/payment/batch/reconcile.ts';
import type { TransactionReport } from '../../../src/terminal/ports.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';

const first = aReport({ number: '0041', trace: '000141' });
const second = aReport();
const ours = (id: string, report: TransactionReport | null, changes: Partial<Attempt> = {}) =>
  anAttempt({ id, state: { name: 'succeeded' }, report, ...changes });
const [one, two] = [ours('one', first), ours('two', second)];
const partial = (...lines: TransactionReport[]) => ({ complete: false, lines, totals: null });
const whole = (...lines: TransactionReport[]) => ({ complete: true, lines, totals: null });

/** `attempt verdict` of each line. */
function lines(...args: Parameters<typeof reconcileLines>): readonly string[] {
  return reconcileLines(...args).map(({ attemptId, verdict }) => `${attemptId} ${verdict}`);
}

describe("the terminal's lines beside our books", () => {
  it('are the same where both agree', () => {
    expect(lines([one, two], two, whole(first, second))).toEqual(['one same', 'two same']);
  });

  it('that nobody here sent are unknown', () => {
    const byHand = aReport({ number: '0043', trace: '000143' });
    expect(lines([one, two], two, partial(byHand))).toEqual(['null unknown']);
    expect(lines([], null, partial(byHand))).toEqual(['null unknown']);
    expect(lines([one, ours('x', null)], null, partial(byHand))).toEqual(['null unknown']);
  });

  it('miss ours only where the whole batch is shown', () => {
    expect(lines([one, two], two, partial(second))).toEqual(['two same']);
    expect(reconcileLines([one, two], two, whole(second))).toContainEqual({
      terminal: null,
      attemptId: 'one',
      verdict: 'missing',
    });
    expect(lines([one, ours('c', second, { corrects: 'x' })], one, whole(first))).toEqual(['one same']);
  });

  it.each(['refused', 'aborted', 'unclear'] as const)('contradict ours when they are %s', (verdict) => {
    expect(lines([two], two, partial({ ...second, verdict }))).toEqual(['two contradicts']);
  });

  it('agree with the newest that did not succeed when they say so, and contradict it when they do not', () => {
    const declined = ours('no', second, { state: { name: 'declined' } });
    expect(lines([one], declined, partial({ ...second, verdict: 'refused' }))).toEqual(['no same']);
    expect(lines([one], declined, partial(second))).toEqual(['no contradicts']);
  });

  it('that only a correction explains contradict what it corrects', () => {
    expect(lines([one, ours('c', second, { corrects: 'ended' })], one, partial(second))).toEqual([
      'ended contradicts',
    ]);
  });
});
