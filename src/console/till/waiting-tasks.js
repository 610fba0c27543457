import { openQuestions } from './open-questions.js';

/** @import { Task } from '../app/contract.js' */
/** @import { Shop } from '../app/shop.js' */

/** How many things wait for a person: open questions, and tasks that are not listed alone. @param {Pick<Shop, 'tasks' | 'payments'>} shop */
export function waitingCount(shop) {
  const { refused, single } = foldedTasks(shop.tasks.value);
  const waiting = single.filter(({ kind }) => kind !== 'offline_approval');
  return openQuestions(shop).length + waiting.length + (refused.length > 1 ? 1 : 0);
}

/** Many refused reports are one thing to do. @param {readonly Task[]} tasks */
export function foldedTasks(tasks) {
  const refused = tasks.filter(({ kind }) => kind === 'report_rejected');
  return { refused, single: tasks.filter((task) => refused.length < 2 || !refused.includes(task)) };
}
