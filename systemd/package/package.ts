import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildPackages } from './build.ts';
import { bundle, ROOT } from './bundle.ts';
import { launcher } from './launcher.ts';
import { ARCHITECTURES, type Architecture } from './platform.ts';
import { ownVersion } from './text-files.ts';

// `npm run package`: dist/src (the compiled daemon and command line), dist/bin/tilld (runs it here as the package would) and
// dist/tilld_<version>_<arch>.deb for every architecture.
const dist = join(ROOT, 'dist');
const lack = spawnSync('dpkg-deb', ['--version']).error
  ? 'dpkg-deb is missing: apt-get install dpkg-dev'
  : null;

if (lack) {
  process.stderr.write(`package: ${lack}\n`);
  process.exitCode = 2;
} else {
  rmSync(dist, { recursive: true, force: true });
  await bundle(join(dist, 'src'));
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify({ version: ownVersion(), type: 'module' })}\n`);
  mkdirSync(join(dist, 'bin'));
  writeFileSync(join(dist, 'bin/tilld'), launcher('tilld', { lib: dist, node: process.execPath }), {
    mode: 0o755,
  });
  cpSync(join(ROOT, 'config/demo'), join(dist, 'config/demo'), { recursive: true });
  const architectures = Object.keys(ARCHITECTURES) as Architecture[];
  for (const file of await buildPackages({ into: dist, architectures })) {
    const megabytes = (statSync(file).size / 1e6).toFixed(1);
    process.stdout.write(`${relative(ROOT, file)} (${megabytes} MB)\n`);
  }
}
