import type { TerminalTask } from '../../api/contract/terminal-task.ts';
import { plain } from './plain.ts';
import { facts } from './table.ts';

/** A task for people: the question first, then what it is about and who has done it. */
export function taskText(task: TerminalTask): string {
  const { done } = task;
  const rows = facts([
    ['task', task.id],
    ['kind', task.kind],
    ['since', task.created_at],
    ['payment', task.payment_id],
    ['settlement', task.settlement_id],
    ['done', done === null ? null : `${done.at} by ${done.by}: ${done.note}`],
  ]);
  return `${plain(task.message)}\n${rows}`;
}
