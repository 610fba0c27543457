import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import { bundle } from './bundle.ts';
import { type DebOptions, packDeb } from './deb.ts';
import { buildDriverKit } from './driver-kit/kit-package.ts';
import type { Architecture } from './platform.ts';
import { stage } from './staging.ts';
import { ownVersion } from './text-files.ts';
import { tilldDeb } from './tilld-deb.ts';

export interface BuildOptions {
  /** Folder of the packages. */
  readonly into: string;
  readonly architectures: readonly Architecture[];
  /** Default: what `package.json` says. */
  readonly version?: string;
  readonly compression?: DebOptions['compression'];
  /** What a test plants in the sources. */
  readonly plugins?: readonly Plugin[];
  /** What `buildDriverKit` has written; it is built where it is not given. */
  readonly driverKit?: string;
}

/** Builds `tilld_<version>_<arch>.deb` for each architecture. @returns their paths */
export async function buildPackages(options: BuildOptions): Promise<readonly string[]> {
  const { into, architectures, version = ownVersion(), compression = 'small' } = options;
  mkdirSync(into, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'tilld-package-'));
  try {
    const bundled = join(work, 'src');
    await bundle(bundled, options.plugins);
    const driverKit = options.driverKit ?? join(work, 'driver-kit');
    if (options.driverKit === undefined) await buildDriverKit(driverKit);
    return architectures.map((architecture) => {
      const root = join(work, architecture);
      const file = join(into, `tilld_${version}_${architecture}.deb`);
      stage(root, { version, architecture, bundled, driverKit });
      packDeb(root, file, tilldDeb(version), { version, architecture, compression });
      return file;
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
