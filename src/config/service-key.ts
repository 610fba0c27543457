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
