import { AppError } from '../base/errors.ts';
import { type Credential, type CredentialPlaces, readCredential } from './credentials.ts';
import type { Config } from './schema.ts';
import type { ServiceEnvironment } from './schema-service.ts';

/** The prefix of each environment's keys; the interface gives none for mock. */
const PREFIXES: Readonly<Record<ServiceEnvironment, string | null>> = {
  live: 'rk_live_',
  sandbox: 'rk_sandbox_',
  staging: 'rk_sandbox_',
  mock: null,
};

/** The environment of the service in this configuration; null: no service is configured. */
export function serviceEnvironment({ environment, service }: Config): ServiceEnvironment | null {
  return service ? (service.environment ?? environment) : null;
}

/**
 * The key for the service as it is stored now; undefined: there is none, or no service is configured.
 * @throws CREDENTIAL_INVALID when it exists and cannot be used, CREDENTIAL_WRONG_ENVIRONMENT
 */
export function readServiceKey(config: Config, places: CredentialPlaces): Credential | undefined {
  const environment = serviceEnvironment(config);
  const found = config.service && readCredential(config.service.credential, places);
  const wrong = found && environment && wrongKeyWords(found.value, environment, found.source);
  if (wrong) throw new AppError('CREDENTIAL_WRONG_ENVIRONMENT', wrong);
  return found;
}

/**
 * Why a key must not be sent to that environment, as text without the key; null when it may be.
 * Why here: a live key at a sandbox discloses a secret, and a sandbox key at the live service reports none of the real charges.
 */
export function wrongKeyWords(key: string, environment: ServiceEnvironment, source: string): string | null {
  const wanted = PREFIXES[environment];
  if (wanted === null ? !key.startsWith('rk_live_') : key.startsWith(wanted)) return null;
  const shown = Object.values(PREFIXES).find((prefix) => prefix !== null && key.startsWith(prefix));
  const what = shown ? `a key that begins with ${shown}` : 'no key of the service';
  const mend =
    wanted === null
      ? 'put no live key there'
      : `put a key into it that begins with ${wanted}, or change "service.environment"`;
  return `${source} holds ${what}, and the service of this configuration is "${environment}": ${mend}`;
}
