import { listOf } from '../../api/contract/primitives.ts';
import { TerminalTask } from '../../api/contract/terminal-task.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { taskText } from '../show/task.ts';

export interface TasksOptions extends GlobalOptions {
  readonly all?: boolean;
}

/** `tillctl tasks [--all]`: the tasks for people, oldest first. */
export async function tasks(options: TasksOptions, io: Io): Promise<ExitCode> {
  const path = `/v2/terminal-tasks?limit=100${options.all ? '' : '&open=true'}`;
  const { body, value } = await connect(options, io).call({ path }, listOf(TerminalTask));
  if (options.json) printDocument(io, body);
  else io.out(value.data.length === 0 ? 'There is nothing to do.\n' : value.data.map(taskText).join('\n'));
  if (value.has_more) io.err('There are more than these.\n');
  return EXIT.done;
}
