import type { Migration } from '../migrations.ts';

/**
 * The schema of `mirror.db`: the data that was read from providers, and how far. It holds the only copy of nothing: the file may be deleted at any
 * time, and everything is read again. `fate`: 0 live, 1 leaving, 2 gone, 3 a person has allowed the deletion, 4 doubtful. `state` holds at most 4 KiB
 * whatever a source sends.
 */
export const MIRROR_MIGRATIONS: readonly Migration[] = [
  {
    name: 'streams-rows-and-runs',
    minWriter: '0.1.0',
    sql: `
      CREATE TABLE facts (
        name TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE streams (
        id INTEGER PRIMARY KEY,
        slot TEXT NOT NULL,
        resource TEXT NOT NULL,
        generation INTEGER NOT NULL DEFAULT 1,
        state TEXT NOT NULL CHECK (length(CAST(state AS BLOB)) <= 4096),
        wants_full INTEGER NOT NULL DEFAULT 0,
        approved INTEGER NOT NULL DEFAULT 0,
        held TEXT,
        fresh_at INTEGER,
        lease_owner TEXT,
        lease_until INTEGER,
        UNIQUE (slot, resource)
      ) STRICT;

      CREATE TABLE rows (
        seq INTEGER PRIMARY KEY,
        stream INTEGER NOT NULL,
        generation INTEGER NOT NULL,
        id TEXT NOT NULL,
        hash TEXT NOT NULL,
        updated_at INTEGER,
        fate INTEGER NOT NULL CHECK (fate IN (0, 1, 2, 3, 4)),
        sweep INTEGER NOT NULL,
        scan INTEGER NOT NULL,
        body TEXT
      ) STRICT;
      CREATE UNIQUE INDEX rows_by_id ON rows (stream, generation, id);
      CREATE INDEX rows_by_fate ON rows (stream, generation, fate, sweep);

      CREATE TABLE parked (
        stream INTEGER NOT NULL,
        key TEXT NOT NULL,
        record_id TEXT,
        why TEXT NOT NULL CHECK (why IN ('bad', 'mapping', 'rejected')),
        reason TEXT NOT NULL,
        needs TEXT,
        excerpt TEXT NOT NULL,
        record TEXT,
        window_from INTEGER,
        scan INTEGER NOT NULL,
        tries INTEGER NOT NULL,
        parked_at INTEGER NOT NULL,
        next_try_at INTEGER,
        PRIMARY KEY (stream, key)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX parked_due ON parked (stream, next_try_at) WHERE next_try_at IS NOT NULL;
      CREATE INDEX parked_by_need ON parked (stream, needs) WHERE needs IS NOT NULL;

      CREATE TABLE runs (
        no INTEGER PRIMARY KEY AUTOINCREMENT,
        stream INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('changes', 'sweep', 'full')),
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        outcome TEXT NOT NULL CHECK (outcome IN ('running', 'complete', 'waiting', 'failed', 'held', 'stopped', 'killed')),
        code TEXT,
        message TEXT,
        pages INTEGER NOT NULL DEFAULT 0,
        read INTEGER NOT NULL DEFAULT 0,
        created INTEGER NOT NULL DEFAULT 0,
        updated INTEGER NOT NULL DEFAULT 0,
        unchanged INTEGER NOT NULL DEFAULT 0,
        stale INTEGER NOT NULL DEFAULT 0,
        deleted INTEGER NOT NULL DEFAULT 0,
        parked INTEGER NOT NULL DEFAULT 0,
        ignored INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX runs_by_stream ON runs (stream, started_at);
      CREATE INDEX runs_open ON runs (stream) WHERE ended_at IS NULL;
      CREATE INDEX runs_by_age ON runs (ended_at) WHERE ended_at IS NOT NULL;
    `,
  },
  {
    // Every sweep changes `sweep` in every row: an index that holds it is rewritten each time, though nothing has changed.
    name: 'fates-without-sweeps',
    minWriter: '0.1.0',
    sql: `
      DROP INDEX rows_by_fate;
      CREATE INDEX rows_by_fate ON rows (stream, generation, fate);
      CREATE INDEX rows_gone ON rows (stream, generation, sweep) WHERE fate = 2;
    `,
  },
  {
    // NULL: the run that made the stream complete began before process runs had ids.
    name: 'when-a-complete-reading-was-begun',
    minWriter: '0.1.0',
    sql: `
      ALTER TABLE streams ADD COLUMN fresh_run TEXT;
      ALTER TABLE streams ADD COLUMN fresh_ms INTEGER;
    `,
  },
];
