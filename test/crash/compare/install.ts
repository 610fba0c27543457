import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import { withoutNpm } from '../../support/suite-packages.ts';
import { type Contestant, PEERS, type Runtime } from './contestants.ts';

/** An install that takes longer than this is given up. Real time. */
const LONGEST_INSTALL_MS = 600_000;
/** How much of the beginning of npm's words is told. */
const MOST_CHARS = 400;
/** The one package with no binary in it: it fetches one from its makers, and compiles where it cannot. */
const NEEDS_BUILD = 'sqlite3';
/** The speed of the compiled code says nothing about what it syncs; that of the compiler is felt. */
const QUICK_BUILD = { CFLAGS: '-O1', CXXFLAGS: '-O1', JOBS: '2' };
/** Says soon that the registry is out of reach. */
const INSTALL = [
  'ci',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
];
const BUN_PACKAGES: Readonly<Record<string, string>> = {
  x64: '@oven/bun-linux-x64',
  arm64: '@oven/bun-linux-aarch64',
};

const Manifest = z.object({ version: z.string() });
const STAMP = join(PEERS, 'node_modules', '.installed');

/**
 * Installs the queues of others in their own folder, once per lock and Node; null, or why nothing is there.
 * A package that does not build is told of later, when its queue is asked for.
 */
export async function installPeers(say: (line: string) => void): Promise<string | null> {
  const wanted = stampOf();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return null;
  say('installing the queues to compare with from the npm registry (once; a minute or two, 300 MB)');
  rmSync(join(PEERS, 'node_modules'), { recursive: true, force: true });
  const refused = await npm(INSTALL);
  if (refused !== null)
    return `npm ci in test/crash/compare/peers failed; is the npm registry within reach?\n${refused}`;
  const unbuilt = await npm(['rebuild', NEEDS_BUILD, '--ignore-scripts=false', '--loglevel=error']);
  if (unbuilt !== null) {
    say(`${NEEDS_BUILD} does not build here: ${unbuilt}`);
    rmSync(join(PEERS, 'node_modules', NEEDS_BUILD, 'build'), { recursive: true, force: true });
  }
  writeFileSync(STAMP, wanted);
  return null;
}

/** Why a contestant cannot run here; null when it can. */
export function missing({ packages, runtime }: Contestant): string | null {
  const absent = packages.find((name) => versionOf(name) === null);
  if (absent !== undefined) return `${absent} is not installed`;
  if (packages.includes(NEEDS_BUILD) && !loads(NEEDS_BUILD))
    return `it needs the package ${NEEDS_BUILD}, which found no prebuilt binary and did not compile here`;
  if (runtime === 'bun' && !existsSync(programOf('bun')))
    return `it needs Bun, and the registry has none for ${process.platform} ${process.arch}`;
  return null;
}

/** The program that runs a workload. */
export function programOf(runtime: Runtime): string {
  if (runtime === 'node') return process.execPath;
  return join(PEERS, 'node_modules', BUN_PACKAGES[process.arch] ?? 'bun', 'bin', 'bun');
}

/** The installed version of a package of the peers. */
export function versionOf(name: string): string | null {
  const path = join(PEERS, 'node_modules', name, 'package.json');
  return existsSync(path) ? Manifest.parse(JSON.parse(readFileSync(path, 'utf8'))).version : null;
}

function loads(name: string): boolean {
  try {
    createRequire(join(PEERS, 'package.json'))(name);
    return true;
  } catch {
    return false;
  }
}

function stampOf(): string {
  const lock = createHash('sha256')
    .update(readFileSync(join(PEERS, 'package-lock.json')))
    .digest('hex');
  return `${lock} ${process.platform} ${process.arch} ${process.versions.modules}\n`;
}

/** Runs npm in the peers' folder; null, or the end of what it said when it failed. */
async function npm(words: readonly string[]): Promise<string | null> {
  const child = spawn('npm', words, {
    cwd: PEERS,
    env: { ...withoutNpm(process.env), ...QUICK_BUILD },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_INSTALL_MS,
  });
  const pieces: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => pieces.push(piece));
  const failed = once(child, 'error').then(([error]: Error[]) => error?.message ?? 'npm does not start');
  const closed = once(child, 'close').then(([code, signal]) =>
    code === 0 ? null : `ended by ${signal ?? code}`,
  );
  const why = await Promise.race([closed, failed]);
  return why === null
    ? null
    : `${Buffer.concat(pieces).toString('utf8').trim().slice(0, MOST_CHARS)} (${why})`;
}
