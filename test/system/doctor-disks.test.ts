import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CheckResult } from '../../src/cli/offline/doctor/check-result.ts';
import { examine } from '../../src/cli/offline/doctor.ts';
import { DiagnosticContext } from '../support/doctor-table.ts';
import { aDay, stateFilesOf } from '../unit/cli/books.ts';
import { fillDisk, lacking, mount, tool } from './machine.ts';

const LACKING = lacking([]);

/** The shop's books on a disk of their own. */
async function onDisk(
  prepare: (folder: string, shop: DiagnosticContext) => void,
): Promise<{ folder: string; look: () => Promise<readonly CheckResult[]> }> {
  const shop = new DiagnosticContext(await stateFilesOf(aDay));
  const folder = join(dirname(shop.books.folder), 'disk');
  mkdirSync(folder);
  prepare(folder, shop);
  onTestFinished(() => void tool('umount', '-l', folder));
  cpSync(shop.books.folder, folder, { recursive: true });
  shop.writeConfig();
  const io = {
    out: () => undefined,
    err: () => undefined,
    env: {},
    cwd: '/',
    input: (async function* () {})(),
    onInterrupt: () => () => undefined,
  };
  return {
    folder,
    look: () => examine({ stateDir: folder, config: shop.config }, io, shop.now, shop.machine),
  };
}

describe.skipIf(LACKING !== '')(`the doctor of a disk ${LACKING}`, () => {
  it('names one that is full, and the command that shows what fills it', async () => {
    const { folder, look } = await onDisk((at) => mount('-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', at));
    fillDisk(folder);
    expect(await look()).toContainEqual(
      expect.objectContaining({
        id: 'disk-space',
        level: 'fail',
        what: expect.stringContaining('0 MiB are free'),
        fix: expect.stringContaining('du -xh'),
      }),
    );
  });

  it('names one that has room and takes no more files', async () => {
    const { look } = await onDisk((at) => mount('-t', 'tmpfs', '-o', 'size=64m,nr_inodes=30', 'tmpfs', at));
    expect(await look()).toContainEqual(
      expect.objectContaining({ id: 'disk-inodes', level: 'fail', fix: expect.stringContaining('find /') }),
    );
  });

  it('names one that was made read-only', async () => {
    const { folder, look } = await onDisk((at) => mount('-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', at));
    mount('-o', 'remount,ro', folder);
    expect(await look()).toContainEqual(
      expect.objectContaining({
        id: 'writable',
        level: 'fail',
        what: expect.stringContaining('mounted read-only'),
        fix: expect.stringContaining('mount -o remount,rw'),
      }),
    );
  });
});
