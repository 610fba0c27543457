import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError, messageOf } from '../base/errors.ts';
import type { TerminalManifest } from '../driver-kit/define.ts';
import type { PackageFiles } from './child-process.ts';
import { inGuide } from './guide.ts';
import { type DriverSection, readPackageJson } from './package-json.ts';

const MAX_FILE_BYTES = 65_536;
/** Writable by the group or by others. */
const WRITABLE = 0o022;

/** A driver package that is installed. */
export interface DriverPackage {
  readonly files: PackageFiles;
  readonly manifest: TerminalManifest;
}

/**
 * Reads the packages that the configuration names, from the one folder where they are installed.
 * @throws CONFIG_INVALID when one is not there, is made for another version, or could be changed by others
 */
export function readPackages(folder: string, names: readonly string[]): readonly DriverPackage[] {
  return names.map((name) => readPackage(folder, name));
}

function readPackage(packages: string, name: string): DriverPackage {
  const at = join(packages, name);
  try {
    if (!existsSync(at)) throw new Error('is not installed there');
    const folder = realpathSync(at);
    const file = join(folder, 'package.json');
    mustBeSafe(folder);
    mustBeSafe(file);
    if (statSync(file).size > MAX_FILE_BYTES) throw new Error('its package.json is too long');
    const { main, tilld } = readPackageJson(JSON.parse(readFileSync(file, 'utf8')));
    const entry = realpathSync(join(folder, main));
    if (!entry.startsWith(`${folder}/`)) throw new Error('its main file lies outside of it');
    mustBeSafe(entry);
    return { files: { name, folder, entry }, manifest: manifestOf(tilld) };
  } catch (error) {
    throw new AppError(
      'CONFIG_INVALID',
      inGuide('package', `driver package "${name}" in ${at}: ${messageOf(error)}`),
    );
  }
}

/** @throws when another user than root and the one of tilld could have written it */
function mustBeSafe(path: string): void {
  const { uid, mode } = statSync(path);
  if (uid !== 0 && uid !== process.getuid?.()) throw new Error(`${path} must belong to root`);
  if ((mode & WRITABLE) !== 0) throw new Error(`${path} must be writable by its owner alone`);
}

/** Its options are read in its own process, when a terminal is connected. */
function manifestOf(section: DriverSection): TerminalManifest {
  const load = () =>
    Promise.reject(new AppError('TERMINAL_CANNOT', 'the driver of a package runs in its own process'));
  return { ...section, options: z.record(z.string(), z.json()), load };
}
