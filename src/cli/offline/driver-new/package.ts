import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../../../base/errors.ts';
import { EXIT, type ExitCode } from '../../exit-code.ts';
import { type Io, printDocument } from '../../io.ts';
import type { PackageKind } from './kinds.ts';
import { renamed } from './rename.ts';

/** Not among the skeletons: a Debian package has no such files. An older Node cannot run TypeScript, and says so only in words of its own. */
const HIDDEN = { '.gitignore': 'node_modules/\n', '.npmrc': 'engine-strict=true\n' } as const;

/**
 * `tillctl driver new NAME --kind KIND`: a driver package in the folder NAME, with the driver kit beside it, whose `npm test` passes.
 * @throws DRIVER_EXISTS, DRIVER_KIT_MISSING
 */
export function newPackage(root: string, name: string, kind: PackageKind, json: boolean, io: Io): ExitCode {
  const folder = join(io.cwd, name);
  if (existsSync(folder))
    throw new AppError('DRIVER_EXISTS', `there is ${folder} already: take another name, or remove it`);
  const kit = kitOf(root);
  const skeleton = join(kit, 'skeletons', kind);
  const files = readdirSync(skeleton, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(skeleton, file)).isFile(),
  );
  for (const file of files) {
    const at = join(folder, file);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, renamed(readFileSync(join(skeleton, file), 'utf8'), name));
  }
  for (const [file, text] of Object.entries(HIDDEN)) writeFileSync(join(folder, file), text);
  const packages = readdirSync(join(kit, 'packages'));
  for (const file of packages) copyFileSync(join(kit, 'packages', file), join(folder, file));
  print({ name, kind, folder, files: [...files, ...Object.keys(HIDDEN), ...packages].sort() }, json, io);
  return EXIT.done;
}

/** The driver kit as it is installed beside the program; in the source tree it is built. */
function kitOf(root: string): string {
  const installed = join(root, 'driver-kit');
  if (existsSync(installed)) return installed;
  const builder = join(root, 'systemd/package/driver-kit/driver-kit.ts');
  const isBuilt =
    existsSync(builder) &&
    spawnSync(process.execPath, [builder], { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  if (!isBuilt)
    throw new AppError(
      'DRIVER_KIT_MISSING',
      `the driver kit is not in ${installed}, and cannot be built there: install tilld again, or run "npm ci" in its source tree`,
    );
  return join(root, 'dist/driver-kit');
}

interface NewPackage {
  readonly name: string;
  readonly kind: PackageKind;
  readonly folder: string;
  readonly files: readonly string[];
}

function print(made: NewPackage, json: boolean, io: Io): void {
  if (json) {
    printDocument(io, { data: made });
    return;
  }
  const { name, folder, files } = made;
  io.out(files.map((file) => `  ${name}/${file}\n`).join(''));
  io.out(`
${folder} works as it is, and speaks a made-up protocol (${name}/README.md):
  cd ${name} && npm install && npm test
The guide goes on from here: node_modules/@tilld/driver-kit/guide/first-approval.md
`);
}
