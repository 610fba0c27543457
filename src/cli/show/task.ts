import type { TerminalTask } from '../../api/contract/terminal-task.ts';
import {
  adoptCommand,
  answerCommand,
  answerFromOutsideCommand,
  declineCommand,
  performCommand,
  taskDoneCommand,
} from '../../base/next-step.ts';
import { moment } from './moment.ts';
import { plain } from './plain.ts';
import { facts } from './table.ts';

/** A task for people: the question first, then its subject and who has done it. */
export function taskText(task: TerminalTask): string {
  const { done, asked } = task;
  const rows = facts([
    ['task', task.id],
    ['kind', task.kind],
    ['since', task.created_at],
    ['payment', task.payment_id],
    ['settlement', task.settlement_id],
    ['asked by', asked && `${asked.operator}, until ${moment(asked.expires_at)}`],
    ['then', done === null ? endedBy(task) : null],
    ['done', done === null ? null : `${moment(done.at)} by ${done.by}: ${done.note}`],
  ]);
  return `${plain(task.message)}\n${rows}`;
}

function endedBy({ id, kind, payment_id, device_id, asked }: TerminalTask): string {
  if (asked !== null && payment_id !== null) return `${answerCommand(payment_id)}, or: ${declineCommand(id)}`;
  if (asked !== null) return `${performCommand(id, asked.command)}, or: ${declineCommand(id)}`;
  if (kind === 'terminal_not_believed' && device_id !== null) return adoptCommand(device_id);
  return kind === 'terminal_replaced' && payment_id !== null
    ? answerFromOutsideCommand(payment_id)
    : taskDoneCommand(id);
}
