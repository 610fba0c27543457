const REST = '--by NAME --reason TEXT --shown TEXT';

/** The command that decides a payment from what its terminal shows. */
export function answerCommand(paymentId: string): string {
  return `tillctl resolve ${paymentId} --as succeeded|not_charged ${REST}`;
}

/** What a person does where another terminal answers than the known one. */
export function whereAnotherAnswers(deviceId: string): string {
  return `put the known terminal back, or: ${adoptCommand(deviceId)}`;
}

/** The command that adopts the terminal that answers there now. */
export function adoptCommand(deviceId: string): string {
  return `tillctl devices adopt ${deviceId} --by NAME`;
}

/** The command that reports a task done. */
export function taskDoneCommand(taskId: string): string {
  return `tillctl task-done ${taskId} --by NAME --note TEXT`;
}

/** The command by which a person does what an operator of the fleet asks for. */
export function performCommand(taskId: string, command: string): string {
  return `tillctl task-perform ${taskId} --by NAME${command === 'drop_report' ? ' --reason TEXT' : ''}`;
}

/** The command by which a person declines it. */
export function declineCommand(taskId: string): string {
  return `tillctl task-decline ${taskId} --by NAME --reason TEXT`;
}

/** The command that decides a payment whose terminal was replaced. */
export function answerFromOutsideCommand(paymentId: string): string {
  return `tillctl resolve ${paymentId} --as succeeded|not_charged|written_off --source customer_slip|acquirer_statement|terminal_journal ${REST}`;
}
