import { PLAIN_MARK } from '../../outbox/delivery-attempt.ts';
import { wrongVoid } from '../../payment/follow-up.ts';
import type { AttemptView } from '../../payment/payments.ts';
import type { Task } from '../../payment/tasks/task.ts';
import { ENGLISH } from '../../sentences/english.ts';
import { taskSentences } from '../../sentences/sentences.js';
import { joined } from '../../sentences/tongue.js';
import type { TerminalTask } from '../contract/terminal-task.ts';
import { instant } from './instant.ts';
import { moneyFacts } from './money-facts.ts';

/**
 * A task as the API shows it; its text is current, whatever was known when the task was written.
 * @param view the payment that it is about, null where it is about none
 */
export function renderTask(task: Task, view: AttemptView | null): TerminalTask {
  return {
    id: task.id,
    object: 'terminal_task',
    kind: task.kind,
    payment_id: task.attemptId,
    settlement_id: task.settlementId,
    device_id: task.deviceId,
    message: taskMessage(task, view),
    created_at: instant(task.createdAt),
    asked: null,
    done: task.done && { by: task.done.by, note: task.done.note, at: instant(task.done.at) },
  };
}

/** What happened, whether the customer was charged, other known facts, and what to do now. */
export function taskMessage(task: Task, view: AttemptView | null): string {
  if (!view && task.attemptId === null) return task.message;
  const { what, charged, beside, now } = sentencesOf(task, view);
  return joined(what, charged, beside, now);
}

/** The same after the text of its payment, which has already said whether the customer was charged. */
export function taskBeside(task: Task, view: AttemptView): string {
  const { what, beside, now } = sentencesOf(task, view);
  return joined(what, beside, now);
}

function sentencesOf(task: Task, view: AttemptView | null) {
  const sentences = taskSentences(task, view && moneyFacts(view), ENGLISH);
  return { ...sentences, beside: view ? besideOf(task, view) : '' };
}

/** A task of this kind stores only ids: nothing else is ever shown of it. */
const ID = /^[\w-]+$/;

function besideOf({ kind, message }: Task, { attempt, refusedBecause, reported }: AttemptView): string {
  if (kind === 'void_mismatch') return inWords('What it undid', wrongVoid(attempt));
  if (kind === 'report_rejected' && reported === 'rejected')
    return inWords('Its answer', refusedBecause?.replace(PLAIN_MARK, '') ?? null);
  if (kind === 'invoice_paid_twice') return inWords('The other payment', ID.exec(message)?.[0] ?? null);
  return kind === 'refund_to_other_card' ? message : '';
}

function inWords(name: string, text: string | null): string {
  return text === null ? '' : `${name}: ${text}.`;
}
