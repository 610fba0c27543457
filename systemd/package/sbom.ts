import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from './bundle.ts';
import { ARCHITECTURES, type Architecture, platformPackage } from './platform.ts';
import { buildTime } from './text-files.ts';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      optional: z.boolean().optional(),
    }),
  ),
});
type Entry = z.output<typeof Lock>['packages'][string];

interface Component {
  readonly type: 'library' | 'platform';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly object[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

/**
 * What a package holds, as CycloneDX 1.5 in JSON: the packages that the lock file ships, with their licences and the hashes that `npm ci` checks, and
 * the Node binary with where it comes from.
 */
export function sbom(name: string, version: string, architecture: Architecture): string {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  const nodePackage = `node-linux-${ARCHITECTURES[architecture]}`;
  const shipped = Object.entries(packages).filter(
    ([path, entry]) => path !== '' && !entry.dev && !entry.devOptional && !entry.optional,
  );
  const components = shipped
    .map(([path, entry]) => component(path.replace(/^.*node_modules\//, ''), entry))
    .toSorted((one, other) => (one.purl < other.purl ? -1 : 1));
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: new Date(buildTime() * 1000).toISOString(),
      component: { type: 'application', 'bom-ref': name, name, version },
    },
    components: [...components, nodeOf(name, nodePackage, packages[`node_modules/${nodePackage}`] ?? {})],
    dependencies: [{ ref: name, dependsOn: [...components.map(({ purl }) => purl), 'node'] }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function component(name: string, { version = '0', license, integrity }: Entry): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license === undefined ? {} : { licenses: [licenceOf(license)] }),
    ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
  };
}

/** The binary is that of nodejs.org, as the npm package carries it; the hash of the file itself can be held against nodejs.org's list. */
function nodeOf(name: string, npmPackage: string, { version = '0', integrity }: Entry): Component {
  const binary = readFileSync(join(platformPackage(npmPackage), 'bin/node'));
  return {
    type: 'platform',
    'bom-ref': 'node',
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(binary).digest('hex') }],
    properties: [
      { name: 'tilld:file', value: `/usr/lib/${name}/node` },
      { name: 'tilld:npm-package', value: `${npmPackage}@${version}` },
      { name: 'tilld:npm-integrity', value: integrity ?? '' },
    ],
  };
}

function licenceOf(license: string): object {
  return /[ ()]/.test(license) ? { expression: license } : { license: { id: license } };
}

/** npm's hash is base64, that of CycloneDX is hex. */
function hashOf(integrity: string): { readonly alg: string; readonly content: string } {
  const [, base64 = ''] = /^sha512-(.+)$/.exec(integrity) ?? [];
  return { alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') };
}
