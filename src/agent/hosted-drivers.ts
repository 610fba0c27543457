import { resolve } from 'node:path';
import { terminalDrivers } from '../../drivers/index.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Config } from '../config/schema.ts';
import type { TerminalManifest } from '../driver-kit/define.ts';
import { defaultPackagesFolder } from '../driver-packages/child-entry.ts';
import type { PackageFiles } from '../driver-packages/child-process.ts';
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
export function knownDrivers(config: Config, folder: string | null = null): readonly TerminalManifest[] {
  return [...terminalDrivers, ...installedPackages(config, folder).map(({ manifest }) => manifest)];
}

/** A driver that a device can name. `from`: the package that it comes with; null: tilld itself. */
export interface NamedDriver {
  readonly manifest: TerminalManifest;
  readonly from: PackageFiles | null;
}

/** Every driver as data, and in words each package that is refused: the others are read all the same. */
export function installedDrivers(
  config: Config,
  folder: string | null,
): { readonly known: readonly NamedDriver[]; readonly refused: readonly string[] } {
  const known: NamedDriver[] = terminalDrivers.map((manifest) => ({ manifest, from: null }));
  const refused: string[] = [];
  const taken = ownNames();
  for (const name of config.driver_packages)
    try {
      for (const one of readPackages(folderOf(folder), [name])) {
        claim(one, taken);
        known.push({ manifest: one.manifest, from: one.files });
      }
    } catch (error) {
      refused.push(messageOf(error));
    }
  return { known, refused };
}

function installedPackages(config: Config, folder: string | null): readonly DriverPackage[] {
  const packages = readPackages(folderOf(folder), config.driver_packages);
  const taken = ownNames();
  for (const one of packages) claim(one, taken);
  return packages;
}

function folderOf(folder: string | null): string {
  return resolve(folder ?? defaultPackagesFolder());
}

function ownNames(): Set<string> {
  return new Set(terminalDrivers.map(({ id }) => id));
}

/** @throws CONFIG_INVALID where another driver has its name */
function claim({ manifest: { id }, files: { name } }: DriverPackage, taken: Set<string>): void {
  if (taken.has(id))
    throw new AppError(
      'CONFIG_INVALID',
      inGuide('package', `driver package "${name}": another driver is "${id}"`),
    );
  taken.add(id);
}
