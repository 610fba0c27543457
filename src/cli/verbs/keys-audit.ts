import { KeyAudit } from '../../api/contract/key.ts';
import { listOf } from '../../api/contract/primitives.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { chooseKey } from '../key-choice.ts';
import { auditTable } from '../show/key.ts';

export interface KeysAuditOptions extends GlobalOptions {
  /** Id or name. */
  readonly key: string;
}

/** `tillctl keys audit KEY`: its audit trail, newest first. */
export async function keysAudit(options: KeysAuditOptions, io: Io): Promise<ExitCode> {
  const client = connect(options, io);
  const { id } = await chooseKey(client, options.key);
  const { body, value } = await client.call({ path: `/v2/keys/${id}/audit?limit=100` }, listOf(KeyAudit));
  if (options.json) printDocument(io, body);
  else io.out(auditTable(value.data));
  if (value.has_more) io.err('There is more than this.\n');
  return EXIT.done;
}
