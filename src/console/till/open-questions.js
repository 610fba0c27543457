/** @import { Payment } from '../app/contract.js' */
/** @import { Shop } from '../app/shop.js' */

/**
 * Unknown outcomes that a person must decide and that no task asks about: the task of a replaced terminal is its question.
 * @param {Pick<Shop, 'tasks' | 'payments'>} shop
 * @returns {readonly Payment[]}
 */
export function openQuestions({ tasks, payments }) {
  const asked = new Set(
    tasks.value.filter(({ kind }) => kind === 'terminal_replaced').map(({ payment_id: id }) => id),
  );
  return payments.unsettled.filter(
    ({ id, in_doubt, needs_person }) => in_doubt && needs_person && !asked.has(id),
  );
}
