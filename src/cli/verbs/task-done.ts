import { dataOf } from '../../api/contract/primitives.ts';
import { FinishTerminalTask, TerminalTask } from '../../api/contract/terminal-task.ts';
import { AppError } from '../../base/errors.ts';
import { canonicalId, isUuid } from '../../base/ids.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { taskText } from '../show/task.ts';

export interface TaskDoneOptions extends GlobalOptions {
  readonly id: string;
  readonly by: string;
  readonly note: string;
}

/** `tillctl task-done ID --by NAME --note TEXT` */
export async function taskDone(options: TaskDoneOptions, io: Io): Promise<ExitCode> {
  if (!isUuid(options.id))
    throw new AppError('USAGE', 'the id of a task is a UUID: `tillctl tasks` lists them');
  const wanted = FinishTerminalTask.safeParse({ by: options.by, note: options.note });
  if (!wanted.success)
    throw new AppError('USAGE', '--by and --note must each be 1 to 200 printable characters');
  const path = `/v2/terminal-tasks/${canonicalId(options.id)}/done`;
  const call = { method: 'POST', path, body: wanted.data } as const;
  const { body, value } = await connect(options, io).call(call, dataOf(TerminalTask));
  if (options.json) printDocument(io, body);
  else io.out(taskText(value.data));
  return EXIT.done;
}
