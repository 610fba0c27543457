import { Integration } from '../api/contract/integration.ts';
import { dataOf } from '../api/contract/primitives.ts';
import { AppError } from '../base/errors.ts';
import type { DaemonClient } from './client.ts';

/** The names of integrations. */
export const PROVIDERS = ['provider_a', 'provider_b', 'terminal', 'provider_d'];

/** Path of an integration, or of a resource below it. @throws USAGE when there is no such integration. */
export function integrationPath(provider: string, below = ''): string {
  if (PROVIDERS.includes(provider)) return `/v2/integrations/${provider}${below === '' ? '' : `/${below}`}`;
  throw new AppError('USAGE', `there is no provider "${provider}": it is one of ${PROVIDERS.join(', ')}`);
}

/** A next step, and which of tilld's error texts it is for. */
export type Step = readonly [words: RegExp, step: string];

/** Runs a verb on an integration; a refusal gets the next step. */
export async function withNextStep<T>(
  provider: string,
  client: Pick<DaemonClient, 'call'>,
  work: () => Promise<T>,
  steps: readonly Step[] = STEPS,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const next =
      error instanceof AppError && error.code === 'REFUSED'
        ? await nextOf(provider, client, error.message, steps)
        : null;
    if (next === null || !(error instanceof AppError)) throw error;
    throw new AppError(error.code, error.message, { context: { ...error.context, next }, cause: error });
  }
}

async function nextOf(
  provider: string,
  client: Pick<DaemonClient, 'call'>,
  message: string,
  steps: readonly Step[],
): Promise<string | null> {
  const step = steps.find(([words]) => words.test(message))?.[1];
  if (step === undefined) return null;
  if (step !== '{ACTIVATE}' && step !== '{RENEW}') return `Next: ${step.replaceAll('{P}', provider)}`;
  const way = await wayAt(provider, client);
  return `Next: ${step === '{RENEW}' ? renewalOf(provider, way) : activationOf(provider, way)}`;
}

/** How a provider gets a credential. */
export type Way = Pick<Integration, 'missing_credentials' | 'authorised_by'>;

/** Nothing is missing where tilld does not say. */
export async function wayAt(provider: string, client: Pick<DaemonClient, 'call'>): Promise<Way> {
  const call = client.call({ path: integrationPath(provider) }, dataOf(Integration));
  return call.then(
    ({ value }) => value.data,
    () => ({ missing_credentials: [], authorised_by: 'key' }),
  );
}

/** The command that gives a provider another credential. */
export function renewalOf(
  provider: string,
  { missing_credentials: missing, authorised_by: by }: Way,
): string {
  const isByPerson = by === 'person';
  const more = moreOf(isByPerson ? missing.filter((part) => part === 'baseUrl') : missing);
  return `\`tillctl ${isByPerson ? 'authorize' : 'rotate'} ${provider} --api-key-file FILE${more}\``;
}

/** The command that switches an integration on, with the parts of a credential that are not stored. */
function activationOf(provider: string, way: Way): string {
  const { missing_credentials: missing, authorised_by: by } = way;
  if (missing.length === 0) return `\`tillctl activate ${provider}\``;
  if (by === 'key') return `\`tillctl activate ${provider} --api-key-file FILE${moreOf(missing)}\``;
  return `${renewalOf(provider, way)}, then \`tillctl activate ${provider}\``;
}

/** Options for parts of a credential beside the key. */
export function moreOf(missing: readonly string[]): string {
  return PARTS.flatMap(([part, option]) => (missing.includes(part) ? ` ${option}` : [])).join('');
}

const PARTS: readonly (readonly [part: string, option: string])[] = [
  ['baseUrl', '--base-url ADDRESS'],
  ['appName', '--app-name NAME'],
  ['appEmail', '--app-email MAIL'],
];

/** An unknown text gets no next step. */
export const STEPS: readonly Step[] = [
  [/is not active/, '{ACTIVATE}'],
  [/credential was refused/, '{RENEW}'],
  [/too many runs/, '`tillctl integrations --streams` says why, then `tillctl resume {P}`'],
  [/no credential/i, '{ACTIVATE}'],
  [/needs "baseUrl"/, '{RENEW}'],
  [/\bresource\b/i, '`tillctl integrations --streams` lists the resources'],
  [/waits for an approval/, '`tillctl integrations --streams` shows what is held'],
  [/dry run .* is under way/i, 'wait for it, at most two minutes'],
];
