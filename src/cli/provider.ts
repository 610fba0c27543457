import { AppError } from '../base/errors.ts';

const PROVIDERS = ['provider_a', 'provider_b', 'terminal', 'provider_d'];

/** Path of an integration, or of a resource below it. @throws USAGE when there is no such integration. */
export function integrationPath(provider: string, below = ''): string {
  if (PROVIDERS.includes(provider)) return `/v2/integrations/${provider}${below === '' ? '' : `/${below}`}`;
  throw new AppError('USAGE', `there is no provider "${provider}": it is one of ${PROVIDERS.join(', ')}`);
}

/** Runs a verb on an integration; an error response gets the next step. */
export async function withNextStep<T>(provider: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const next = error instanceof AppError && error.code === 'REFUSED' ? nextOf(provider, error) : null;
    if (next === null || !(error instanceof AppError)) throw error;
    throw new AppError(error.code, error.message, { context: { ...error.context, next }, cause: error });
  }
}

function nextOf(provider: string, { message }: AppError): string | null {
  const step = STEPS.find(([words]) => words.test(message))?.[1];
  return step === undefined ? null : `Next: ${step.replaceAll('{P}', provider)}`;
}

/** Matched by tilld's error text; an unknown text gets no next step. */
const STEPS: readonly (readonly [words: RegExp, step: string])[] = [
  [
    /is not active/,
    '`tillctl activate {P} --api-key-file FILE` (or without the file, when it was active before)',
  ],
  [/credential was refused/, '`tillctl rotate {P} --api-key-file FILE`'],
  [/too many runs/, '`tillctl integrations --streams` says why, then `tillctl resume {P}`'],
  [/no credential/i, '`tillctl activate {P} --api-key-file FILE`'],
  [/\bresource\b/i, '`tillctl integrations --streams` lists the resources'],
  [/waits for an approval/, '`tillctl integrations --streams` shows what is held'],
  [/dry run .* is under way/i, 'wait for it, at most two minutes'],
];
