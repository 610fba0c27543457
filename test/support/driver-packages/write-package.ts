import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import type { TerminalManifest } from '../../../src/driver-kit/define.ts';

const ROOT = join(import.meta.dirname, '../../..');
const KIT = join(ROOT, 'src/driver-kit/terminal.ts');

/** Writes a driver package as an integrator would install it. @returns its folder */
export function writePackage(
  packages: string,
  name: string,
  section: object,
  files: Readonly<Record<string, string>>,
): string {
  const folder = join(packages, name);
  const manifest = { name, version: '1.0.0', type: 'module', main: 'driver.js', tilld: section };
  for (const [file, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text, { mode: 0o644 });
  }
  return folder;
}

/** The part of a manifest that is data, under another id. */
export function sectionOf(manifest: TerminalManifest, id: string): object {
  const { name, apiVersion, specification, transports, defaults, connection, maxAmountMinor, capabilities } =
    manifest;
  return {
    id,
    name,
    apiVersion,
    specification,
    transports,
    defaults,
    connection,
    maxAmountMinor,
    capabilities,
  };
}

/** tilld's own driver of ZVT as a package from outside, bundled as an integrator bundles one: the kit stays tilld's. */
export async function writeZvtPackage(packages: string, id = 'zvt-package'): Promise<string> {
  const build = await rolldown({
    cwd: ROOT,
    input: 'drivers/terminals/zvt/manifest.ts',
    platform: 'neutral',
    plugins: [
      {
        name: 'kit of tilld',
        resolveId: (source, from) =>
          from && join(dirname(from), source) === KIT ? { id: 'tilld/driver-kit', external: true } : null,
      },
    ],
    logLevel: 'silent',
  });
  const { output } = await build.generate({
    format: 'esm',
    chunkFileNames: 'parts/[name].js',
    entryFileNames: 'parts/zvt.js',
  });
  await build.close();
  const chunks = output.flatMap((chunk) => (chunk.type === 'chunk' ? [[chunk.fileName, chunk.code]] : []));
  return writePackage(packages, id, sectionOf(zvt, id), {
    'driver.js': "export { zvt as driver } from './parts/zvt.js';\n",
    ...Object.fromEntries(chunks),
  });
}
