import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from './platform.ts';
import { APPARMOR } from './staging.ts';
import { buildTime, debianFile, publisher } from './text-files.ts';

const COMPRESSIONS = { small: ['-Zxz', '-z6'], fast: ['-Zgzip', '-z1'], none: ['-Znone'] } as const;

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
  put('control', controlFile(version, architecture, kilobytes), 0o644);
  put('conffiles', `/${APPARMOR}\n`, 0o644);
  put('md5sums', files.map(({ path }) => sumLine(root, path)).join(''), 0o644);
  for (const script of ['preinst', 'postinst', 'prerm', 'postrm'])
    put(script, maintainerScript(script, version), 0o755);
  execFileSync('dpkg-deb', ['--root-owner-group', ...COMPRESSIONS[compression], '--build', root, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(buildTime()) },
  });
}

/** dpkg keeps each script alone: what they share stands in each. */
function maintainerScript(name: string, version: string): string {
  return debianFile(name)
    .replace('@COMMON@\n', () => debianFile('common'))
    .replaceAll('@VERSION@', version);
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

/** What Node's own binary asks of a system, and what the maintainer scripts call; `sqlite3` recovers pages of a damaged database. */
function controlFile(version: string, architecture: Architecture, kilobytes: number): string {
  const { maintainer, homepage } = publisher();
  return `Package: tilld
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${kilobytes}
Pre-Depends: init-system-helpers (>= 1.54~)
Depends: libc6 (>= 2.28), libgcc-s1 (>= 3.4), libstdc++6 (>= 9), systemd | systemd-standalone-sysusers | systemd-sysusers
Recommends: sqlite3
Suggests: udev, avahi-daemon, libusb-1.0-0
Section: net
Priority: optional${homepage === null ? '' : `\nHomepage: ${homepage}`}
Description: agent between tills and card terminals
 tilld takes card-present payments: it stands between the tills of a shop and
 its card terminals (ZVT, Concert, ECR17, Transbank), sees to it that a
 customer is charged once, finds out how an interrupted payment ended, and
 reports each outcome to the billing service exactly once.
 .
 This package brings its own Node.js and needs none of the system's.
`;
}
