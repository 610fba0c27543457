import { KeyStatus } from '../../api/contract/key.ts';
import { AppError } from '../../base/errors.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { allKeys } from '../key-choice.ts';
import { noneText, withStatus } from '../show/empty-list.ts';
import { keyTable } from '../show/key.ts';

export interface KeysListOptions extends GlobalOptions {
  readonly status?: string;
  readonly stale?: boolean;
}

/** `tillctl keys list [--status S] [--stale]`: all matching keys of every page. */
export async function keysList(options: KeysListOptions, io: Io): Promise<ExitCode> {
  const keys = await allKeys(connect(options, io), queryOf(options));
  if (options.json) printDocument(io, { object: 'list', data: keys, has_more: false, url: '/v2/keys' });
  else
    io.out(
      keys.length === 0
        ? noneText('keys', withStatus(options.status), options.stale && 'that were not used for 90 days')
        : keyTable(keys),
    );
  return EXIT.done;
}

function queryOf({ status, stale }: KeysListOptions): Record<string, string> {
  if (status !== undefined && !KeyStatus.safeParse(status).success)
    throw new AppError('USAGE', `--status must be one of ${KeyStatus.options.join(', ')}`);
  return { ...(status === undefined ? {} : { status }), ...(stale ? { stale: 'true' } : {}) };
}
