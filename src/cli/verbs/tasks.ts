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
  const daemon = connect(options, io);
  let { value: page } = await daemon.call({ path }, listOf(TerminalTask));
  const found = [...page.data];
  while (page.has_more) {
    const behind = `&starting_after=${found.at(-1)?.id}`;
    ({ value: page } = await daemon.call({ path: path + behind }, listOf(TerminalTask)));
    found.push(...page.data);
  }
  if (options.json) printDocument(io, { ...page, data: found });
  else io.out(found.length === 0 ? 'There is nothing to do.\n' : found.map(taskText).join('\n'));
  return EXIT.done;
}
