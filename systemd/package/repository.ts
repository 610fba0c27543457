import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ARCHITECTURES } from './platform.ts';

export interface RepositoryOptions {
  /** The folder that a web server gives out; what is in it stays, so that machines can go back to an earlier release. */
  readonly into: string;
  /** The ring that gets these packages: each ring is a suite of its own. */
  readonly suite: string;
  /** Fingerprint or address of a key in the keyring of gpg: the operator's own. */
  readonly key: string;
  readonly packages: readonly string[];
}

const NEEDED = { 'apt-ftparchive': 'apt-utils', gpg: 'gnupg' } as const;

/** What this machine lacks to build a repository, in words; null: nothing. */
export function repositoryLack(): string | null {
  const missing = Object.entries(NEEDED).filter(([program]) => spawnSync(program, ['--version']).error);
  if (missing.length === 0) return null;
  const [programs, packages] = [missing.map(([program]) => program), missing.map(([, name]) => name)];
  return `${programs.join(', ')} missing: apt-get install ${packages.join(' ')}`;
}

/**
 * Adds packages to a signed apt repository: `dists/SUITE`, `pool/SUITE`, and the public key as `tilld-archive-keyring.gpg`, which `Signed-By` names.
 * @throws what gpg or apt-ftparchive say
 */
export function addToRepository({ into, suite, key, packages }: RepositoryOptions): void {
  const pool = join('pool', suite);
  mkdirSync(join(into, pool), { recursive: true });
  for (const file of packages) copyFileSync(file, join(into, pool, basename(file)));
  const dist = join('dists', suite);
  for (const architecture of Object.keys(ARCHITECTURES)) {
    const folder = join(into, dist, 'main', `binary-${architecture}`);
    mkdirSync(folder, { recursive: true });
    const list = run(into, 'apt-ftparchive', '--arch', architecture, 'packages', pool);
    writeFileSync(join(folder, 'Packages'), list);
    writeFileSync(join(folder, 'Packages.gz'), gzipSync(list, { level: 9 }));
  }
  const options = Object.entries({
    Origin: 'tilld',
    Label: 'tilld',
    Suite: suite,
    Codename: suite,
    Components: 'main',
    Architectures: Object.keys(ARCHITECTURES).join(' '),
  }).flatMap(([name, value]) => ['-o', `APT::FTPArchive::Release::${name}=${value}`]);
  const release = run(into, 'apt-ftparchive', ...options, 'release', dist);
  const unsigned = join(into, dist, 'Release');
  writeFileSync(unsigned, release);
  sign(key, unsigned, join(into, dist, 'InRelease'), '--clearsign');
  sign(key, unsigned, join(into, dist, 'Release.gpg'), '--armor', '--detach-sign');
  const keyring = join(into, 'tilld-archive-keyring.gpg');
  execFileSync('gpg', ['--batch', '--yes', '--output', keyring, '--export', key], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** The lines of `/etc/apt/sources.list.d/tilld.sources` on a shop's machine. */
export function sourcesOf(url: string, suite: string): string {
  return `Types: deb
URIs: ${url}
Suites: ${suite}
Components: main
Signed-By: /usr/share/keyrings/tilld-archive-keyring.gpg
`;
}

function run(cwd: string, program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function sign(key: string, file: string, signed: string, ...how: readonly string[]): void {
  const words = ['--batch', '--yes', '--local-user', key, ...how, '--output', signed, file];
  execFileSync('gpg', words, { stdio: ['ignore', 'ignore', 'pipe'] });
}
