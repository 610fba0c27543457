import { DropReport, OutboxReport, RetryReport } from '../../api/contract/outbox-report.ts';
import { dataOf } from '../../api/contract/primitives.ts';
import { AppError } from '../../base/errors.ts';
import { canonicalId, isUuid } from '../../base/ids.ts';
import { connect } from '../connect.ts';
import { deviceNames } from '../device-choice.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { reportText } from '../show/outbox-report.ts';

export interface OutboxRetryOptions extends GlobalOptions {
  readonly id: string;
  readonly by?: string;
}

export interface OutboxDropOptions extends OutboxRetryOptions {
  readonly reason: string;
}

/** `tillctl outbox retry ID [--by NAME]` */
export function outboxRetry(options: OutboxRetryOptions, io: Io): Promise<ExitCode> {
  const wanted = RetryReport.safeParse(named(options));
  if (!wanted.success) throw new AppError('USAGE', '--by must be 1 to 200 printable characters');
  return decide('retry', options, wanted.data, io);
}

/** `tillctl outbox drop ID --reason TEXT [--by NAME]` */
export function outboxDrop(options: OutboxDropOptions, io: Io): Promise<ExitCode> {
  const wanted = DropReport.safeParse({ ...named(options), reason: options.reason });
  if (!wanted.success)
    throw new AppError('USAGE', '--reason and --by must each be 1 to 200 printable characters');
  return decide('drop', options, wanted.data, io);
}

async function decide(
  what: 'retry' | 'drop',
  options: OutboxRetryOptions,
  body: object,
  io: Io,
): Promise<ExitCode> {
  if (!isUuid(options.id))
    throw new AppError('USAGE', 'the id of a report is a UUID: `tillctl outbox` lists them');
  const path = `/v2/outbox/${canonicalId(options.id)}/${what}`;
  const client = connect(options, io);
  const answer = await client.call({ method: 'POST', path, body }, dataOf(OutboxReport));
  if (options.json) printDocument(io, answer.body);
  else io.out(reportText(answer.value.data, await deviceNames(client)));
  return EXIT.done;
}

function named({ by }: OutboxRetryOptions): object {
  return by === undefined ? {} : { by };
}
