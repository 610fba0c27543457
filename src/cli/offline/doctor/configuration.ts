import { terminalDrivers } from '../../../../drivers/index.ts';
import { messageOf } from '../../../base/errors.ts';
import { readCredential } from '../../../config/credentials.ts';
import { parseDeviceOptions } from '../../../config/device-options.ts';
import { serviceEnvironment, wrongKeyWords } from '../../../config/service-key.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import type { Patient } from './patient.ts';

/** What the operating system can hold in a socket address, in bytes. */
const LONGEST_SOCKET_PATH = 107;

/** The file, and each device against its driver. */
export function checkConfig({ configuration }: Pick<Patient, 'configuration'>): Finding {
  const { file, config } = configuration;
  const error = config === null ? configuration.error : driverProblem(configuration.config, file);
  if (error === null) return ok('config', `${file} is fine`);
  return fail('config', {
    what: `${file}: ${messageOf(error)}`,
    why: 'tilld does not start with it',
    fix: `mend the file, then: tillctl config check ${file}`,
  });
}

function driverProblem(config: Parameters<typeof parseDeviceOptions>[0] | null, file: string): unknown {
  try {
    if (config) parseDeviceOptions(config, terminalDrivers, file);
    return null;
  } catch (error) {
    return error;
  }
}

/** The key of the service: there, usable, and nobody else's to read. */
export function checkCredentials({ configuration, files, io }: Patient): Finding {
  const id = 'credentials';
  const { config } = configuration;
  const service = config?.service;
  const environment = config && serviceEnvironment(config);
  if (!service) return ok(id, 'no service is configured: no credential is needed');
  const name = service.credential;
  const place = `${files.credentials}/${name}`;
  try {
    const found = readCredential(name, { stateDir: files.folder, env: placesOf(io.env) });
    if (found?.warning)
      return fail(id, {
        what: found.warning,
        why: 'whoever reads it can act for this shop at the service',
        fix: `chmod 600 ${found.source}, then roll the key`,
      });
    const wrong = found && environment && wrongKeyWords(found.value, environment, found.source);
    if (wrong)
      return fail(id, {
        what: wrong,
        why: 'tilld does not start with it, and while it runs it does not send it: nothing is reported',
        fix: `put the right key into ${found.source} (mode 600); a key that reached the wrong hands is rolled first`,
      });
    if (environment === 'mock')
      return ok(id, 'the service is a mock: nothing is sent to it, no credential is needed');
    if (found)
      return ok(id, `"${name}" comes from ${found.source} and begins as keys of "${environment}" do`);
    if (service.url === undefined) return ok(id, `the sandbox makes "${name}" by itself`);
    return fail(id, {
      what: `there is no credential "${name}"`,
      why: 'outcomes cannot be reported to the service; payments at the counter are not affected',
      fix: `put the key into ${place} (mode 600)`,
    });
  } catch (error) {
    return fail(id, {
      what: messageOf(error),
      why: 'outcomes cannot be reported to the service; payments at the counter are not affected',
      fix: `put the key into ${place} (mode 600), as one line`,
    });
  }
}

/** A socket's path has little room. */
export function checkSocketPath({ files }: Pick<Patient, 'files'>): Finding {
  const bytes = Buffer.byteLength(files.socket);
  if (bytes <= LONGEST_SOCKET_PATH) return ok('socket-path', `${files.socket} fits a socket`);
  return fail('socket-path', {
    what: `${files.socket} has ${bytes} bytes, the system allows ${LONGEST_SOCKET_PATH}`,
    why: 'tilld cannot open its socket there and does not start',
    fix: 'use a shorter state folder: tilld --state-dir SHORTER_FOLDER',
  });
}

/** A clock that lost the time makes fresh work look stale, and the other way round. */
export function checkClock({ now }: Pick<Patient, 'now'>, newestRowAt: number | null): Finding {
  const id = 'clock';
  const trouble = {
    why: 'the age of work, and what was sold a moment ago, are judged by this clock',
    fix: 'set the clock, or let it be set: timedatectl set-ntp true',
  };
  const says = new Date(now).toISOString();
  if (now < FIRST_PLAUSIBLE)
    return fail(id, { what: `the clock says ${says}: it has lost the time`, ...trouble });
  if (now > LAST_PLAUSIBLE) return fail(id, { what: `the clock says ${says}: that is too late`, ...trouble });
  if (newestRowAt === null || newestRowAt - now <= TOLERATED_MS) return ok(id, `the clock says ${says}`);
  const newest = new Date(newestRowAt).toISOString();
  const what = `the clock says ${says}, but the newest entry of the journal was made at ${newest}`;
  return newestRowAt - now > FAILING_MS ? fail(id, { what, ...trouble }) : warn(id, { what, ...trouble });
}

const FIRST_PLAUSIBLE = Date.UTC(2026, 0, 1);
const LAST_PLAUSIBLE = Date.UTC(2100, 0, 1);
const TOLERATED_MS = 60_000;
const FAILING_MS = 3_600_000;

/** What systemd hands over lies here while the daemon runs; whoever asks the doctor is not told so by the environment. */
const OF_THE_SERVICE = '/run/credentials/tilld.service';

function placesOf(env: Patient['io']['env']): Patient['io']['env'] {
  return { CREDENTIALS_DIRECTORY: OF_THE_SERVICE, ...env };
}
