import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacking, librariesOfArm64, tool } from '../support/clean-root.ts';
import { packages } from './releases.ts';

const lack = lacking(['debootstrap', 'lintian', 'dpkg-deb', 'qemu-aarch64-static']);
const NODE = '/usr/lib/tilld/node';
const SQLITE =
  "const S = require('/usr/lib/tilld/node_modules/better-sqlite3'); console.log(new S(':memory:').prepare('SELECT 40 + 2').pluck().get());";
const SERIAL =
  "console.log(typeof require('/usr/lib/tilld/node_modules/@serialport/bindings-cpp').LinuxBinding.open);";

describe.skipIf(lack !== '')(`the package for arm64${lack && ` (${lack})`}`, () => {
  let deb = '';
  let root = '';

  beforeAll(async () => {
    [deb = ''] = await packages('0.1.0', ['arm64']);
    root = mkdtempSync(join(tmpdir(), 'tilld-arm64-'));
    tool('cp', '-a', '--reflink=auto', `${librariesOfArm64()}/.`, root);
    tool('dpkg-deb', '-x', deb, root);
    cpSync('/usr/bin/qemu-aarch64-static', join(root, 'qemu'));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const run = (...args: readonly string[]) =>
    tool('env', '-i', 'PATH=/usr/sbin:/usr/bin', 'chroot', root, '/qemu', NODE, ...args).trim();

  it('has nothing that lintian warns of', () => {
    expect(tool('lintian', '--allow-root', '--fail-on', 'error,warning', deb)).toBe('');
  });

  it('runs its own Node and its command line', () => {
    expect(run('--version')).toMatch(/^v24\./);
    expect(run('/usr/lib/tilld/src/tillctl.js', '--version')).toBe('0.1.0');
    expect(run('/usr/lib/tilld/src/tilld.js', '--version')).toBe('0.1.0');
  });

  it('loads the modules that were compiled for it', () => {
    expect(run('-e', SQLITE)).toBe('42');
    expect(run('-e', SERIAL)).toBe('function');
  });
});
