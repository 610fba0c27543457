import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from './bundle.ts';

const Manifest = z.object({
  version: z.string(),
  author: z.string().regex(/^[^<>]+ <[^<>\s]+>$/, 'Debian wants "name <address>"'),
  homepage: z.url().optional(),
});
const License = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
    }),
  ),
});
const LICENSE_FILES = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE', 'License'];

/** A file of `debian/`, by its name. */
export function debianFile(name: string): string {
  return readFileSync(join(ROOT, 'systemd/package/debian', name), 'utf8');
}

/** This release, as `package.json` says. */
export function ownVersion(): string {
  return manifest().version;
}

/**
 * Who answers for the package and where more is said, as `package.json` says. The address there ends in `.invalid`, which can belong to
 * nobody (RFC 2606), until the project has one of its own; whoever publishes a build names theirs.
 */
export function publisher(): { readonly maintainer: string; readonly homepage: string | null } {
  const { author, homepage } = manifest();
  return { maintainer: author, homepage: homepage ?? null };
}

function manifest(): z.output<typeof Manifest> {
  return Manifest.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
}

/** Seconds since 1970 that stand in the package: of the change that is built, or `SOURCE_DATE_EPOCH`. */
export function buildTime(): number {
  const said = Number(process.env['SOURCE_DATE_EPOCH'] ?? Number.NaN);
  return Number.isFinite(said) ? said : (committedAt() ?? Math.floor(Date.now() / 1000));
}

function committedAt(): number | null {
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' });
  return status === 0 && /^\d+\s*$/.test(stdout) ? Number(stdout) : null;
}

/** Who wrote what in the package of this name, in Debian's machine-readable form; the texts of the packages that we ship stand in {@link notices}. */
export function copyright(name: string): string {
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: tilld
Comment: The licences and the holders of every package that is shipped in
 this one stand in /usr/share/doc/${name}/third-party-notices.gz.

Files: *
Copyright: 2025-2026 tilld contributors
License: Apache-2.0

Files: usr/lib/${name}/node
Copyright: Node.js contributors
License: Expat
Comment: The binary that nodejs.org publishes; it holds OpenSSL, V8, ICU,
 zlib and others, see the notices.

License: Apache-2.0
 On Debian systems, the complete text of the Apache License, Version 2.0
 can be found in "/usr/share/common-licenses/Apache-2.0".

License: Expat
 Permission is hereby granted, free of charge, to any person obtaining a
 copy of this software and associated documentation files (the "Software"),
 to deal in the Software without restriction, including without limitation
 the rights to use, copy, modify, merge, publish, distribute, sublicense,
 and/or sell copies of the Software, and to permit persons to whom the
 Software is furnished to do so, subject to the following conditions:
 .
 The above copyright notice and this permission notice shall be included in
 all copies or substantial portions of the Software.
 .
 THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING
 FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
 IN THE SOFTWARE.
`;
}

/** The licence of every npm package that is shipped, with its text where the package brings one, and that of Node. */
export function notices(nodeFolder: string): string {
  const { packages } = License.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  const shipped = Object.entries(packages).filter(
    ([path, entry]) => path !== '' && !entry.dev && !entry.devOptional && existsSync(join(ROOT, path)),
  );
  const parts = shipped.map(([path, { version, license }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return `${name} ${version} (${license})\n\n${licenseText(join(ROOT, path))}`;
  });
  return [...parts, `Node.js\n\n${licenseText(nodeFolder)}`].join(`\n${'='.repeat(78)}\n\n`);
}

function licenseText(folder: string): string {
  const file = LICENSE_FILES.map((name) => join(folder, name)).find((path) => existsSync(path));
  return file ? readFileSync(file, 'utf8') : 'The package brings no text of its licence.\n';
}

/** `CHANGELOG.md` in the form that Debian's tools read: the entry of this version; the whole stands beside it. */
export function debianChangelog(name: string, version: string): string {
  return `${name} (${version}) stable; urgency=medium

  * Release ${version}; what changes is in /usr/share/doc/${name}/NEWS.gz.

 -- ${publisher().maintainer}  ${new Date(buildTime() * 1000).toUTCString().replace('GMT', '+0000')}
`;
}
