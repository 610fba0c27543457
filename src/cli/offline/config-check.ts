import { resolve } from 'node:path';
import { virtualTerminals } from '../../../drivers/virtual.ts';
import { checkConfig } from '../../agent/check-config.ts';
import { tlsOf } from '../../agent/tls.ts';
import { counted } from '../../base/counted.ts';
import { AppError } from '../../base/errors.ts';
import { readSecrets } from '../../config/credentials.ts';
import { withdrawnOptions } from '../../config/device-options.ts';
import { configFiles } from '../../config/load.ts';
import type { Config } from '../../config/schema.ts';
import { readServiceKey } from '../../config/service-key.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { plain } from '../show/plain.ts';
import { placesOf } from './doctor/places.ts';
import { usualConfig } from './state-files.ts';

export interface ConfigCheckOptions extends GlobalOptions {
  readonly file?: string;
  readonly driverPackages?: string;
}

/** `tillctl config check [FILE]`: checks the file, each device with its driver, the certificate and the credentials that it names. */
export async function configCheck(options: ConfigCheckOptions, io: Io): Promise<ExitCode> {
  const file = options.file === undefined ? usualConfig(io.cwd) : resolve(io.cwd, options.file);
  const { driverPackages: folder } = options;
  const { config, drivers } = await checkConfig(file, folder === undefined ? null : resolve(io.cwd, folder));
  const withdrawn = withdrawnOptions(config, drivers, virtualTerminals).map(
    ({ path, words }) => `${path}: ${words}`,
  );
  const warnings = [...withdrawn, ...fileWarnings(config, io)];
  const { environment } = config;
  const devices = config.devices.map(({ id, name, driver }) => ({ id, name, driver }));
  const files = configFiles(file);
  if (options.json) printDocument(io, { data: { file, files, ok: true, environment, devices, warnings } });
  else io.out(`${file} is fine: ${environment}, ${counted(devices.length, 'device', 'devices')}.\n`);
  if (!options.json && files.length > 1) io.out(`It was read over ${files.slice(0, -1).join(', ')}.\n`);
  for (const warning of warnings) io.err(`warning: ${plain(warning)}\n`);
  return EXIT.done;
}

/** The state folder of the unit, whose credentials systemd keeps. */
const OF_THE_UNIT = '/var/lib/tilld';

/**
 * Reads what the daemon reads at its start, beside the configuration. What another user must read is a warning, as is what the daemon does without.
 * @throws CONFIG_TLS, CREDENTIAL_INVALID, CREDENTIAL_WRONG_ENVIRONMENT when the daemon would not start with it
 */
function fileWarnings(config: Config, io: Io): string[] {
  const stateDir = resolve(io.cwd, config.state_dir);
  const places = { stateDir, env: stateDir === OF_THE_UNIT ? placesOf(io.env) : io.env };
  const { url, credential, webhook_credential: secret } = config.service ?? {};
  const reads: readonly (() => string | null)[] = [
    () => {
      tlsOf(config);
      return null;
    },
    () => {
      const found = readServiceKey(config, places);
      if (found || url === undefined) return found?.warning ?? null;
      return `there is no credential "${credential}" for the service here: put the key into ${config.state_dir}/credentials/${credential}`;
    },
    () => (secret === undefined ? null : (readSecrets(secret, places)?.warning ?? null)),
  ];
  return reads.flatMap((read) => readHere(read) ?? []);
}

function readHere(read: () => string | null): string | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError && isForbidden(error.cause))
      return `${error.message}: check it as the user that runs tilld`;
    throw error;
  }
}

function isForbidden(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'EACCES' || cause.code === 'EPERM');
}
