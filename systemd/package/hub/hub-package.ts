import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { BuildOptions } from '../build.ts';
import { bundleEntries, ROOT } from '../bundle.ts';
import { type DebPackage, NODE_NEEDS, packDeb } from '../deb.ts';
import { hubPage } from '../man-pages.ts';
import type { Architecture } from '../platform.ts';
import { put, putCompressed, stageDocuments, stageNode } from '../staging.ts';
import { ownVersion } from '../text-files.ts';

const LIB = 'usr/lib/tillhub';
/** The package's own files lie there. */
const DEBIAN = 'systemd/package/hub/debian';
const COPIES: readonly (readonly [from: string, to: string])[] = [
  ['systemd/tillhub.service', 'usr/lib/systemd/system/tillhub.service'],
  ['systemd/tillhub.sysusers', 'usr/lib/sysusers.d/tillhub.conf'],
  [`${DEBIAN}/tillhub.env`, 'usr/share/tillhub/tillhub.initial.env'],
  [`${DEBIAN}/tillhub.lintian-overrides`, 'usr/share/lintian/overrides/tillhub'],
  ['src/hub/README.md', 'usr/share/doc/tillhub/README.hub'],
];
const SERVED = ['.html', '.js', '.css', '.svg'];

const TILLHUB: DebPackage = {
  name: 'tillhub',
  relations: `Pre-Depends: init-system-helpers (>= 1.54~)
Depends: ${NODE_NEEDS}, systemd | systemd-standalone-sysusers | systemd-sysusers
Suggests: postgresql (>= 15)`,
  description: `hub of a fleet of tilld agents
 tillhub takes what the tilld agents of many shops report, keeps it in
 PostgreSQL, proves that nothing is missing, and shows operators their shops.
 No sale depends on it, and it cannot move money.`,
  conffiles: [],
  scripts: Object.fromEntries(
    ['postinst', 'prerm', 'postrm'].map((name) => [name, readFileSync(join(ROOT, DEBIAN, name), 'utf8')]),
  ),
};

/** The hub's program and pages, as the package has them. @param folder named `src`, beside which lies `package.json` */
export async function bundleHub(folder: string): Promise<void> {
  await bundleEntries(folder, { tillhub: 'src/hub/main.ts' });
  cpSync(join(ROOT, 'src/hub/pages'), join(folder, 'hub/pages'), {
    recursive: true,
    filter: (path) => extname(path) === '' || SERVED.includes(extname(path)),
  });
}

/** Builds `tillhub_<version>_<arch>.deb` for each architecture. @returns their paths */
export async function buildHubPackages(
  options: Omit<BuildOptions, 'plugins' | 'driverKit'>,
): Promise<readonly string[]> {
  const { into, architectures, version = ownVersion(), compression = 'small' } = options;
  mkdirSync(into, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'tillhub-package-'));
  try {
    const bundled = join(work, 'src');
    await bundleHub(bundled);
    return architectures.map((architecture) => {
      const root = join(work, architecture);
      const file = join(into, `tillhub_${version}_${architecture}.deb`);
      stageHub(root, bundled, { version, architecture });
      packDeb(root, file, TILLHUB, { version, architecture, compression });
      return file;
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Lays the files of the package out under `root`, as they will lie under `/`. */
function stageHub(
  root: string,
  bundled: string,
  of: { readonly version: string; readonly architecture: Architecture },
): void {
  const at = (path: string) => join(root, path);
  for (const [from, to] of COPIES) put(at(to), readFileSync(join(ROOT, from)));
  cpSync(bundled, at(`${LIB}/src`), { recursive: true });
  put(
    at(`${LIB}/package.json`),
    `${JSON.stringify({ name: 'tillhub', version: of.version, type: 'module' })}\n`,
  );
  put(at(`${LIB}/bin/tillhub`), readFileSync(join(ROOT, DEBIAN, 'wrapper')), 0o755);
  mkdirSync(at('usr/bin'), { recursive: true });
  symlinkSync('../lib/tillhub/bin/tillhub', at('usr/bin/tillhub'));
  mkdirSync(at('etc/tillhub'), { recursive: true });
  stageNode(at(`${LIB}/node`), of.architecture);
  putCompressed(at('usr/share/man/man8/tillhub.8.gz'), hubPage(of.version));
  stageDocuments(at('usr/share/doc/tillhub'), 'tillhub', of);
}
