import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackages } from '../../systemd/package/build.ts';
import { buildDriverKit } from '../../systemd/package/driver-kit/kit-package.ts';
import type { Architecture } from '../../systemd/package/platform.ts';
import { type Fault, faulty, isFaulty } from './faulty-releases.ts';

/** A step of the database that a later release brings. */
interface Planted {
  readonly name: string;
  readonly minWriter: string;
}

const STEPS = {
  '0.2.0': [{ name: 'planted-table', minWriter: '0.1.0' }],
  '0.3.0': [
    { name: 'planted-table', minWriter: '0.1.0' },
    { name: 'planted-again', minWriter: '0.3.0' },
  ],
} as const satisfies Readonly<Record<string, readonly Planted[]>>;

/** The packages of these sources, as a release or as a later one that has changed the database. */
export async function packages(
  version: string,
  architectures: readonly Architecture[] = ['amd64'],
  compression: 'fast' | 'none' = 'fast',
  fault: Fault | null = null,
): Promise<readonly string[]> {
  const steps: readonly Planted[] = version in STEPS ? STEPS[version as keyof typeof STEPS] : [];
  return buildPackages({
    into: untilTheEnd('tilld-packages-'),
    architectures,
    version,
    compression,
    plugins: [plant(steps), plantFault(fault)],
    driverKit: await driverKit(),
  });
}

/** Each release has the same: its types alone take as long as all the rest of a package. */
let kit: Promise<string> | undefined;

function driverKit(): Promise<string> {
  kit ??= builtKit();
  return kit;
}

async function builtKit(): Promise<string> {
  const folder = join(untilTheEnd('tilld-kit-'), 'driver-kit');
  await buildDriverKit(folder);
  return folder;
}

/** A folder that is gone when this process ends. */
function untilTheEnd(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function plantFault(fault: Fault | null) {
  return {
    name: 'faulty-release',
    transform(code: string, id: string) {
      return fault !== null && isFaulty(id) ? { code: faulty(code, fault), map: null } : null;
    },
  };
}

function plant(steps: readonly Planted[]) {
  return {
    name: 'later-migrations',
    transform(code: string, id: string) {
      if (steps.length === 0 || !id.endsWith('/src/store/schema/migrations.ts')) return null;
      const end = code.lastIndexOf('];');
      const rows = steps.map((step, index) =>
        JSON.stringify({ ...step, sql: `CREATE TABLE planted_${index} (id INTEGER PRIMARY KEY) STRICT;` }),
      );
      return { code: `${code.slice(0, end)}${rows.join(',\n')},\n${code.slice(end)}`, map: null };
    },
  };
}
