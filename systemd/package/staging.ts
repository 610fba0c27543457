import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './bundle.ts';
import { launcher } from './launcher.ts';
import { tillctlPage, tilldPage } from './man-pages.ts';
import { copyNativeModules } from './native-modules.ts';
import { ARCHITECTURES, type Architecture, platformPackage } from './platform.ts';
import { sbom } from './sbom.ts';
import { copyright, debianChangelog, notices } from './text-files.ts';

const LIB = 'usr/lib/tilld';
/** A link of the maintainer scripts: to the tree of this release, or to that of the previous one. */
const RUNNING = '/usr/lib/tilld-current';
const SHARE = 'usr/share/tilld';
const DOC = 'usr/share/doc/tilld';

/** The administrator may enforce it there, and adds to it in `local/tilld`. */
export const APPARMOR = 'etc/apparmor.d/tilld';

/** Files that go into the package as they are. */
const COPIES: readonly (readonly [from: string, to: string])[] = [
  ['systemd/package/debian/tilld.jsonc', `${SHARE}/tilld.initial.jsonc`],
  ['systemd/package/debian/conf.d/10-package.jsonc', `${LIB}/config/conf.d/10-package.jsonc`],
  ['systemd/tilld.service', 'usr/lib/systemd/system/tilld.service'],
  ['systemd/tilld.socket', 'usr/lib/systemd/system/tilld.socket'],
  // What the maintainer scripts put in the place of the two above, with the release that runs.
  ['systemd/tilld.service', `${LIB}/systemd/tilld.service`],
  ['systemd/tilld.socket', `${LIB}/systemd/tilld.socket`],
  ['systemd/tilld-pauses.conf', `${LIB}/systemd/pauses.conf`],
  ['systemd/tilld.sysusers', 'usr/lib/sysusers.d/tilld.conf'],
  ['systemd/tilld.tmpfiles', 'usr/lib/tmpfiles.d/tilld.conf'],
  ['systemd/tilld.modules', 'usr/lib/modules-load.d/tilld.conf'],
  ['systemd/tilld.apparmor', APPARMOR],
  ['systemd/70-tilld.rules', 'usr/lib/udev/rules.d/70-tilld.rules'],
  ['systemd/README.md', `${DOC}/README.systemd`],
  ['systemd/package/debian/tilld.lintian-overrides', 'usr/share/lintian/overrides/tilld'],
  ['config/tilld.example.jsonc', `${SHARE}/tilld.example.jsonc`],
  ['config/tilld.schema.json', `${SHARE}/tilld.schema.json`],
  ['config/demo/tilld.jsonc', `${SHARE}/demo/tilld.jsonc`],
];

const COMPLETIONS = {
  bash: 'usr/share/bash-completion/completions/tillctl',
  zsh: 'usr/share/zsh/vendor-completions/_tillctl',
  fish: 'usr/share/fish/vendor_completions.d/tillctl.fish',
} as const;

/** What is laid out. */
export interface Staged {
  readonly version: string;
  readonly architecture: Architecture;
  /** What {@link bundle} has written. */
  readonly bundled: string;
  /** What `buildDriverKit` has written. */
  readonly driverKit: string;
}

/** Lays the files of the package out under `root`, as they will lie under `/`. */
export function stage(root: string, { version, architecture, bundled, driverKit }: Staged): void {
  const at = (path: string) => join(root, path);
  for (const [from, to] of COPIES) put(at(to), readFileSync(join(ROOT, from)));
  cpSync(bundled, at(`${LIB}/src`), { recursive: true });
  cpSync(driverKit, at(`${LIB}/driver-kit`), { recursive: true });
  copyNativeModules(at(`${LIB}/node_modules`), architecture);
  put(at(`${LIB}/package.json`), `${JSON.stringify({ name: 'tilld', version, type: 'module' })}\n`);
  stageNode(at(`${LIB}/node`), architecture);
  // Where the program looks for its demo, beside its code.
  symlinkSync('../../../share/tilld/demo', at(`${LIB}/config/demo`));
  // The defaults of the release that runs.
  mkdirSync(at('etc/tilld/conf.d'), { recursive: true });
  symlinkSync(`${RUNNING}/config/conf.d/10-package.jsonc`, at('etc/tilld/conf.d/10-package.jsonc'));
  const programs = { lib: RUNNING, node: `${RUNNING}/node` };
  mkdirSync(at('usr/bin'), { recursive: true });
  for (const name of ['tilld', 'tillctl'] as const) {
    put(at(`${LIB}/bin/${name}`), launcher(name, programs), 0o755);
    symlinkSync(`../lib/tilld-current/bin/${name}`, at(`usr/bin/${name}`));
  }
  for (const [shell, path] of Object.entries(COMPLETIONS)) put(at(path), completionFor(shell));
  putCompressed(at('usr/share/man/man1/tillctl.1.gz'), tillctlPage(version));
  putCompressed(at('usr/share/man/man8/tilld.8.gz'), tilldPage(version));
  stageDocuments(at(DOC), 'tilld', { version, architecture });
}

/** What every package of ours has in its folder of documents: licences, changes, and the list of what it contains. */
export function stageDocuments(
  folder: string,
  name: string,
  { version, architecture }: Pick<Staged, 'version' | 'architecture'>,
): void {
  put(join(folder, 'copyright'), copyright(name));
  putCompressed(join(folder, 'changelog.gz'), debianChangelog(name, version));
  putCompressed(join(folder, 'NEWS.gz'), readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));
  putCompressed(join(folder, 'third-party-notices.gz'), notices(nodeFor(architecture)));
  put(join(folder, 'sbom.cdx.json'), sbom(name, version, architecture));
}

/** The npm package that contains Node for this architecture. */
function nodeFor(architecture: Architecture): string {
  return platformPackage(`node-linux-${ARCHITECTURES[architecture]}`);
}

/** Node's own binary, as its makers publish it. */
export function stageNode(file: string, architecture: Architecture): void {
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(join(nodeFor(architecture), 'bin/node'), file);
  chmodSync(file, 0o755);
}

function completionFor(shell: string): string {
  return execFileSync(process.execPath, [join(ROOT, 'src/cli/tillctl.ts'), 'completion', shell], {
    encoding: 'utf8',
  });
}

export function put(path: string, content: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

/** As `gzip -9n` does it: the same bytes each time. */
export function putCompressed(path: string, text: string): void {
  put(path, gzipSync(text, { level: 9 }));
}
