import type { OutboxCause } from '../../api/contract/outbox-report.ts';
import type { TerminalTask } from '../../api/contract/terminal-task.ts';
import { counted } from '../../base/counted.ts';
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

/** What a task is about, as people know it. */
interface TaskSubject {
  /** The name of its terminal. */
  readonly terminal: string | null;
  /** Of its payment, as it was asked for. */
  readonly amount: string | null;
}

/** A task for people: the question first, then its subject and who has done it. */
export function taskText(task: TerminalTask, about: TaskSubject = { terminal: null, amount: null }): string {
  const { done, asked } = task;
  const rows = facts([
    ['task', task.id],
    ['kind', task.kind],
    ['since', task.created_at],
    ['terminal', about.terminal],
    ['amount', about.amount],
    ['payment', task.payment_id],
    ['settlement', task.settlement_id],
    ['asked by', asked && `${asked.operator}, until ${moment(asked.expires_at)}`],
    ['then', done === null ? endedBy(task) : null],
    ['done', done === null ? null : `${moment(done.at)} by ${done.by}: ${done.note}`],
  ]);
  return `${plain(task.message)}\n${rows}`;
}

/** All refused reports with one cause, as one thing to do. */
export function causeText({ id, reports, oldest_at, last_error }: OutboxCause): string {
  const rows = facts([
    ['cause', id],
    ['since', oldest_at],
    ['its answer', last_error],
    ['then', 'fix the cause; then for each of tillctl outbox list --status parked: tillctl outbox retry ID'],
  ]);
  return `The service refused ${counted(reports, 'report', 'reports')}. What the customers were charged is as the payments show; only the service does not have it yet.\n${rows}`;
}

function endedBy({ id, kind, payment_id, device_id, asked }: TerminalTask): string {
  if (asked !== null && payment_id !== null) return `${answerCommand(payment_id)}, or: ${declineCommand(id)}`;
  if (asked !== null) return `${performCommand(id, asked.command)}, or: ${declineCommand(id)}`;
  if (kind === 'terminal_not_believed' && device_id !== null) return adoptCommand(device_id);
  return kind === 'terminal_replaced' && payment_id !== null
    ? answerFromOutsideCommand(payment_id)
    : taskDoneCommand(id);
}
