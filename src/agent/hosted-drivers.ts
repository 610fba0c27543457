import { resolve } from 'node:path';
import { terminalDrivers } from '../../drivers/index.ts';
import { AppError } from '../base/errors.ts';
import type { Config } from '../config/schema.ts';
import type { TerminalManifest } from '../driver-kit/define.ts';
import { defaultPackagesFolder } from '../driver-packages/child-entry.ts';
import {
  ChildProcessDriverHost,
  type ChildProcessDriverHostDeps,
} from '../driver-packages/child-process-driver-host.ts';
import { inGuide } from '../driver-packages/guide.ts';
import { type DriverPackage, readPackages } from '../driver-packages/read-package.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';

/**
 * Every driver that the configuration can name: tilld's own, and those of its driver packages, which run in processes of their own.
 * @param folder where packages are installed; null: beside the program
 * @throws CONFIG_INVALID
 */
export function hostedDrivers(
  config: Config,
  folder: string | null,
  deps: ChildProcessDriverHostDeps & { readonly lifecycle: Lifecycle },
): readonly TerminalManifest[] {
  const packages = installedPackages(config, folder);
  if (packages.length === 0) return terminalDrivers;
  const files = new Map(packages.map(({ manifest, files }) => [manifest.id, files] as const));
  const host = new ChildProcessDriverHost(files, deps);
  deps.lifecycle.started('driver packages', () => host.stop());
  const hosted = packages.map(
    ({ manifest }): TerminalManifest => ({ ...manifest, load: () => host.driverOf(manifest) }),
  );
  return [...terminalDrivers, ...hosted];
}

/** The same as data, for the commands that only check a configuration. @throws CONFIG_INVALID */
export function knownDrivers(config: Config): readonly TerminalManifest[] {
  return [...terminalDrivers, ...installedPackages(config, null).map(({ manifest }) => manifest)];
}

function installedPackages(config: Config, folder: string | null): readonly DriverPackage[] {
  const packages = readPackages(resolve(folder ?? defaultPackagesFolder()), config.driver_packages);
  const taken = new Set(terminalDrivers.map(({ id }) => id));
  for (const { manifest, files } of packages) {
    if (taken.has(manifest.id))
      throw new AppError(
        'CONFIG_INVALID',
        inGuide('package', `driver package "${files.name}": another driver is "${manifest.id}"`),
      );
    taken.add(manifest.id);
  }
  return packages;
}
