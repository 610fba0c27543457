const REST = '--by NAME --reason TEXT --shown TEXT';

/** The command that decides a payment from what its terminal shows. */
export function answerCommand(paymentId: string): string {
  return `tillctl resolve ${paymentId} --as succeeded|not_charged ${REST}`;
}

/** The command that adopts the terminal that answers there now. */
export function adoptCommand(deviceId: string): string {
  return `tillctl devices adopt ${deviceId} --by NAME`;
}

/** The command that reports a task done. */
export function taskDoneCommand(taskId: string): string {
  return `tillctl task-done ${taskId} --by NAME --note TEXT`;
}

/** The same where its terminal is no longer available. */
export function answerFromOutsideCommand(paymentId: string): string {
  return `tillctl resolve ${paymentId} --as succeeded|not_charged|written_off --source customer_slip|acquirer_statement|terminal_journal ${REST}`;
}
