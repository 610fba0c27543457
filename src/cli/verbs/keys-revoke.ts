import { KeySummary, RevokeKey } from '../../api/contract/key.ts';
import { dataOf } from '../../api/contract/primitives.ts';
import { AppError } from '../../base/errors.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { chooseKey } from '../key-choice.ts';
import { keyTable } from '../show/key.ts';

export interface KeysRevokeOptions extends GlobalOptions {
  /** Id or name. */
  readonly key: string;
  readonly by?: string;
}

/** `tillctl keys revoke KEY [--by NAME]`: at once and for good; a second call changes nothing. */
export async function keysRevoke(options: KeysRevokeOptions, io: Io): Promise<ExitCode> {
  const wanted = RevokeKey.safeParse(options.by === undefined ? {} : { by: options.by });
  if (!wanted.success) throw new AppError('USAGE', '--by must be 1 to 200 printable characters');
  const client = connect(options, io);
  const { id } = await chooseKey(client, options.key);
  const call = { method: 'POST', path: `/v2/keys/${id}/revoke`, body: wanted.data } as const;
  const { body, value } = await client.call(call, dataOf(KeySummary));
  if (options.json) printDocument(io, body);
  else io.out(keyTable([value.data]));
  return EXIT.done;
}
