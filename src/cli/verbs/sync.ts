import { Integration, SyncIntegration, SyncQueued } from '../../api/contract/integration.ts';
import { dataOf, listOf } from '../../api/contract/primitives.ts';
import { DryRun } from '../../api/contract/sync.ts';
import { AppError } from '../../base/errors.ts';
import type { DaemonClient } from '../client.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { integrationPath, withNextStep } from '../provider.ts';
import { dryRunText, maskedRun } from '../show/dry-run.ts';
import { changedRecipeNote, streamTable } from '../show/integration.ts';
import { plain } from '../show/plain.ts';
import {
  exitOf,
  followSync,
  numbersOf,
  SYNC_TIMEOUTS,
  type SyncTimeouts,
  streamsOf,
} from '../sync/follow.ts';
import { progressOn } from '../sync/progress.ts';

export interface SyncOptions extends GlobalOptions {
  readonly provider: string;
  readonly resource?: string;
  readonly fullResync?: boolean;
  readonly dryRun?: boolean;
  /** Of a dry run: each record, and with its personal data. */
  readonly records?: boolean;
  readonly showData?: boolean;
  readonly wait?: boolean;
}

/** tilld reads at most two minutes for a dry run. */
const DRY_RUN_WITHIN_MS = 150_000;

/** `tillctl sync P [--resource R] [--full-resync] [--dry-run] [--wait]` */
export async function sync(
  options: SyncOptions,
  io: Io,
  timeouts: SyncTimeouts = SYNC_TIMEOUTS,
): Promise<ExitCode> {
  integrationPath(options.provider);
  if (options.dryRun && options.wait)
    throw new AppError('USAGE', '--wait has nothing to wait for with --dry-run');
  if (options.dryRun) return dryRun(options, io);
  if (options.records || options.showData)
    throw new AppError('USAGE', '--records and --show-data belong to --dry-run');
  return options.wait ? waited(options, io, timeouts) : queued(options, io);
}

async function queued(options: SyncOptions, io: Io): Promise<ExitCode> {
  const { provider } = options;
  const call = { method: 'POST', path: integrationPath(provider, 'sync'), body: bodyOf(options) } as const;
  const client = connect(options, io);
  const { body } = await withNextStep(provider, client, () => client.call(call, SyncQueued));
  if (options.json) printDocument(io, body);
  else io.out(`A sync of ${provider} is queued. \`tillctl sync ${provider} --wait\` follows it.\n`);
  await warnOfRecipe(provider, client, io);
  return EXIT.done;
}

async function dryRun(options: SyncOptions, io: Io): Promise<ExitCode> {
  const { provider } = options;
  const call = { method: 'POST', path: integrationPath(provider, 'dry-run'), body: bodyOf(options) } as const;
  const client = connect(options, io, DRY_RUN_WITHIN_MS);
  const { value } = await withNextStep(provider, client, () => client.call(call, listOf(DryRun)));
  const data = options.showData ? value.data : value.data.map(maskedRun);
  if (options.json) {
    printDocument(io, { ...value, data });
    return EXIT.done;
  }
  const integration = (await client.call({ path: integrationPath(provider) }, dataOf(Integration))).value
    .data;
  const records = options.records === true || options.showData === true;
  const texts = data.map((run) => dryRunText(provider, run, { records, staysDraft: !integration.auto_send }));
  const more = records
    ? ''
    : '\n--records lists each record, with personal data masked; --show-data shows that, too.\n';
  io.out(texts.length === 0 ? 'Nothing would run.\n' : `${texts.join('\n')}${more}`);
  return EXIT.done;
}

async function waited(options: SyncOptions, io: Io, timeouts: SyncTimeouts): Promise<ExitCode> {
  const { provider, resource } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const forget = io.onInterrupt(() => stop.abort());
  const progress = progressOn(io);
  const client = connect(options, io);
  try {
    const before = numbersOf((await streamsOf(client, provider, resource, signal)).value.data);
    const call = {
      method: 'POST',
      path: integrationPath(provider, 'sync'),
      body: bodyOf(options),
      signal,
    } as const;
    await withNextStep(provider, client, () => client.call(call, SyncQueued));
    const look = () => streamsOf(client, provider, resource, signal);
    const last = await followSync(look, before, { timeouts, signal, show: progress.show });
    progress.end();
    if (options.json) printDocument(io, last.body);
    else io.out(streamTable(last.value.data));
    await warnOfRecipe(provider, client, io);
    return exitOf(last.value.data, before);
  } catch (error) {
    progress.end();
    if (!signal.aborted) throw error;
    throw new AppError('INTERRUPTED', interrupted(provider), { cause: error });
  } finally {
    forget();
  }
}

/** A recipe that was changed after the start was not used; says nothing where tilld does not say. */
async function warnOfRecipe(provider: string, client: DaemonClient, io: Io): Promise<void> {
  const call = client.call({ path: integrationPath(provider) }, dataOf(Integration));
  const note = await call.then(
    ({ value }) => changedRecipeNote(value.data),
    () => null,
  );
  if (note !== null) io.err(`${plain(note)}\n`);
}

function bodyOf({ fullResync, resource }: SyncOptions): SyncIntegration {
  const wanted = SyncIntegration.safeParse({
    ...(fullResync ? { fullResync } : {}),
    ...(resource === undefined ? {} : { resource }),
  });
  if (wanted.success) return wanted.data;
  throw new AppError('USAGE', '--resource must have 1 to 64 characters');
}

function interrupted(provider: string): string {
  return (
    `interrupted; the sync of ${provider} goes on by itself, and a restart of tilld goes on where it was. ` +
    '`tillctl integrations --streams` shows it.'
  );
}
