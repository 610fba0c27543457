import { expect, it } from 'vitest';
import { renderTerminalPayment } from '../../../src/api/render/terminal-payment.ts';
import { renderTask } from '../../../src/api/render/terminal-task.ts';
import { adoptCommand, answerFromOutsideCommand } from '../../../src/base/next-step.ts';
import { paymentText } from '../../../src/cli/show/payment.ts';
import { taskText } from '../../../src/cli/show/task.ts';
import { DEVICE_ID } from '../../support/attempts.ts';
import { taskOf } from '../api/memory-back-office.ts';
import { attemptOf, viewOf } from '../api/memory-payments.ts';

it('a payment whose approval is not believed is answered with a source, which is printed', () => {
  const payment = viewOf({
    ...attemptOf(),
    state: { name: 'in_doubt', hadApproval: true },
    needsPerson: true,
    reason: { code: 'terminal_not_believed', message: 'It was said before.' },
  });
  const text = paymentText(renderTerminalPayment(payment));
  expect(text).toContain(answerFromOutsideCommand(payment.attempt.id));
});

it('the task of a terminal that is not believed ends when it is adopted', () => {
  const task = taskOf({ kind: 'terminal_not_believed', attemptId: null, deviceId: DEVICE_ID });
  const text = taskText(renderTask(task, null));
  expect(text).toContain(adoptCommand(DEVICE_ID));
  expect(text).not.toContain('task-done');
});
