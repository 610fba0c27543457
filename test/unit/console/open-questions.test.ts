import { describe, expect, it } from 'vitest';
import type { Shop } from '../../../src/console/app/shop.js';
import { openQuestions } from '../../../src/console/till/open-questions.js';

type Parts = Pick<Shop, 'tasks' | 'payments'>;

function aShop(tasks: readonly object[]): Parts {
  const doubt = { in_doubt: true, needs_person: true };
  const unsettled = [
    { ...doubt, id: 'replaced' },
    { ...doubt, id: 'with a person' },
    { ...doubt, id: 'being asked', needs_person: false },
    { id: 'paid with a task', in_doubt: false, needs_person: true },
  ];
  return { tasks: { value: tasks }, payments: { unsettled } } as unknown as Parts;
}

const idsOf = (shop: Parts) => openQuestions(shop).map(({ id }) => id);

describe('what waits for a person', () => {
  it('has a doubt once: the task of a replaced terminal is its question', () => {
    expect(idsOf(aShop([{ kind: 'terminal_replaced', payment_id: 'replaced' }]))).toEqual(['with a person']);
    expect(idsOf(aShop([]))).toEqual(['replaced', 'with a person']);
  });

  it('keeps the question of a doubt that has a task of another kind', () => {
    const task = { kind: 'memory_lost', payment_id: 'with a person' };
    expect(idsOf(aShop([task]))).toEqual(['replaced', 'with a person']);
  });
});
