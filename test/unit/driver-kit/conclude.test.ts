import { describe, expect, it } from 'vitest';
import { conclude, type DialogueEnd } from '../../../src/driver-kit/conclude.ts';
import type { Outcome, Verdict } from '../../../src/terminal/ports.ts';

const ENDS: readonly DialogueEnd['kind'][] = ['completed', 'refused', 'aborted', 'unclear'];

/** Outcome of each last result, in the order of ENDS. */
const LAW: readonly (readonly [Verdict | 'none', readonly Outcome['kind'][]])[] = [
  ['approved', ['approved', 'unknown', 'unknown', 'unknown']],
  ['refused', ['declined', 'declined', 'declined', 'unknown']],
  ['aborted', ['aborted', 'aborted', 'aborted', 'unknown']],
  ['unclear', ['unknown', 'unknown', 'unknown', 'unknown']],
  ['none', ['unknown', 'declined', 'aborted', 'unknown']],
];

const ROWS = LAW.flatMap(([verdict, outcomes]) =>
  ENDS.map((end, index) => [verdict, end, outcomes[index]] as const),
);

describe('conclude', () => {
  it.each(ROWS)('last result %s and end %s comes to %s', (verdict, end, expected) => {
    const report = verdict === 'none' ? undefined : ({ verdict, kind: 'sale', number: '7' } as const);
    const outcome = conclude(
      report,
      { kind: end, responseCode: '05', message: 'words' },
      { customer: 'receipt' },
    );
    expect(outcome.kind).toBe(expected);
    if (report && outcome.kind === 'unknown') expect(outcome.lastReport).toBe(report);
    if (outcome.kind === 'declined' || outcome.kind === 'approved' || outcome.kind === 'aborted') {
      expect(outcome.receipts).toEqual({ customer: 'receipt' });
    }
  });

  it.each([
    ['refused', 'declined'],
    ['aborted', 'aborted'],
  ] as const)('last result %s and an end without a code comes to %s', (verdict, expected) => {
    const end = { kind: 'unclear', message: 'words' } as const;
    expect(conclude({ verdict, kind: 'sale' }, end, {}).kind).toBe(expected);
  });

  it('makes the report of a refusal without a result from its end', () => {
    const outcome = conclude(undefined, { kind: 'refused', responseCode: '05', message: 'declined' }, {});
    expect(outcome).toMatchObject({
      report: { verdict: 'refused', kind: 'sale', responseCode: '05', text: 'declined' },
    });
  });
});
