import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackages } from './build.ts';
import { bundle, ROOT } from './bundle.ts';
import { buildDriverKit } from './driver-kit/kit-package.ts';
import { buildHubPackages } from './hub/hub-package.ts';
import { launcher } from './launcher.ts';
import { ARCHITECTURES, type Architecture } from './platform.ts';
import { addToRepository, repositoryLack, sourcesOf } from './repository.ts';
import { ownVersion } from './text-files.ts';

// `npm run package`: dist/src (the compiled daemon and command line), dist/bin/tilld (runs it here as the package would) and
// dist/tilld_<version>_<arch>.deb and dist/tillhub_<version>_<arch>.deb for every architecture. With `-- --repository FOLDER --key KEY [--suite SUITE]` the packages are also added to a
// signed apt repository.
const dist = join(ROOT, 'dist');

interface Options {
  readonly repository?: string;
  readonly key?: string;
  readonly suite: string;
}

const asked = optionsOf(process.argv.slice(2));
const lack = asked.lack ?? toolLack(asked.options);
if (lack !== null) {
  process.stderr.write(`package: ${lack}\n`);
  process.exitCode = 2;
} else await build(asked.options);

async function build({ repository, key, suite }: Options): Promise<void> {
  rmSync(dist, { recursive: true, force: true });
  await bundle(join(dist, 'src'));
  await buildDriverKit(join(dist, 'driver-kit'));
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify({ version: ownVersion(), type: 'module' })}\n`);
  mkdirSync(join(dist, 'bin'));
  writeFileSync(join(dist, 'bin/tilld'), launcher('tilld', { lib: dist, node: process.execPath }), {
    mode: 0o755,
  });
  cpSync(join(ROOT, 'config/demo'), join(dist, 'config/demo'), { recursive: true });
  const architectures = Object.keys(ARCHITECTURES) as Architecture[];
  const packages = [
    ...(await buildPackages({ into: dist, architectures })),
    ...(await buildHubPackages({ into: dist, architectures })),
  ];
  for (const file of packages) {
    const megabytes = (statSync(file).size / 1e6).toFixed(1);
    process.stdout.write(`${relative(ROOT, file)} (${megabytes} MB)\n`);
  }
  if (repository === undefined || key === undefined) return;
  addToRepository({ into: resolve(repository), suite, key, packages });
  process.stdout.write(
    `${repository}: suite ${suite}, signed by ${key}. On the machine of a shop, once the folder is served:\n` +
      '  sudo curl -o /usr/share/keyrings/tilld-archive-keyring.gpg URL/tilld-archive-keyring.gpg\n' +
      `  /etc/apt/sources.list.d/tilld.sources:\n${sourcesOf('URL', suite).replace(/^/gm, '    ').trimEnd()}\n` +
      '  sudo apt-get update && sudo apt-get install tilld\n',
  );
}

function optionsOf(words: readonly string[]): { readonly options: Options; readonly lack: string | null } {
  const none = { suite: 'stable' };
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ args: [...words], options: { repository: text, key: text, suite: text } });
    const { suite = 'stable', ...rest } = values;
    if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(suite))
      return { options: none, lack: '--suite must be lower-case letters, digits and dashes' };
    if (rest.repository !== undefined && rest.key === undefined)
      return {
        options: none,
        lack: '--repository needs --key, a key in your keyring of gpg; to make one: gpg --quick-generate-key "NAME <ADDRESS>" ed25519 sign 2y',
      };
    return { options: { suite, ...rest }, lack: null };
  } catch (error) {
    return { options: none, lack: error instanceof Error ? error.message : String(error) };
  }
}

function toolLack({ repository }: Options): string | null {
  if (spawnSync('dpkg-deb', ['--version']).error) return 'dpkg-deb is missing: apt-get install dpkg-dev';
  return repository === undefined ? null : repositoryLack();
}
