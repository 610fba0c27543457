import { ListOutbox, OutboxReport } from '../../api/contract/outbox-report.ts';
import { listOf } from '../../api/contract/primitives.ts';
import { AppError } from '../../base/errors.ts';
import { connect } from '../connect.ts';
import { deviceNames } from '../device-choice.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { noneText, withStatus } from '../show/empty-list.ts';
import { reportText } from '../show/outbox-report.ts';

export interface OutboxListOptions extends GlobalOptions {
  readonly status?: string;
  readonly limit: number;
}

/** `tillctl outbox [list]`: reports that the service has not received, oldest first. */
export async function outboxList({ status, ...options }: OutboxListOptions, io: Io): Promise<ExitCode> {
  const query = new URLSearchParams({
    limit: String(options.limit),
    ...(status === undefined ? {} : { status }),
  });
  if (!ListOutbox.safeParse(Object.fromEntries(query)).success)
    throw new AppError('USAGE', '--status must be one of pending, held, parked, dropped');
  const client = connect(options, io);
  const { body, value } = await client.call({ path: `/v2/outbox?${query}` }, listOf(OutboxReport));
  if (options.json) printDocument(io, body);
  else if (value.data.length === 0)
    io.out(noneText('reports', withStatus(status) ?? 'that wait or are parked'));
  else {
    const names = await deviceNames(client);
    io.out(value.data.map((report) => reportText(report, names)).join('\n'));
  }
  if (value.has_more) io.err('There are more: --limit shows up to 100.\n');
  return EXIT.done;
}
