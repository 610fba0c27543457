import { dataOf } from '../../api/contract/primitives.ts';
import { DeclineFleetTask, PerformFleetTask, TerminalTask } from '../../api/contract/terminal-task.ts';
import { AppError } from '../../base/errors.ts';
import { canonicalId, isUuid } from '../../base/ids.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { taskText } from '../show/task.ts';

/** A terminal is identified anew meanwhile. */
const TIMEOUT_MS = 120_000;

export interface FleetTaskOptions extends GlobalOptions {
  readonly id: string;
  readonly by: string;
  readonly reason?: string;
}

/** `tillctl task-perform ID --by NAME [--reason TEXT]` */
export async function taskPerform({ by, reason, ...options }: FleetTaskOptions, io: Io): Promise<ExitCode> {
  const wanted = PerformFleetTask.safeParse({ by, ...(reason === undefined ? {} : { reason }) });
  return await end('perform', options, wanted, io);
}

/** `tillctl task-decline ID --by NAME --reason TEXT` */
export async function taskDecline({ by, reason, ...options }: FleetTaskOptions, io: Io): Promise<ExitCode> {
  return await end('decline', options, DeclineFleetTask.safeParse({ by, reason }), io);
}

async function end(
  way: 'perform' | 'decline',
  options: GlobalOptions & { readonly id: string },
  wanted: { readonly success: boolean; readonly data?: unknown },
  io: Io,
): Promise<ExitCode> {
  if (!isUuid(options.id))
    throw new AppError('USAGE', 'the id of a task is a UUID: `tillctl tasks` lists them');
  if (!wanted.success)
    throw new AppError('USAGE', '--by and --reason must each be 1 to 200 printable characters');
  const path = `/v2/terminal-tasks/${canonicalId(options.id)}/${way}`;
  const call = { method: 'POST', path, body: wanted.data } as const;
  const { body, value } = await connect(options, io, TIMEOUT_MS).call(call, dataOf(TerminalTask));
  if (options.json) printDocument(io, body);
  else io.out(taskText(value.data));
  return EXIT.done;
}
