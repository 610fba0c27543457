import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { packagesFolder } from '../../support/driver-packages/hosts.ts';
import { sectionOf, writePackage } from '../../support/driver-packages/write-package.ts';
import { command, documentOf } from './command-line.ts';

const OWN = ['zvt', 'concert', 'ecr17', 'transbank', 'nexo'];
const FILES = { 'driver.js': 'throw new Error("no code runs to read a manifest");' };

/** Arguments for a configuration that names these packages, and the folder of them. */
function shopWith(names: readonly string[], device: object = { driver: 'zvt' }) {
  const folder = packagesFolder();
  const file = join(mkdtempSync(join(tmpdir(), 'tilld-drivers-')), 'tilld.jsonc');
  const devices = [
    {
      id: '0199c0de-0000-7000-8000-000000000001',
      name: 'Counter 1',
      currency: 'EUR',
      link: { type: 'tcp', host: '127.0.0.1', port: 20007 },
      ...device,
    },
  ];
  writeFileSync(
    file,
    JSON.stringify({ version: 1, environment: 'sandbox', driver_packages: names, devices }),
  );
  return { folder, file, args: ['--config', file, '--driver-packages', folder] };
}

describe('tillctl drivers', () => {
  it('names those of tilld, and all of one', async () => {
    const { args } = shopWith([]);
    const { exit, out } = await command(['drivers', ...args]);
    expect(exit).toBe(0);
    expect(out.split('\n').map((line) => line.split(' ')[0])).toEqual(['DRIVER', ...OWN, '']);
    const one = await command(['drivers', 'transbank', ...args]);
    expect(one.out).toMatch(/^ {2}USB ids +11ca:0222, 0b00:0054$/m);
    expect(one.out).toMatch(/^ {2}refund +no$/m);
  });

  it('names those of installed packages with where they are, and why another one is refused', async () => {
    const { folder, args } = shopWith(['acme', 'twin', 'missing']);
    const at = writePackage(folder, 'acme', sectionOf(zvt, 'acme'), FILES);
    writePackage(folder, 'twin', sectionOf(zvt, 'acme'), FILES);
    const ran = await command(['drivers', '--json', ...args]);
    expect(ran.exit).toBe(1);
    expect(documentOf(ran.out)).toEqual({
      data: [
        ...OWN.map((id) => expect.objectContaining({ id, package: null })),
        expect.objectContaining({
          id: 'acme',
          api_version: 1,
          capabilities: expect.objectContaining({ end_of_day: true, goes_on_ms: expect.any(Number) }),
          package: { name: 'acme', folder: at },
        }),
      ],
      refused: [
        expect.stringMatching(/"twin": another driver is "acme" \(driver guide: package\.md\)/),
        expect.stringMatching(/"missing".*is not installed there \(driver guide: package\.md\)/),
      ],
    });
    expect((await command(['drivers', ...args])).err).toMatch(/^refused: driver package "twin"/m);
  });

  it('refuses a name that no driver has with those that there are', async () => {
    const { exit, err } = await command(['drivers', 'zvtt', ...shopWith([]).args]);
    expect(exit).toBe(2);
    expect(err).toContain(`no driver is called "zvtt"; there are ${OWN.join(', ')}`);
  });

  it('says of a package that is installed and that the configuration does not name where to name it', async () => {
    const { folder, args } = shopWith([]);
    writePackage(folder, 'acme', sectionOf(zvt, 'acme'), FILES);
    const { err } = await command(['drivers', 'acme', ...args]);
    expect(err).toContain('must be named in "driver_packages" of the configuration: --config FILE');
  });
});

describe('tillctl config check', () => {
  it('knows the packages in the folder that tilld is started with', async () => {
    const { folder, file } = shopWith(['acme'], { driver: 'acme' });
    writePackage(folder, 'acme', sectionOf(zvt, 'acme'), FILES);
    expect(await command(['config', 'check', file])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('is not installed there'),
    });
    expect(await command(['config', 'check', file, '--driver-packages', folder])).toMatchObject({ exit: 0 });
  });
});
