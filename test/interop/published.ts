import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withoutNpm } from '../support/suite-packages.ts';

/** What others publish about a source's records. Only its documents are read: none of its code runs, and nothing that it depends on is installed. */
export interface Published {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** Where the package lies, unpacked: fetched once, into `$TILLD_PROVIDERS` or `~/.cache/tilld-providers`, and compared with its hash. */
export function published({ name, version, integrity }: Published): string {
  const cache = process.env['TILLD_PROVIDERS'] ?? join(homedir(), '.cache', 'tilld-providers');
  const folder = join(cache, `${name.replaceAll('/', '+')}-${version}`);
  if (existsSync(folder)) return join(folder, 'package');
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    process.stderr.write(`fetching ${name} ${version} into ${folder} (once)\n`);
    const pack = ['pack', `${name}@${version}`, '--json', '--ignore-scripts'];
    const env = withoutNpm(process.env);
    const printed = execFileSync('npm', pack, {
      cwd: work,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 2],
    });
    const file = join(work, JSON.parse(printed)[0].filename);
    const hash = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    if (hash !== integrity) throw new Error(`${name}@${version} has the hash ${hash}, not ${integrity}`);
    execFileSync('tar', ['-xzf', file, '-C', work]);
    rmSync(file);
    renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return join(folder, 'package');
}
