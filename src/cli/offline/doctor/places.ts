import type { Patient } from './patient.ts';

/** What systemd hands over lies here while the daemon runs; whoever asks the doctor is not told so by the environment. */
const OF_THE_SERVICE = '/run/credentials/tilld.service';

/** The environment by which credentials are found, as the daemon has it. */
export function placesOf(env: Patient['io']['env']): Patient['io']['env'] {
  return { CREDENTIALS_DIRECTORY: OF_THE_SERVICE, ...env };
}
