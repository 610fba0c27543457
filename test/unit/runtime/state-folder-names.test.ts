import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { holdStateFolder } from '../../../src/runtime/state-folder.ts';
import { aFolder } from '../../support/money-database.ts';

/** The folders that are synced, by the real calls. */
function syncedFolders(): string[] {
  const { openSync, fsyncSync } = fs;
  const opened = new Map<number, string>();
  const synced: string[] = [];
  fs.openSync = (...args: Parameters<typeof openSync>) => {
    const file = openSync(...args);
    opened.set(file, String(args[0]));
    return file;
  };
  fs.fsyncSync = (file) => {
    synced.push(opened.get(file) ?? '');
    fsyncSync(file);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { openSync, fsyncSync });
    syncBuiltinESMExports();
  });
  return synced;
}

it('a new state folder survives a power cut with its name: every folder above a new one is synced', () => {
  const root = aFolder();
  const path = join(root, 'var', 'tilld');
  const synced = syncedFolders();
  holdStateFolder(path).release();
  expect(synced).toEqual([path, dirname(path), root]);
  synced.length = 0;
  holdStateFolder(path).release();
  expect(synced).toEqual([]);
});
