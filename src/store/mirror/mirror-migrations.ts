import type { Migration } from '../schema/migrations.ts';

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
  {
    // Kept by triggers, so that no statement that writes a row can forget them. Rows without the field are in none of the partial indexes.
    name: 'pages-and-words-for-readers',
    minWriter: '0.1.0',
    sql: `
      CREATE INDEX rows_in_order ON rows (stream, generation) WHERE fate <> 2;
      CREATE INDEX rows_by_customer ON rows (stream, generation, json_extract(body, '$.customer_id'))
        WHERE json_extract(body, '$.customer_id') IS NOT NULL;
      CREATE INDEX rows_by_public_id ON rows (stream, generation, json_extract(body, '$.public_id'))
        WHERE json_extract(body, '$.public_id') IS NOT NULL;

      -- How many rows readers see in each 4,096 numbers of seq: a page at any offset, and the total, cost the same.
      CREATE TABLE row_blocks (
        stream INTEGER NOT NULL,
        generation INTEGER NOT NULL,
        block INTEGER NOT NULL,
        rows INTEGER NOT NULL,
        PRIMARY KEY (stream, generation, block)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO row_blocks SELECT stream, generation, seq >> 12, count(*) FROM rows WHERE fate <> 2 GROUP BY 1, 2, 3;
      CREATE TRIGGER block_of_new AFTER INSERT ON rows WHEN NEW.fate <> 2 BEGIN
        INSERT INTO row_blocks VALUES (NEW.stream, NEW.generation, NEW.seq >> 12, 1) ON CONFLICT DO UPDATE SET rows = rows + 1;
      END;
      CREATE TRIGGER block_of_gone AFTER UPDATE OF fate ON rows WHEN OLD.fate <> 2 AND NEW.fate = 2 BEGIN
        UPDATE row_blocks SET rows = rows - 1 WHERE stream = OLD.stream AND generation = OLD.generation AND block = OLD.seq >> 12;
      END;
      CREATE TRIGGER block_of_back AFTER UPDATE OF fate ON rows WHEN OLD.fate = 2 AND NEW.fate <> 2 BEGIN
        INSERT INTO row_blocks VALUES (NEW.stream, NEW.generation, NEW.seq >> 12, 1) ON CONFLICT DO UPDATE SET rows = rows + 1;
      END;
      CREATE TRIGGER block_of_deleted AFTER DELETE ON rows WHEN OLD.fate <> 2 BEGIN
        UPDATE row_blocks SET rows = rows - 1 WHERE stream = OLD.stream AND generation = OLD.generation AND block = OLD.seq >> 12;
        DELETE FROM row_blocks
          WHERE stream = OLD.stream AND generation = OLD.generation AND block = OLD.seq >> 12 AND rows = 0;
      END;

      -- The words of the service's rows, folded before they are written. unindexed: rows whose words are not those of row_words yet.
      CREATE VIRTUAL TABLE row_words USING fts5(
        words, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4', tokenize = "ascii tokenchars '=.-_'"
      );
      CREATE TABLE unindexed (seq INTEGER PRIMARY KEY) STRICT;
      INSERT INTO unindexed SELECT seq FROM rows
        WHERE fate <> 2 AND stream IN (SELECT id FROM streams WHERE slot = 'service');
      CREATE TRIGGER words_of_new AFTER INSERT ON rows
        WHEN NEW.body IS NOT NULL AND NEW.stream IN (SELECT id FROM streams WHERE slot = 'service') BEGIN
        INSERT INTO unindexed VALUES (NEW.seq) ON CONFLICT DO NOTHING;
      END;
      CREATE TRIGGER words_of_changed AFTER UPDATE OF body, fate ON rows
        WHEN (OLD.body IS NOT NEW.body OR (OLD.fate = 2) <> (NEW.fate = 2))
          AND NEW.stream IN (SELECT id FROM streams WHERE slot = 'service') BEGIN
        INSERT INTO unindexed VALUES (NEW.seq) ON CONFLICT DO NOTHING;
      END;
      CREATE TRIGGER words_of_deleted AFTER DELETE ON rows
        WHEN OLD.stream IN (SELECT id FROM streams WHERE slot = 'service') BEGIN
        INSERT INTO unindexed VALUES (OLD.seq) ON CONFLICT DO NOTHING;
      END;
    `,
  },
  {
    // NULL: it was tried before runs were noted.
    name: 'the-run-of-a-try',
    minWriter: '0.1.0',
    sql: 'ALTER TABLE parked ADD COLUMN run INTEGER;',
  },
  {
    // Each index is written with each row: what only a few rows are asked for is indexed for them alone. A trigger's subquery is evaluated anew for
    // each row: a row of `streams` by its number costs a third of the list of all streams of the service.
    name: 'less-to-write-for-a-row',
    minWriter: '0.1.0',
    sql: `
      DROP INDEX rows_by_fate;
      CREATE INDEX rows_by_fate ON rows (stream, generation, fate) WHERE fate <> 0;

      DROP TRIGGER words_of_new;
      CREATE TRIGGER words_of_new AFTER INSERT ON rows
        WHEN NEW.body IS NOT NULL AND (SELECT slot FROM streams WHERE id = NEW.stream) = 'service' BEGIN
        INSERT INTO unindexed VALUES (NEW.seq) ON CONFLICT DO NOTHING;
      END;
      DROP TRIGGER words_of_changed;
      CREATE TRIGGER words_of_changed AFTER UPDATE OF body, fate ON rows
        WHEN (OLD.body IS NOT NEW.body OR (OLD.fate = 2) <> (NEW.fate = 2))
          AND (SELECT slot FROM streams WHERE id = NEW.stream) = 'service' BEGIN
        INSERT INTO unindexed VALUES (NEW.seq) ON CONFLICT DO NOTHING;
      END;
      DROP TRIGGER words_of_deleted;
      CREATE TRIGGER words_of_deleted AFTER DELETE ON rows
        WHEN (SELECT slot FROM streams WHERE id = OLD.stream) = 'service' BEGIN
        INSERT INTO unindexed VALUES (OLD.seq) ON CONFLICT DO NOTHING;
      END;
    `,
  },
];
