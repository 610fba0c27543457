import { messageOf } from '../../../base/errors.ts';
import { readCredential, readSecrets } from '../../../config/credentials.ts';
import { serviceEnvironment, wrongKeyWords } from '../../../config/service-key.ts';
import { createSealer } from '../../../runtime/sealer.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';
import { placesOf } from './places.ts';

type Parts = Pick<DiagnosticContext, 'configuration' | 'files' | 'io'>;

/** The service's API key: it exists, is usable, and no other user can read it. */
export function checkCredentials(parts: Parts): CheckResult {
  const id = 'credentials';
  const { configuration, files, io } = parts;
  const { config } = configuration;
  const service = config?.service;
  const environment = config && serviceEnvironment(config);
  if (!service) return ok(id, 'no service is configured: no credential is needed');
  const name = service.credential;
  const place = `${files.credentials}/${name}`;
  const put = `put the key into it as one line, then: chmod 600 ${place}`;
  try {
    const found = readCredential(name, { stateDir: files.folder, env: placesOf(io.env) });
    if (found?.warning)
      return fail(id, {
        what: found.warning,
        why: 'a person who reads it can act for this shop at the service',
        fix: `chmod 600 ${found.source}, then roll the key`,
      });
    const wrong = found && environment && wrongKeyWords(found.value, environment, found.source);
    if (wrong)
      return fail(id, {
        what: wrong,
        why: 'tilld does not start with it, and while it runs it does not send it: nothing is reported',
        fix: `put the right key into ${found.source}, then: chmod 600 ${found.source}; a key that reached the wrong hands is rolled first`,
      });
    if (environment === 'mock')
      return ok(id, 'the service is a mock: nothing is sent to it, no credential is needed');
    if (found)
      return ok(id, `"${name}" comes from ${found.source} and begins as keys of "${environment}" do`);
    if (service.url === undefined) return ok(id, `the sandbox makes "${name}" by itself`);
    return fail(id, {
      what: `there is no credential "${name}"`,
      why: 'outcomes cannot be reported to the service; payments at the counter are not affected',
      fix: `install -m 600 KEY_FILE ${place} (as the user that runs tilld)`,
    });
  } catch (error) {
    return fail(id, {
      what: messageOf(error),
      why: 'outcomes cannot be reported to the service; payments at the counter are not affected',
      fix: put,
    });
  }
}

/** The secret that signs the service's webhooks. */
export function checkHookSecret({ configuration, files, io }: Parts): CheckResult {
  const id = 'hook-secret';
  const name = configuration.config?.service?.webhook_credential;
  if (name === undefined) return ok(id, 'webhooks of the service are not served');
  const place = `${files.credentials}/${name}`;
  const why = 'every webhook of the service is refused: work and cancellations come with the next poll only';
  try {
    const found = readSecrets(name, { stateDir: files.folder, env: placesOf(io.env) });
    if (!found)
      return fail(id, {
        what: `there is no credential "${name}"`,
        why,
        fix: `install -m 600 SECRET_FILE ${place} (as the user that runs tilld)`,
      });
    if (!found.warning) return ok(id, `"${name}" comes from ${found.source}`);
    return fail(id, {
      what: found.warning,
      why: 'a person who reads it can send this shop webhooks in the name of the service',
      fix: `chmod 600 ${found.source}, then roll the secret`,
    });
  } catch (error) {
    return fail(id, {
      what: messageOf(error),
      why,
      fix: `put the secret into it as one line, then: chmod 600 ${place}`,
    });
  }
}

const SEAL = 'seal.key';

/** The key that seals secrets in the database; when it is lost, they are lost. */
export function checkSealKey(parts: Parts & { readonly isNeeded: boolean }): CheckResult {
  const id = 'seal-key';
  const { files, io, isNeeded } = parts;
  const trouble = {
    why: 'the secrets of webhooks and the credentials of providers cannot be opened with it',
    fix: `put back ${files.credentials}/${SEAL} from where it was copied to, then: chmod 600 ${files.credentials}/${SEAL}; without it: tillctl webhooks roll-secret ID, and for each provider: tillctl rotate PROVIDER`,
  };
  try {
    const found = readCredential(SEAL, { stateDir: files.folder, env: placesOf(io.env) });
    if (!found) {
      if (!isNeeded) return ok(id, 'nothing is sealed yet');
      return fail(id, {
        what: `there is no credential "${SEAL}", and the books hold what it sealed`,
        ...trouble,
      });
    }
    if (found.warning)
      return fail(id, { what: found.warning, why: trouble.why, fix: `chmod 600 ${found.source}` });
    createSealer({ read: () => found.value, keep: () => undefined }).seal('doctor', 'doctor');
    return ok(id, `"${SEAL}" comes from ${found.source}`);
  } catch (error) {
    return fail(id, { what: `${SEAL}: ${messageOf(error)}`, ...trouble });
  }
}

const PROXIES = ['http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];

/** A proxy setting of the environment that tilld does not use. */
export function checkProxy({ configuration, io }: Parts): CheckResult {
  const id = 'proxy';
  const names = PROXIES.filter((name) => io.env[name]);
  if (names.length === 0 || configuration.config?.service?.url === undefined)
    return ok(id, 'no proxy is asked for');
  return warn(id, {
    what: `${names.join(', ')} is set, and tilld uses no proxy: it goes to the service directly`,
    why: 'where the network lets only the proxy out, nothing is reported',
    fix: `let this machine out to ${new URL(configuration.config.service.url).host} in the firewall, then: tillctl doctor (or unset ${names.join(' ')})`,
  });
}
