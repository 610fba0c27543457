import type { z } from 'zod';
import { Done, Integration, SetMappingPolicy } from '../../api/contract/integration.ts';
import { dataOf } from '../../api/contract/primitives.ts';
import { counted } from '../../base/counted.ts';
import { AppError } from '../../base/errors.ts';
import type { Call } from '../client.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { integrationPath, withNextStep } from '../provider.ts';

interface ChangeOptions extends GlobalOptions {
  readonly provider: string;
}

/** `tillctl resume P` */
export function resume(options: ChangeOptions, io: Io): Promise<ExitCode> {
  const call = { method: 'POST', path: integrationPath(options.provider, 'resume-sync') } as const;
  return change(options, io, call, Done, `${options.provider} is resumed; a sync is queued.`);
}

/** `tillctl toggle P on|off` */
export function toggle(options: ChangeOptions & { readonly state: boolean }, io: Io): Promise<ExitCode> {
  const { provider, state: enabled } = options;
  const call = { method: 'PUT', path: integrationPath(provider, 'sync-toggle'), body: { enabled } } as const;
  const words = enabled
    ? `The syncs of ${provider} are on.`
    : `The syncs of ${provider} are off; its credential, mappings and cursors are kept.`;
  return change(options, io, call, Done, words);
}

/** `tillctl lookback P DAYS` */
export function lookback(options: ChangeOptions & { readonly days: number }, io: Io): Promise<ExitCode> {
  const { provider, days: invoiceLookbackDays } = options;
  const path = integrationPath(provider, 'invoice-lookback');
  const call = { method: 'PUT', path, body: { invoiceLookbackDays } } as const;
  const words =
    `The first sync of ${provider} reads the invoices of ${counted(invoiceLookbackDays, 'day', 'days')}. A sync that has begun keeps its own first day; ` +
    `\`tillctl sync ${provider} --resource invoices --full-resync\` reads all of them.`;
  return change(options, io, call, Done, words);
}

interface PolicyOptions extends ChangeOptions {
  readonly require?: boolean;
  readonly mode?: string;
}

/** `tillctl mapping-policy P [--require on|off] [--mode M]` */
export async function mappingPolicy(options: PolicyOptions, io: Io): Promise<ExitCode> {
  const { provider, require, mode } = options;
  if (require === undefined && mode === undefined) return policyShown(options, io);
  const wanted = SetMappingPolicy.safeParse({
    ...(mode === undefined ? {} : { productMappingMode: mode }),
    ...(require === undefined ? {} : { requireProductMappings: require }),
  });
  if (!wanted.success)
    throw new AppError('USAGE', `--mode ${wanted.error.issues[0]?.message ?? 'is no mode'}`);
  const path = integrationPath(provider, 'product-mapping-policy');
  const call = { method: 'PUT', path, body: wanted.data } as const;
  const freed = require === false ? ' Records that waited for a mapping are tried again now.' : '';
  return change(options, io, call, Done, `The mapping policy of ${provider} is set.${freed}`);
}

async function policyShown(options: PolicyOptions, io: Io): Promise<ExitCode> {
  const path = integrationPath(options.provider);
  const { value } = await connect(options, io).call({ path }, dataOf(Integration));
  const { provider, product_mapping_mode: mode, require_product_mappings: isRequired } = value.data;
  if (options.json)
    printDocument(io, {
      data: { provider, product_mapping_mode: mode, require_product_mappings: isRequired },
    });
  else
    io.out(
      `${provider}: mode ${mode}; a line without a mapped product ${isRequired ? 'waits for its mapping' : 'is imported without a product'}.\n`,
    );
  return EXIT.done;
}

/** `tillctl deactivate P` */
export function deactivate(options: ChangeOptions, io: Io): Promise<ExitCode> {
  const call = { method: 'POST', path: integrationPath(options.provider, 'deactivate') } as const;
  const words = `${options.provider} is not active any more; its credential, mappings and cursors are kept.`;
  return change(options, io, call, dataOf(Integration), words);
}

/** `tillctl approve P R` */
export function approve(options: ChangeOptions & { readonly resource: string }, io: Io): Promise<ExitCode> {
  const { provider, resource } = options;
  const below = `resources/${encodeURIComponent(resource)}/approve`;
  const call = { method: 'POST', path: integrationPath(provider, below) } as const;
  return change(
    options,
    io,
    call,
    Done,
    `${provider}/${resource}: the records that the provider does not have any more are removed with its next run.`,
  );
}

async function change(
  options: ChangeOptions,
  io: Io,
  call: Call,
  answer: z.ZodType,
  words: string,
): Promise<ExitCode> {
  const client = connect(options, io);
  const { body } = await withNextStep(options.provider, client, () => client.call(call, answer));
  if (options.json) printDocument(io, body);
  else io.out(`${words}\n`);
  return EXIT.done;
}
