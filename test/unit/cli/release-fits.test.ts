import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { aDay, stateFilesOf } from './books.ts';
import { start } from './command-line.ts';

describe('tillctl release-fits', () => {
  it('says whether a release can write the books, and changes nothing', async () => {
    const { folder, database } = await stateFilesOf(aDay);
    const books = new Sqlite(database);
    books.exec("UPDATE facts SET value = '0.2.0' WHERE name = 'min_writer'");
    books.close();
    const ask = (release: string) => start(['release-fits', release, '--state-dir', folder]).ended;
    expect(await ask('0.2.0')).toMatchObject({ exit: 0, out: expect.stringContaining('0.2.0 can write') });
    expect(await ask('0.10.0~rc1')).toMatchObject({ exit: 0 });
    for (const release of ['0.1.9', 'latest', '']) {
      expect(await ask(release)).toMatchObject({
        exit: 1,
        err: expect.stringMatching(
          /cannot write these books: they need 0\.2\.0 or later\. Nothing was changed/,
        ),
      });
    }
  });
});
