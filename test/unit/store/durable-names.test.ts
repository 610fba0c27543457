import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Disk } from '../../crash/power/disk.ts';
import { buildRecorder, hasCompiler } from '../../crash/record/build.ts';
import { readRecording, recordingEnvironment } from '../../crash/record/recording.ts';
import { aFolder } from '../../support/money-database.ts';

const SOURCE = join(import.meta.dirname, '../../../src');

/** What is surely on the disk once this script has ended; `folder` is there for it. */
function durableAfter(script: string): ReadonlySet<string> {
  const root = aFolder();
  const places = { folder: join(root, 'disk'), output: join(root, 'recording'), acks: join(root, 'acks') };
  mkdirSync(places.folder);
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', `const folder = ${JSON.stringify(places.folder)};\n${script}`],
    {
      env: { ...process.env, ...recordingEnvironment(buildRecorder(root) ?? '', places) },
      encoding: 'utf8',
    },
  );
  expect([status, stderr]).toEqual([0, '']);
  expect(existsSync(places.output)).toBe(true);
  const disk = new Disk();
  for (const event of readRecording(places.output)) disk.apply(event);
  return new Set([...disk.durable].filter(([, file]) => file.pending.length === 0).map(([path]) => path));
}

it.skipIf(!hasCompiler())('the note of the last backup is on disk before the command has ended', () => {
  const durable = durableAfter(`
    const { noteLastBackup } = await import('${SOURCE}/store/backup/last-backup.ts');
    noteLastBackup(folder + '/last-backup', { at: 1, file: '/mnt/a', sha256: 'f00' });`);
  expect([...durable]).toEqual(['last-backup']);
});
