import { describe, expect, it } from 'vitest';
import { requestSpanOf, spanOf, traceIdOf, traceOfHeader, traceparentOf } from '../../../src/base/trace.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const PAYMENT = '0199c0de-1234-7abc-8def-0123456789ab';

describe('a trace', () => {
  it.each([
    [`00-${ID}-${PARENT}-01`, true],
    [`00-${ID}-${PARENT}-00`, false],
    [`00-${ID}-${PARENT}-03`, true],
    [`cc-${ID}-${PARENT}-01-what-will-be-the-future`, true],
  ])('is read from %s', (header, sampled) => {
    expect(traceOfHeader(header)).toEqual({ id: ID, parent: PARENT, sampled });
  });

  it.each([
    undefined,
    '',
    'ff',
    `ff-${ID}-${PARENT}-01`,
    `00-${ID}-${PARENT}-01-more`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${ID}-${'0'.repeat(16)}-01`,
    `00-${ID.toUpperCase()}-${PARENT}-01`,
    `00-${ID}-${PARENT}`,
    ` 00-${ID}-${PARENT}-01`,
    `00-${ID}-${PARENT}-01\n`,
    `cc-${ID}-${PARENT}-01-${'x'.repeat(100_000)}`,
    // Digits that are a card number.
    `00-a4111111111111111a${'b'.repeat(14)}-${PARENT}-01`,
    `00-${ID}-4111111111111111-01`,
  ])('is none where the header is %s', (header) => {
    expect(traceOfHeader(header)).toBeNull();
  });

  it('is the payment’s own where nobody has begun one', () => {
    const own = { id: PAYMENT, trace: null };
    expect(traceIdOf(own)).toBe('0199c0de12347abc8def0123456789ab');
    expect(traceparentOf(own, spanOf(PAYMENT))).toBe(
      '00-0199c0de12347abc8def0123456789ab-8def0123456789ab-01',
    );
  });

  it('goes on under the id of who has begun it, with spans of ours that follow from ids and are not each other', () => {
    const joined = { id: PAYMENT, trace: { id: ID, parent: PARENT, sampled: false } };
    expect(traceIdOf(joined)).toBe(ID);
    expect(traceparentOf(joined, requestSpanOf(joined))).toBe(`00-${ID}-0199c0de12347abc-00`);
    expect(requestSpanOf(joined)).not.toBe(spanOf(PAYMENT));
  });
});
