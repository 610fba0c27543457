import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { withoutNpm } from '../support/suite-packages.ts';

/** The version that is proven; its own dependencies are exact. */
export const DIRECTUS = '12.4.1';

/** Its pages are not needed; this release of the sandbox for scripts has binaries for Node 24 in its package. */
const MANIFEST = {
  name: 'tilld-proves-directus',
  private: true,
  dependencies: { directus: DIRECTUS },
  overrides: { '@directus/app': 'file:./no-app', 'isolated-vm': '6.1.2' },
};

export type Installed = { readonly folder: string } | { readonly missing: string };

/**
 * Installs Directus outside the repository, once: `$TILLD_PROVIDERS`, or `~/.cache/tilld-providers`. Its SQLite is compiled with the headers that
 * lie beside Node, which takes a minute and a compiler; nothing is downloaded but from the npm registry.
 * Where that does not work it says why: what others publish is no fault of a change here.
 */
export function installDirectus(): Installed {
  const folder = join(
    process.env['TILLD_PROVIDERS'] ?? join(homedir(), '.cache', 'tilld-providers'),
    `directus-${DIRECTUS}`,
  );
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return { folder };
  if (spawnSync('c++', ['--version']).error)
    return { missing: 'there is no C++ compiler: apt-get install g++ make python3' };
  if (npm(homedir(), 'view', `directus@${DIRECTUS}`, 'version') !== 0)
    return { missing: `the npm registry is out of reach, or has no directus@${DIRECTUS}` };
  process.stderr.write(`installing Directus ${DIRECTUS} in ${folder} (once)\n`);
  mkdirSync(join(folder, 'no-app'), { recursive: true });
  writeFileSync(join(folder, 'no-app', 'package.json'), '{"name":"@directus/app","version":"18.0.1"}');
  writeFileSync(join(folder, 'package.json'), JSON.stringify(MANIFEST));
  const quiet = ['--no-audit', '--no-fund'];
  if (npm(folder, 'install', '--ignore-scripts', '--omit=peer', ...quiet) !== 0)
    return { missing: `npm install failed in ${folder}: its words are above` };
  if (npm(folder, 'rebuild', 'sqlite3', '--foreground-scripts', '--ignore-scripts=false') !== 0)
    return { missing: `sqlite3 cannot be compiled in ${folder}: apt-get install g++ make python3` };
  writeFileSync(complete, '');
  return { folder };
}

function npm(cwd: string, ...args: readonly string[]): number | null {
  const bin = dirname(process.execPath);
  const headers = dirname(bin);
  const env = {
    ...withoutNpm(process.env),
    PATH: [bin, process.env['PATH']].join(delimiter),
    npm_config_build_from_source: 'true',
    npm_config_loglevel: 'error',
    ...(existsSync(join(headers, 'include', 'node')) ? { npm_config_nodedir: headers } : {}),
  };
  return spawnSync('npm', args, { cwd, env, stdio: ['ignore', 'ignore', args[0] === 'view' ? 'ignore' : 2] })
    .status;
}
