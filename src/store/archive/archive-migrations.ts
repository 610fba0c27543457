import type { Migration } from '../schema/migrations.ts';

/**
 * The schema of `archive.db`: the timelines of old payments, in consecutive chunks of the journal. A chunk is written once and never changed.
 * `stories` and `rest` are the two parts of a chunk, each compressed with Zstandard and with its checksum: a timeline is read without the rest.
 * `digest` is the SHA-256 of both texts.
 */
export const ARCHIVE_MIGRATIONS: readonly Migration[] = [
  {
    name: 'chunks-of-the-journal',
    minWriter: '0.1.0',
    sql: `
      CREATE TABLE facts (
        name TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE chunks (
        last_seq INTEGER PRIMARY KEY,
        first_seq INTEGER NOT NULL,
        previous TEXT NOT NULL,
        hash TEXT NOT NULL,
        first_event INTEGER NOT NULL,
        last_event INTEGER NOT NULL,
        digest TEXT NOT NULL,
        stories BLOB NOT NULL,
        rest BLOB NOT NULL
      ) STRICT;
      CREATE TRIGGER chunks_are_not_changed BEFORE UPDATE ON chunks BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
      CREATE TRIGGER chunks_are_not_deleted BEFORE DELETE ON chunks BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;

      CREATE TABLE archived_attempts (
        attempt_id TEXT NOT NULL,
        last_seq INTEGER NOT NULL REFERENCES chunks (last_seq),
        PRIMARY KEY (attempt_id, last_seq)
      ) STRICT, WITHOUT ROWID;
    `,
  },
];
