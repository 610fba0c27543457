import { Integration } from '../../api/contract/integration.ts';
import { listOf } from '../../api/contract/primitives.ts';
import { SyncStream } from '../../api/contract/sync.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { integrationPath } from '../provider.ts';
import { integrationTable, streamTable } from '../show/integration.ts';

export interface IntegrationsOptions extends GlobalOptions {
  readonly streams?: boolean;
}

/** `tillctl integrations [--streams]` */
export async function integrations(options: IntegrationsOptions, io: Io): Promise<ExitCode> {
  const client = connect(options, io);
  const { body, value } = await client.call({ path: '/v2/integrations' }, listOf(Integration));
  if (!options.streams) {
    if (options.json) printDocument(io, body);
    else io.out(integrationTable(value.data));
    return EXIT.done;
  }
  const served = value.data.filter(({ configured }) => configured);
  const found: SyncStream[] = [];
  for (const { provider } of served) {
    const path = integrationPath(provider, 'streams');
    found.push(...(await client.call({ path }, listOf(SyncStream))).value.data);
  }
  const url = '/v2/integrations';
  if (options.json) printDocument(io, { object: 'list', data: found, has_more: false, url });
  else io.out(`${integrationTable(value.data)}${found.length === 0 ? '' : `\n${streamTable(found)}`}`);
  return EXIT.done;
}
