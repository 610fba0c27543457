import { describe, expect, it } from 'vitest';
import type { ReportSubject } from '../../../src/outbox/ports.ts';
import { reportTaskMessage } from '../../../src/outbox/report-task.ts';

const REASON = 'rejected: the terminal says succeeded, the service has cancelled';
const subject: ReportSubject = {
  type: 'sale',
  status: 'succeeded',
  amount: { minor: 1234, currency: 'EUR' },
  corrected: false,
};

const SALE = {
  yes: 'The customer HAS paid: do not charge again.',
  no: 'The customer was NOT charged.',
  unknown: 'Whether the customer was charged is not known yet',
};
const BACK = {
  yes: 'The customer HAS the money back: do not give it back again.',
  no: 'Nothing was given back.',
  unknown: 'Whether the money was given back is not known yet',
};

describe('The task of a parked report', () => {
  it('says what the terminal says, what the service answered, whether the customer was charged, and what to do', () => {
    expect(reportTaskMessage({ kind: 'result' }, REASON, subject)).toBe(
      'The service did not accept how this sale of 12.34 EUR ended. The terminal: succeeded. ' +
        'Its answer: rejected: the terminal says succeeded, the service has cancelled. ' +
        'The customer HAS paid: do not charge again. Have it put right in the service, then close this task.',
    );
    expect(reportTaskMessage({ kind: 'create' }, REASON, { ...subject, type: 'void' })).toMatch(
      /^The service did not accept this void of 12\.34 EUR\. /,
    );
  });

  it.each<[ReportSubject['status'], boolean, keyof typeof SALE]>([
    ['succeeded', false, 'yes'],
    ['declined', false, 'no'],
    ['cancelled', false, 'no'],
    ['error', false, 'no'],
    ['requested', false, 'unknown'],
    ['in_progress', false, 'unknown'],
    ['succeeded', true, 'no'],
    ['error', true, 'yes'],
    ['cancelled', true, 'yes'],
  ])('tells of one that is %s (corrected: %s) that money moved: %s', (status, corrected, moved) => {
    for (const type of ['sale', 'refund', 'void'] as const) {
      const message = reportTaskMessage({ kind: 'result' }, REASON, { ...subject, type, status, corrected });
      const own = type === 'sale' ? SALE : BACK;
      for (const [word, words] of Object.entries({ ...own }))
        expect([word, message.includes(words)]).toEqual([word, word === moved]);
    }
  });

  it('shows no card number that the service wrote', () => {
    const message = reportTaskMessage({ kind: 'result' }, 'refused: 422 card 4111111111111111', subject);
    expect(message).toContain('411111******1111');
  });
});
