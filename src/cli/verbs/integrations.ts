import { Integration } from '../../api/contract/integration.ts';
import { dataOf, listOf } from '../../api/contract/primitives.ts';
import { SyncRunEntry, SyncStream } from '../../api/contract/sync.ts';
import { AppError } from '../../base/errors.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { integrationPath } from '../provider.ts';
import { integrationTable, integrationText, runTable, streamTable } from '../show/integration.ts';

export interface IntegrationsOptions extends GlobalOptions {
  readonly provider?: string;
  readonly streams?: boolean;
  readonly runs?: boolean;
  readonly limit: number;
  readonly after?: number;
}

/** `tillctl integrations [P] [--streams] [--runs]` */
export async function integrations(options: IntegrationsOptions, io: Io): Promise<ExitCode> {
  const { provider, runs: isRuns, after } = options;
  if (provider !== undefined) return isRuns ? runs(provider, options, io) : one(provider, options, io);
  if (isRuns || after !== undefined)
    throw new AppError('USAGE', '--runs and --after need a provider: tillctl integrations provider_a --runs');
  return all(options, io);
}

async function all(options: IntegrationsOptions, io: Io): Promise<ExitCode> {
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

/** With --json the integration alone, or its streams: each is a document of the interface. */
async function one(provider: string, options: IntegrationsOptions, io: Io): Promise<ExitCode> {
  const client = connect(options, io);
  const integration = await client.call({ path: integrationPath(provider) }, dataOf(Integration));
  const streams = await client.call({ path: integrationPath(provider, 'streams') }, listOf(SyncStream));
  if (options.json) {
    printDocument(io, options.streams ? streams.body : integration.body);
    return EXIT.done;
  }
  const { value } = await runsOf(provider, options, io);
  io.out(integrationText(integration.value.data));
  if (streams.value.data.length > 0) io.out(`\n${streamTable(streams.value.data)}`);
  if (value.data.length > 0) io.out(`\n${runTable(value.data)}`);
  return EXIT.done;
}

async function runs(provider: string, options: IntegrationsOptions, io: Io): Promise<ExitCode> {
  const { body, value } = await runsOf(provider, options, io);
  if (options.json) printDocument(io, body);
  else
    io.out(value.data.length === 0 ? 'There were no runs in the last eight days.\n' : runTable(value.data));
  const last = value.data.at(-1);
  if (value.has_more && last) io.err(`There are more: --after ${last.id}\n`);
  return EXIT.done;
}

function runsOf(provider: string, options: IntegrationsOptions, io: Io) {
  const { limit, after } = options;
  const behind = after === undefined ? {} : { starting_after: String(after) };
  const query = new URLSearchParams({ limit: String(limit), ...behind });
  const path = `${integrationPath(provider, 'runs')}?${query}`;
  return connect(options, io).call({ path }, listOf(SyncRunEntry));
}
