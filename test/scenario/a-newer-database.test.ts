import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { aWorld, Daemon, type World } from '../support/daemon.ts';

const NEWER = "PRAGMA user_version = 99; UPDATE facts SET value = '9.9.0' WHERE name = 'min_writer'";

function filesOf(world: World): Record<string, string> {
  const state = join(world.folder, 'state');
  const names = readdirSync(state).filter((name) => name.startsWith('money.db') && !name.endsWith('-shm'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(state, name)).toString('base64')]));
}

describe('a database that a later release has written', { timeout: 60_000 }, () => {
  it.each(['at rest', 'with a log that was not folded in'] as const)(
    '%s is refused with the release that reads it, and not a byte of it is changed',
    async (how) => {
      const world = await aWorld();
      const daemon = await Daemon.start(world);
      const path = daemon.database;
      await daemon.stop();
      const later = new Sqlite(path);
      const log = `${path}-wal`;
      const holder = how === 'at rest' ? null : new Sqlite(path, { readonly: true });
      holder?.prepare('SELECT count(*) FROM facts').get();
      later.exec(NEWER);
      if (how === 'at rest') later.close();
      const before = filesOf(world);
      expect(existsSync(log)).toBe(how !== 'at rest');
      await expect(Daemon.start(world)).rejects.toThrow(
        /daemon ended with 2 [\s\S]*written by a later release than [\d.]+: install 9\.9\.0 or later\. Nothing in it was changed\.[\s\S]*fix:/,
      );
      expect(filesOf(world)).toEqual(before);
      holder?.close();
      if (later.open) later.close();
    },
  );
});
