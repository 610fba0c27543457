import type { AttemptView } from '../../payment/payments.ts';
import type { TaskKind } from '../../payment/tasks/task.ts';
import { ENGLISH } from '../../sentences/english.ts';
import { paymentMessage } from '../../sentences/sentences.js';
import { joined } from '../../sentences/tongue.js';
import type { TerminalPayment } from '../contract/terminal-payment.ts';
import { moneyFacts } from './money-facts.ts';
import { taskBeside, taskMessage } from './terminal-task.ts';

/** An attempt as the API shows it, with its current message. */
export function renderTerminalPayment(view: AttemptView): TerminalPayment {
  const facts = moneyFacts(view);
  const tasks = view.tasks.map((task) => ({
    id: task.id,
    kind: task.kind,
    message: taskMessage(task, view),
  }));
  const others = view.tasks.filter(({ kind }) => !ASKED_BY_OUTCOME.includes(kind));
  const message = joined(paymentMessage(facts, ENGLISH), ...others.map((task) => taskBeside(task, view)));
  return { ...facts, tasks, message };
}

/** Kinds whose question is already part of the outcome's message. */
const ASKED_BY_OUTCOME: readonly TaskKind[] = [
  'cancel_too_late',
  'partial_approval',
  'amount_differs',
  'correction',
  'terminal_replaced',
];
