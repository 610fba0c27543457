import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from './bundle.ts';

/** What a package can be made for: Debian's name, and Node's. */
export const ARCHITECTURES = { amd64: 'x64', arm64: 'arm64' } as const;
export type Architecture = keyof typeof ARCHITECTURES;

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), integrity: z.string().optional() }),
  ),
});
const Packed = z.tuple([z.object({ filename: z.string(), integrity: z.string() })]);

/**
 * The folder of an npm package of any platform, at the version of the lock file: the installed one where there is one, else fetched
 * once and kept beside the other packages.
 */
export function platformPackage(name: string): string {
  const installed = join(ROOT, 'node_modules', name);
  if (existsSync(join(installed, 'package.json'))) return installed;
  const entry = lockEntry(name);
  const kept = join(
    ROOT,
    'node_modules/.cache/tilld-package',
    `${name.replaceAll('/', '-')}-${entry.version}`,
  );
  if (!existsSync(kept)) fetch(name, entry, kept);
  return join(kept, 'package');
}

function lockEntry(name: string): { readonly version: string; readonly integrity: string | undefined } {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  if (version === undefined) throw new Error(`the lock file does not know ${name}`);
  return { version, integrity };
}

/** npm checks what it fetched against the registry; where our lock file names a sum, that one counts. */
function fetch(name: string, { version, integrity }: ReturnType<typeof lockEntry>, kept: string): void {
  mkdirSync(join(kept, '..'), { recursive: true });
  const folder = mkdtempSync(`${kept}-`);
  try {
    const told = execFileSync(
      'npm',
      ['pack', '--silent', '--json', '--ignore-scripts', '--pack-destination', folder, `${name}@${version}`],
      { cwd: folder, encoding: 'utf8' },
    );
    const [packed] = Packed.parse(JSON.parse(told));
    if (integrity !== undefined && packed.integrity !== integrity)
      throw new Error(`${name}@${version} is not what the lock file knows: ${packed.integrity}`);
    execFileSync('tar', ['-xzf', packed.filename], { cwd: folder });
    rmSync(join(folder, packed.filename));
    renameSync(folder, kept);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
