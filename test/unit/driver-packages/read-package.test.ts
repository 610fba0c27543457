import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { readPackages } from '../../../src/driver-packages/read-package.ts';
import { packagesFolder } from '../../support/driver-packages/hosts.ts';
import { sectionOf, writePackage } from '../../support/driver-packages/write-package.ts';

const FILES = { 'driver.js': 'throw new Error("no code runs to read a manifest");' };

function installed(section: object = sectionOf(zvt, 'acme'), files: Record<string, string> = FILES) {
  const packages = packagesFolder();
  return { packages, folder: writePackage(packages, 'acme', section, files) };
}

describe('a driver package that is installed', () => {
  it('is known by its data, without any of its code', async () => {
    const { packages } = installed();
    const [found] = readPackages(packages, ['acme']);
    const { id, transports, maxAmountMinor, capabilities } = zvt;
    expect(found?.manifest).toMatchObject({ transports, maxAmountMinor, capabilities, id: 'acme' });
    expect(id).toBe('zvt');
    await expect(found?.manifest.load()).rejects.toMatchObject({ code: 'TERMINAL_CANNOT' });
  });

  it('that names a capability of earlier releases is taken, without it', () => {
    const capabilities = { ...zvt.capabilities, preauthorisation: true };
    const { packages } = installed({ ...sectionOf(zvt, 'acme'), capabilities });
    expect(readPackages(packages, ['acme'])[0]?.manifest.capabilities).toEqual(zvt.capabilities);
  });

  it.each([
    ['made for another tilld', { apiVersion: 2 }, /made for another tilld/],
    ['without an id', { id: undefined }, /tilld\.id/],
    ['with a key that tilld does not know', { load: 'x' }, /Unrecognized key/],
    ['with capabilities that there are not', { capabilities: { ...zvt.capabilities, void: 'all' } }, /void/],
  ])('%s is refused', (_what, changes, words) => {
    const { packages } = installed({ ...sectionOf(zvt, 'acme'), ...changes });
    expect(() => readPackages(packages, ['acme'])).toThrow(words);
  });

  it('that is not there, or whose main file is not, is refused', () => {
    const { packages } = installed(sectionOf(zvt, 'acme'), {});
    expect(() => readPackages(packages, ['acme'])).toThrow(/driver\.js/);
    expect(() => readPackages(packages, ['nothing'])).toThrow(/driver package "nothing"/);
  });

  it('that others could write is refused: folder, manifest and main file', () => {
    for (const file of ['.', 'package.json', 'driver.js']) {
      const { packages, folder } = installed();
      chmodSync(join(folder, file), 0o777);
      expect(() => readPackages(packages, ['acme'])).toThrow(/writable by its owner alone/);
    }
  });

  it('whose main file lies outside of it is refused', () => {
    const { packages, folder } = installed(sectionOf(zvt, 'acme'), {});
    const elsewhere = join(packages, 'elsewhere.js');
    writeFileSync(elsewhere, '', { mode: 0o644 });
    symlinkSync(elsewhere, join(folder, 'driver.js'));
    expect(() => readPackages(packages, ['acme'])).toThrow(/outside of it/);
  });
});
