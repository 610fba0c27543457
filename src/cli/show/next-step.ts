const REST = '--by NAME --reason TEXT --shown TEXT';

/** How a person answers what became of a payment at its terminal. */
export function answerCommand(paymentId: string): string {
  return `tillctl resolve ${paymentId} --as succeeded|not_charged ${REST}`;
}

/** How the terminal that answers there now is taken for this device. */
export function adoptCommand(deviceId: string): string {
  return `tillctl devices adopt ${deviceId} --by NAME`;
}

/** How a person says that a task is done. */
export function taskDoneCommand(taskId: string): string {
  return `tillctl task-done ${taskId} --by NAME --note TEXT`;
}

/** The same where its terminal cannot be looked at any more. */
export function answerFromOutsideCommand(paymentId: string): string {
  return `tillctl resolve ${paymentId} --as succeeded|not_charged|written_off --source customer_slip|acquirer_statement|terminal_journal ${REST}`;
}
