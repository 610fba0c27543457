import type { z } from 'zod';
import { Done, Integration } from '../../api/contract/integration.ts';
import { dataOf } from '../../api/contract/primitives.ts';
import type { Call } from '../client.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { integrationPath, withNextStep } from '../provider.ts';

interface SlotOptions extends GlobalOptions {
  readonly provider: string;
}

/** `tillctl resume P` */
export function resume(options: SlotOptions, io: Io): Promise<ExitCode> {
  const call = { method: 'POST', path: integrationPath(options.provider, 'resume-sync') } as const;
  return change(options, io, call, Done, `${options.provider} is resumed; a sync is queued.`);
}

/** `tillctl toggle P on|off` */
export function toggle(options: SlotOptions & { readonly state: boolean }, io: Io): Promise<ExitCode> {
  const { provider, state: enabled } = options;
  const call = { method: 'PUT', path: integrationPath(provider, 'sync-toggle'), body: { enabled } } as const;
  const words = enabled
    ? `The syncs of ${provider} are on.`
    : `The syncs of ${provider} are off; its credential, mappings and places are kept.`;
  return change(options, io, call, Done, words);
}

/** `tillctl deactivate P` */
export function deactivate(options: SlotOptions, io: Io): Promise<ExitCode> {
  const call = { method: 'POST', path: integrationPath(options.provider, 'deactivate') } as const;
  const words = `${options.provider} is not active any more; its credential, mappings and places are kept.`;
  return change(options, io, call, dataOf(Integration), words);
}

/** `tillctl approve P R` */
export function approve(options: SlotOptions & { readonly resource: string }, io: Io): Promise<ExitCode> {
  const { provider, resource } = options;
  const below = `resources/${encodeURIComponent(resource)}/approve`;
  const call = { method: 'POST', path: integrationPath(provider, below) } as const;
  return change(options, io, call, Done, `${provider}/${resource} is let go with its next run.`);
}

async function change(
  options: SlotOptions,
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
