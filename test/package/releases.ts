import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackages } from '../../systemd/package/build.ts';
import { buildDriverKit } from '../../systemd/package/driver-kit/kit-package.ts';
import type { Architecture } from '../../systemd/package/platform.ts';

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

/** What a release does wrong, as a change of `src/main.ts`. */
const FAULTS = {
  'never ready': ['await serve(opened, running);', 'await new Promise(() => running);'],
  'ends at its start': ['await serve(opened, running);', 'process.exit(Number(running === null) + 1);'],
  'ends when it is ready': [
    'await serve(opened, running);',
    'await serve(opened, running); setTimeout(() => process.exit(1), 300);',
  ],
} as const;
type Fault = keyof typeof FAULTS;

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
    plugins: [plant(steps), breakMain(fault)],
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

function breakMain(fault: Fault | null) {
  return {
    name: 'faulty-release',
    transform(code: string, id: string) {
      if (fault === null || !id.endsWith('/src/main.ts')) return null;
      const [right, wrong] = FAULTS[fault];
      if (!code.includes(right)) throw new Error(`main.ts has no longer: ${right}`);
      return { code: code.replace(right, wrong), map: null };
    },
  };
}

function plant(steps: readonly Planted[]) {
  return {
    name: 'later-migrations',
    transform(code: string, id: string) {
      if (steps.length === 0 || !id.endsWith('/src/store/migrations.ts')) return null;
      const end = code.lastIndexOf('];');
      const rows = steps.map((step, index) =>
        JSON.stringify({ ...step, sql: `CREATE TABLE planted_${index} (id INTEGER PRIMARY KEY) STRICT;` }),
      );
      return { code: `${code.slice(0, end)}${rows.join(',\n')},\n${code.slice(end)}`, map: null };
    },
  };
}
