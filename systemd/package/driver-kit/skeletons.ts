import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sample as lines } from '../../../drivers/skeleton/lines/manifest.ts';
import { sample as requestResponse } from '../../../drivers/skeleton/request-response/manifest.ts';
import { sample as stx } from '../../../drivers/skeleton/sample/manifest.ts';
import type { PackageKind } from '../../../src/cli/offline/driver-new/kinds.ts';
import type { TerminalManifest } from '../../../src/driver-kit/define.ts';
import { ROOT } from '../bundle.ts';
import { ownVersion } from '../text-files.ts';

interface Skeleton {
  readonly kind: PackageKind;
  /** Its own folder; what it takes of the sample's is found by its imports. */
  readonly folder: string;
  /** The subject of the conformance suite, and beside it its readers `…-words.ts`. */
  readonly subject: string;
  readonly manifest: TerminalManifest;
}

const SUBJECTS = 'test/conformance/subjects';
const SKELETONS: readonly Skeleton[] = [
  {
    kind: 'stx',
    folder: 'drivers/skeleton/sample',
    subject: `${SUBJECTS}/sample`,
    manifest: stx,
  },
  {
    kind: 'lines',
    folder: 'drivers/skeleton/lines',
    subject: `${SUBJECTS}/skeleton/lines`,
    manifest: lines,
  },
  {
    kind: 'request-response',
    folder: 'drivers/skeleton/request-response',
    subject: `${SUBJECTS}/skeleton/request-response`,
    manifest: requestResponse,
  },
];

/** What an import of the sources is in a package: the first that matches. */
const IMPORTS: readonly (readonly [from: RegExp, to: string])[] = [
  [/'(?:\.\.\/)+src\/driver-kit\/terminal\.ts'/g, "'@tilld/driver-kit'"],
  [/'(?:\.\.\/)+src\/(?:base|sandbox)\/[^']*'/g, "'@tilld/driver-kit/conformance'"],
  [/'(?:\.\.\/)+(?:subject|words)\.ts'/g, "'@tilld/driver-kit/conformance'"],
  [/'(?:\.\.\/)+drivers\/skeleton\/[^/']*\/(virtual[^']*)'/g, "'./$1'"],
  [/'(?:\.\.\/)+drivers\/skeleton\/[^/']*\/([^']*)'/g, "'../src/$1'"],
  [/'\.\/[^']*-words\.ts'/g, "'./words.ts'"],
  [/'\.\.\/sample\/([^']*)'/g, "'./$1'"],
];

const STATIC = {
  'src/index.ts':
    "// What tilld loads: `main` in package.json.\nexport { sample as driver } from './manifest.ts';\n",
  'test/conformance.ts': `import { conformance } from '@tilld/driver-kit/conformance';
import packageJson from '../package.json' with { type: 'json' };
import { subjects } from './subject.ts';

// \`npm test\`: every row of the conformance suite. \`npm test -- --scenario opening/\`: some of them.
await conformance(subjects, packageJson);
`,
  'test/terminal.ts': `import { runTerminal } from '@tilld/driver-kit/conformance';
import { sampleDialect } from './virtual.ts';

// \`npm run terminal\`: the virtual terminal alone, for a sale through the daemon.
await runTerminal(sampleDialect(), 9500);
`,
} as const;

const WORK_ON_IT = `
## Work on it

Node 24 runs the sources as they are: there is no build.

    npm install          the driver kit, from the file beside this one; nothing is downloaded
    npm test             every row of the conformance suite; npm test -- --scenario opening/ plays some
    npm run types        the type check of TypeScript, which is downloaded
    npm run terminal     the virtual terminal alone, at tcp:127.0.0.1:9500

The guide is \`node_modules/@tilld/driver-kit/guide\`: begin with \`first-approval.md\`.
`;

/** Writes a package for each kind of protocol, with the word \`sample\` where its name belongs. */
export function writeSkeletons(into: string): void {
  for (const skeleton of SKELETONS) {
    const files = {
      ...sourcesOf(skeleton),
      ...STATIC,
      'package.json': packageJsonOf(skeleton),
      'tsconfig.json': TSCONFIG,
    };
    for (const [file, text] of Object.entries(files)) {
      const at = join(into, skeleton.kind, file);
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, text);
    }
  }
}

function sourcesOf({ folder, subject }: Skeleton): Record<string, string> {
  const files: Record<string, string> = { 'README.md': `${textOf(`${folder}/README.md`)}${WORK_ON_IT}` };
  const waiting = readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);
  const seen = new Set<string>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    files[`${name.startsWith('virtual') ? 'test' : 'src'}/${name}`] ??= packaged(textOf(path));
    for (const [, there, file] of textOf(path).matchAll(/'(\.\.\/sample|\.)\/([^/']+\.ts)'/g)) {
      const from = there === '.' ? dirname(path) : 'drivers/skeleton/sample';
      waiting.push(`${from}/${file}`);
    }
  }
  files['test/subject.ts'] = packaged(textOf(`${subject}.ts`));
  files['test/words.ts'] = packaged(textOf(`${subject}-words.ts`));
  return files;
}

function packaged(text: string): string {
  return IMPORTS.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function packageJsonOf({ manifest }: Skeleton): string {
  const { options: _options, load: _load, loadDecoder: _loadDecoder, ...section } = manifest;
  const document = {
    name: 'sample',
    version: '1.0.0',
    private: true,
    type: 'module',
    main: 'src/index.ts',
    files: ['src'],
    scripts: {
      test: 'node test/conformance.ts',
      terminal: 'node test/terminal.ts',
      types: 'npx --yes --package typescript tsc -p .',
    },
    devDependencies: { '@tilld/driver-kit': `file:tilld-driver-kit-${ownVersion()}.tgz` },
    tilld: section,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** As strict as tilld itself; Node runs the sources as they are, so only what it can erase is allowed. */
const TSCONFIG = `${JSON.stringify(
  {
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', 'esnext.disposable', 'dom'],
      module: 'nodenext',
      types: [],
      noEmit: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noPropertyAccessFromIndexSignature: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
    },
    include: ['src', 'test'],
  },
  null,
  2,
)}\n`;
