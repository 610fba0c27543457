import type { TerminalTask } from '../../api/contract/terminal-task.ts';
import { adoptCommand, answerFromOutsideCommand, taskDoneCommand } from '../../base/next-step.ts';
import { moment } from './moment.ts';
import { plain } from './plain.ts';
import { facts } from './table.ts';

/** A task for people: the question first, then its subject and who has done it. */
export function taskText(task: TerminalTask): string {
  const { done } = task;
  const rows = facts([
    ['task', task.id],
    ['kind', task.kind],
    ['since', task.created_at],
    ['payment', task.payment_id],
    ['settlement', task.settlement_id],
    ['then', done === null ? endedBy(task) : null],
    ['done', done === null ? null : `${moment(done.at)} by ${done.by}: ${done.note}`],
  ]);
  return `${plain(task.message)}\n${rows}`;
}

function endedBy({ id, kind, payment_id, device_id }: TerminalTask): string {
  if (kind === 'terminal_not_believed' && device_id !== null) return adoptCommand(device_id);
  return kind === 'terminal_replaced' && payment_id !== null
    ? answerFromOutsideCommand(payment_id)
    : taskDoneCommand(id);
}
