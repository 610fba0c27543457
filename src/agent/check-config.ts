import { parseDeviceOptions } from '../config/device-options.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import type { TerminalManifest } from '../driver-kit/define.ts';
import { knownDrivers } from './hosted-drivers.ts';
import { servedIntegrations } from './served-integrations.ts';
import { configuredVirtualTerminals } from './virtual-families.ts';

export interface CheckedConfig {
  readonly config: Config;
  readonly drivers: readonly TerminalManifest[];
}

/**
 * Checks a configuration before anything runs with it: the schema, each device with its driver, each virtual terminal with its family,
 * each integration with its connector.
 * @param packages where driver packages are installed; null: beside the program
 * @param settings settings of a fleet over it
 * @throws CONFIG_NOT_FOUND, CONFIG_INVALID with every problem
 */
export async function checkConfig(
  file: string,
  packages: string | null,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<CheckedConfig> {
  const config = loadConfig(file, settings);
  const drivers = knownDrivers(config, packages);
  parseDeviceOptions(config, drivers, file);
  configuredVirtualTerminals(config, file);
  await servedIntegrations(config, file);
  return { config, drivers };
}
