import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { type CredentialPlaces, readSecrets } from '../config/credentials.ts';
import type { Config } from '../config/schema.ts';
import { readServiceKey, serviceEnvironment } from '../config/service-key.ts';
import type { StateFolder } from '../runtime/state-folder.ts';
import { writeFileDurably } from '../store/disk/durable-file.ts';

/**
 * Returns a reader of the service's key. It reads the credential each time, so that a rolled key needs no restart. A key of the wrong environment is
 * never returned: at the start it is an error with a clear message, later it counts as missing. In the sandbox a key is generated once and kept,
 * because there is no dashboard to get one from.
 * @throws CREDENTIAL_INVALID when it exists and cannot be used, CREDENTIAL_WRONG_ENVIRONMENT
 */
export function serviceKey(config: Config, folder: StateFolder, log: Log): () => string | null {
  const environment = serviceEnvironment(config);
  const name = config.service?.credential;
  if (name === undefined || environment === null) return () => null;
  const places = { stateDir: folder.path, env: process.env };
  const first = readServiceKey(config, places);
  if (first?.warning) log.warn({ credential: name, warning: first.warning }, 'credential is not safe');
  if (!first && config.service?.url === undefined && config.sandbox?.service) {
    writeFileDurably(join(folder.credentials, name), `rk_sandbox_${randomBytes(24).toString('base64url')}\n`);
  } else if (!first && environment !== 'mock') {
    log.error(
      { credential: name, folder: folder.credentials },
      'no key for the service: put it into the credentials folder',
    );
  }
  return careful(log, () => readServiceKey(config, places)?.value ?? null);
}

/** Returns a reader of the secrets that the service signs its webhooks with; undefined when none is configured. */
export function hookSecrets(
  config: Config,
  folder: StateFolder,
  log: Log,
): (() => readonly string[]) | undefined {
  const name = config.service?.webhook_credential;
  if (name === undefined) return undefined;
  const places: CredentialPlaces = { stateDir: folder.path, env: process.env };
  const first = readSecrets(name, places);
  if (first?.warning) log.warn({ credential: name, warning: first.warning }, 'credential is not safe');
  if (!first)
    log.error(
      { credential: name, folder: folder.credentials },
      'no signing secret for the webhooks of the service: they are refused until it is in the credentials folder',
    );
  const read = careful(log, () => readSecrets(name, places)?.values ?? null);
  return () => read() ?? [];
}

/** A secret that cannot be used counts as missing; the log says why once, until the reason changes. */
function careful<T>(log: Log, read: () => T | null): () => T | null {
  let logged: string | null = null;
  return () => {
    try {
      const value = read();
      logged = null;
      return value;
    } catch (error) {
      const words = messageOf(error);
      if (words !== logged) log.error({ error: words }, 'credential of the service cannot be used');
      logged = words;
      return null;
    }
  };
}
