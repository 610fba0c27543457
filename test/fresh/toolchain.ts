import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutNpm } from '../support/suite-packages.ts';

/** A package of the registry, unpacked in a folder of its own. */
export interface Installed {
  readonly version: string;
  readonly folder: string;
}

/** A Node and an npm, as a host would have them. */
export interface Toolchain {
  readonly node: string;
  readonly npm: string;
  /** A folder with `node`, `npm` and `npx`, to be the first of `PATH`. */
  readonly bin: string;
}

const KEPT = join(tmpdir(), 'tilld-toolchains');

/** The newest Node of a major version (`18`), or an exact one. */
export const nodeOf = (version: string): Installed => installed(`node-linux-${process.arch}`, version);

/** An npm: `9.2.0`, `latest`. */
export const npmOf = (version: string): Installed => installed('npm', version);

export function toolchain(node: Installed, npm: Installed): Toolchain {
  const bin = mkdtempSync(join(tmpdir(), 'tilld-bin-'));
  symlinkSync(join(node.folder, 'bin/node'), join(bin, 'node'));
  for (const name of ['npm', 'npx']) symlinkSync(join(npm.folder, `bin/${name}-cli.js`), join(bin, name));
  return { node: node.version, npm: npm.version, bin };
}

function installed(name: string, wanted: string): Installed {
  const answer: unknown = JSON.parse(npm('view', `${name}@${wanted}`, 'version', '--json'));
  const version = String(Array.isArray(answer) ? answer.sort(byVersion).at(-1) : answer);
  const kept = join(KEPT, `${name}-${version}`);
  if (!existsSync(kept)) {
    mkdirSync(KEPT, { recursive: true });
    const draft = mkdtempSync(`${kept}-`);
    npm('install', '--prefix', draft, '--no-save', '--ignore-scripts', `${name}@${version}`);
    renameSync(draft, kept);
  }
  return { version, folder: join(kept, 'node_modules', name) };
}

function npm(...args: readonly string[]): string {
  return execFileSync('npm', [...args], {
    encoding: 'utf8',
    env: withoutNpm(process.env),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

const byVersion = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });
