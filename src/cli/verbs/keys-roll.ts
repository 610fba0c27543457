import { RolledKey, RollKey } from '../../api/contract/key.ts';
import { dataOf } from '../../api/contract/primitives.ts';
import { AppError, hasCode } from '../../base/errors.ts';
import type { DaemonClient } from '../client.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { chooseKey } from '../key-choice.ts';
import { idempotencyKey } from '../pay/idempotency-key.ts';
import { secretText } from '../show/key.ts';
import { moment } from '../show/moment.ts';

export interface KeysRollOptions extends GlobalOptions {
  /** Id or name. */
  readonly key: string;
  /** Hours. */
  readonly overlap: number;
  readonly by?: string;
  readonly idempotencyKey?: string;
}

/** `tillctl keys roll KEY [--overlap HOURS] [--by NAME]` */
export async function keysRoll(options: KeysRollOptions, io: Io): Promise<ExitCode> {
  const wanted = RollKey.safeParse({
    overlap_hours: options.overlap,
    ...(options.by === undefined ? {} : { by: options.by }),
  });
  if (!wanted.success) throw new AppError('USAGE', '--by must be 1 to 200 printable characters');
  const once = idempotencyKey(options.idempotencyKey);
  const client = connect(options, io);
  const { id } = await chooseKey(client, options.key);
  const { body, value } = await rolled(client, id, wanted.data, once);
  const { overlap_ends_at } = value.data;
  const before = overlap_ends_at === null ? 'no longer' : `until ${moment(overlap_ends_at)}`;
  if (options.json) printDocument(io, body);
  else io.out(secretText(value.data, [['the key before works', before]]));
  io.err('The new key is shown this once: keep it now. Any key before the last one works no longer.\n');
  return EXIT.done;
}

/** A roll with a lost response is never repeated as a new one: that would end the secret that the tills still use. */
async function rolled(client: DaemonClient, id: string, body: RollKey, once: string) {
  const headers = { 'idempotency-key': once };
  try {
    return await client.call(
      { method: 'POST', path: `/v2/keys/${id}/roll`, body, headers },
      dataOf(RolledKey),
    );
  } catch (error) {
    if (!hasCode(error, 'CONNECTION_LOST')) throw error;
    const words =
      'the connection was lost, and the key may have been rolled. Say the same again with ' +
      `--idempotency-key ${once}: it is rolled once and shown. Without it, it may be rolled twice, and the secret that your tills use ends AT ONCE.`;
    throw new AppError('CONNECTION_LOST', words, { cause: error, context: { idempotency_key: once } });
  }
}
