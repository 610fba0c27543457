import { expect, it } from 'vitest';
import { waitingCount } from '../../../src/console/till/waiting-tasks.js';

/** A shop with these tasks and questions, as the tab of what is to do counts them. */
function countOf(kinds: readonly string[], questions = 0): number {
  const tasks = { value: kinds.map((kind, no) => ({ id: `t${no}`, kind, payment_id: `p${no}` })) };
  const unsettled = Array.from({ length: questions }, (_, no) => ({
    ...{ id: `q${no}`, in_doubt: true, needs_person: true },
  }));
  return waitingCount({ tasks, payments: { unsettled } } as unknown as Parameters<typeof waitingCount>[0]);
}

it('a hundred refused reports count as one thing to do, as they are one card', () => {
  expect(countOf(Array(100).fill('report_rejected'))).toBe(1);
  expect(countOf(['report_rejected'])).toBe(1);
  expect(countOf(['report_rejected', 'correction', 'report_rejected', 'offline_approval'], 2)).toBe(4);
  expect(countOf([])).toBe(0);
});
