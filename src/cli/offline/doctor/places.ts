import type { DiagnosticContext } from './diagnostic-context.ts';

/** systemd stores the daemon's credentials here while it runs; the environment of `tillctl doctor` does not say so. */
const OF_THE_SERVICE = '/run/credentials/tilld.service';

/** The environment that locates credentials, as the daemon has it. */
export function placesOf(env: DiagnosticContext['io']['env']): DiagnosticContext['io']['env'] {
  return { CREDENTIALS_DIRECTORY: OF_THE_SERVICE, ...env };
}
