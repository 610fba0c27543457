import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { incompleteInstall } from '../../src/bin/launcher.js';

/**
 * Installs what one suite alone needs into its own folder, from the `package-lock.json` there; once, and again when that file changes.
 * @throws with the folder when npm fails (is its registry within reach?)
 */
export function installPackages(folder: string): void {
  if (incompleteInstall(folder, existsSync) === null) return;
  process.stderr.write(`installing the development packages of ${folder} (once)\n`);
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    env: withoutNpm(process.env),
    // Standard output belongs to the tool that runs next.
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`npm ci failed in ${folder}: is the npm registry within reach?`);
}

/** The environment without what an outer `npm run` hands on: an npm that is started with it would work in the outer folder. */
export function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited =
    /^npm_(package|lifecycle|config_local_prefix|config_ignore_scripts|command|execpath|node_execpath)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !inherited.test(name)));
}
