import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError, messageOf } from '../base/errors.ts';
import type { TerminalManifest } from '../driver-kit/define.ts';
import type { PackageFiles } from './child-process.ts';
import { CapabilitiesShape } from './terminal-values.ts';

/** The version of the interface between tilld and drivers. */
const API_VERSION = 1;
const MAX_FILE_BYTES = 65_536;
/** Writable by the group or by others. */
const WRITABLE = 0o022;

const hex = z.string().regex(/^[0-9a-f]{4}$/);

/** `tilld` in the `package.json` of a driver package: the driver's manifest as data. It is read without running any code of the package. */
const DriverSection = z.strictObject({
  apiVersion: z.literal(API_VERSION, `must be ${API_VERSION}: the package was made for another tilld`),
  id: z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/),
  name: z.string().min(1).max(64),
  specification: z.string().min(1).max(200),
  transports: z.array(z.enum(['serial', 'tcp'])).min(1),
  defaults: z
    .strictObject({
      tcpPort: z.int().min(1).max(65_535).exactOptional(),
      baudRate: z.int().min(300).max(921_600).exactOptional(),
      stopBits: z.literal([1, 2]).exactOptional(),
      heartbeatMs: z.int().min(250).max(600_000).exactOptional(),
    })
    .default({}),
  connection: z.enum(['kept', 'per_exchange']).exactOptional(),
  usbFingerprints: z
    .array(z.strictObject({ vendorId: hex, productId: hex, note: z.string().max(200) }))
    .max(64)
    .exactOptional(),
  minAmountMinor: z.int().min(1).exactOptional(),
  maxAmountMinor: z.int().min(1),
  capabilities: CapabilitiesShape,
});

const PackageJson = z.object({
  type: z.literal('module', 'must be "module": a driver package consists of ES modules'),
  main: z.string().min(1).max(200),
  tilld: DriverSection,
});

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
    const folder = realpathSync(at);
    const file = join(folder, 'package.json');
    mustBeSafe(folder);
    mustBeSafe(file);
    if (statSync(file).size > MAX_FILE_BYTES) throw new Error('its package.json is too long');
    const parsed = PackageJson.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (!parsed.success) throw new Error(firstProblem(parsed.error));
    const entry = realpathSync(join(folder, parsed.data.main));
    if (!entry.startsWith(`${folder}/`)) throw new Error('its main file lies outside of it');
    mustBeSafe(entry);
    return { files: { name, folder, entry }, manifest: manifestOf(parsed.data.tilld) };
  } catch (error) {
    throw new AppError('CONFIG_INVALID', `driver package "${name}" in ${at}: ${messageOf(error)}`);
  }
}

/** @throws when another user than root and the one of tilld could have written it */
function mustBeSafe(path: string): void {
  const { uid, mode } = statSync(path);
  if (uid !== 0 && uid !== process.getuid?.()) throw new Error(`${path} must belong to root`);
  if ((mode & WRITABLE) !== 0) throw new Error(`${path} must be writable by its owner alone`);
}

function firstProblem({ issues: [issue] }: z.ZodError): string {
  return `package.json: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is invalid'}`;
}

/** Its options are read in its own process, when a terminal is connected. */
function manifestOf(section: z.output<typeof DriverSection>): TerminalManifest {
  const refuse = (what: string) => () =>
    Promise.reject(new AppError('TERMINAL_CANNOT', `${what} of a driver package runs in its own process`));
  return {
    ...section,
    options: z.record(z.string(), z.json()),
    load: refuse('the driver'),
    loadDecoder: refuse('the decoder'),
  };
}
