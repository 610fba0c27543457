import { resolve } from 'node:path';
import { checkConfig } from '../../agent/check-config.ts';
import { messageOf } from '../../base/errors.ts';
import { readCredential } from '../../config/credentials.ts';
import { withdrawnOptions } from '../../config/device-options.ts';
import { configFiles } from '../../config/load.ts';
import type { Config } from '../../config/schema.ts';
import { serviceEnvironment, wrongKeyWords } from '../../config/service-key.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { plain } from '../show/plain.ts';
import { usualConfig } from './state-files.ts';

export interface ConfigCheckOptions extends GlobalOptions {
  readonly file?: string;
  readonly driverPackages?: string;
}

/** `tillctl config check [FILE]`: checks the file, each device with its driver, and the credentials it names. */
export async function configCheck(options: ConfigCheckOptions, io: Io): Promise<ExitCode> {
  const file = options.file === undefined ? usualConfig(io.cwd) : resolve(io.cwd, options.file);
  const { driverPackages: folder } = options;
  const { config, drivers } = await checkConfig(file, folder === undefined ? null : resolve(io.cwd, folder));
  const withdrawn = withdrawnOptions(config, drivers).map(({ path, words }) => `${path}: ${words}`);
  const warnings = [...withdrawn, ...credentialWarnings(config, io)];
  const { environment } = config;
  const devices = config.devices.map(({ id, name, driver }) => ({ id, name, driver }));
  const files = configFiles(file);
  if (options.json) printDocument(io, { data: { file, files, ok: true, environment, devices, warnings } });
  else
    io.out(
      `${file} is fine: ${environment}, ${devices.length === 1 ? '1 device' : `${devices.length} devices`}.\n`,
    );
  if (!options.json && files.length > 1) io.out(`It was read over ${files.slice(0, -1).join(', ')}.\n`);
  for (const warning of warnings) io.err(`warning: ${plain(warning)}\n`);
  return EXIT.done;
}

function credentialWarnings(config: Config, io: Io): string[] {
  const { service, state_dir } = config;
  if (service?.url === undefined) return [];
  const name = service.credential;
  try {
    const found = readCredential(name, { stateDir: resolve(io.cwd, state_dir), env: io.env });
    const environment = serviceEnvironment(config);
    const wrong = found && environment && wrongKeyWords(found.value, environment, found.source);
    if (found) return [found.warning, wrong].filter((words) => typeof words === 'string');
    return [
      `there is no credential "${name}" for the service here: put the key into ${state_dir}/credentials/${name}`,
    ];
  } catch (error) {
    return [messageOf(error)];
  }
}
