import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from './platform.ts';
import { buildTime, publisher } from './text-files.ts';

const COMPRESSIONS = { small: ['-Zxz', '-z6'], fast: ['-Zgzip', '-z1'], none: ['-Znone'] } as const;

/** What a package says of itself. */
export interface DebPackage {
  readonly name: string;
  /** Lines of its control file: what it needs of a system, and its section. */
  readonly relations: string;
  /** First line and text of its description, as the control file has them. */
  readonly description: string;
  /** Paths below `/` that dpkg asks about where the administrator has changed them. */
  readonly conffiles: readonly string[];
  /** The texts of `preinst`, `postinst`, `prerm` and `postrm`, as far as there are any. */
  readonly scripts: Readonly<Record<string, string>>;
}

export interface DebOptions {
  readonly version: string;
  readonly architecture: Architecture;
  /** `fast` and `none` are for tests. */
  readonly compression: keyof typeof COMPRESSIONS;
}

/** Packs what is laid out under `root`; the files belong to root whoever builds. */
export function packDeb(
  root: string,
  file: string,
  described: DebPackage,
  { version, architecture, compression }: DebOptions,
): void {
  openToAll(root);
  const files = everything(root)
    .map((path) => ({ path, facts: lstatSync(join(root, path)) }))
    .filter(({ facts }) => facts.isFile())
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const kilobytes = files.reduce((sum, { facts }) => sum + Math.ceil(facts.size / 1024), 0);
  const control = join(root, 'DEBIAN');
  mkdirSync(control, { mode: 0o755 });
  const put = (name: string, text: string, mode: number) => {
    writeFileSync(join(control, name), text);
    chmodSync(join(control, name), mode);
  };
  put('control', controlFile(described, { version, architecture, kilobytes }), 0o644);
  if (described.conffiles.length > 0)
    put('conffiles', described.conffiles.map((path) => `/${path}\n`).join(''), 0o644);
  put('md5sums', files.map(({ path }) => sumLine(root, path)).join(''), 0o644);
  for (const [script, text] of Object.entries(described.scripts)) put(script, text, 0o755);
  execFileSync('dpkg-deb', ['--root-owner-group', ...COMPRESSIONS[compression], '--build', root, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(buildTime()) },
  });
}

/** Whatever the umask of whoever builds. */
function openToAll(root: string): void {
  for (const path of ['.', ...everything(root)]) {
    const facts = lstatSync(join(root, path));
    if (facts.isSymbolicLink()) continue;
    const isProgram = (facts.mode & 0o100) !== 0 && !path.endsWith('.node');
    chmodSync(join(root, path), facts.isDirectory() || isProgram ? 0o755 : 0o644);
  }
}

/** Paths of all files and folders below; a link is not followed. */
function everything(root: string, below = ''): readonly string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    return entry.isDirectory() ? [path, ...everything(root, path)] : [path];
  });
}

function sumLine(root: string, path: string): string {
  return `${createHash('md5')
    .update(readFileSync(join(root, path)))
    .digest('hex')}  ${path}\n`;
}

/** What Node's own binary asks of a system. */
export const NODE_NEEDS = 'libc6 (>= 2.28), libgcc-s1 (>= 3.4), libstdc++6 (>= 9)';

function controlFile(
  { name, relations, description }: DebPackage,
  of: { readonly version: string; readonly architecture: Architecture; readonly kilobytes: number },
): string {
  const { maintainer, homepage } = publisher();
  return `Package: ${name}
Version: ${of.version}
Architecture: ${of.architecture}
Maintainer: ${maintainer}
Installed-Size: ${of.kilobytes}
${relations}
Section: net
Priority: optional${homepage === null ? '' : `\nHomepage: ${homepage}`}
Description: ${description}
 .
 This package brings its own Node.js and needs none of the system's.
`;
}
