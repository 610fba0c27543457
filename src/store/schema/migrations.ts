import { BEGIN_ID_BACKFILL, canonicalColumn } from '../backfill/id-columns.ts';

/** One step of a database's schema. Forward only; `minWriter` is the oldest release that can still write the result. */
export interface Migration {
  readonly name: string;
  readonly minWriter: string;
  readonly sql: string;
  /**
   * Tables that lose AUTOINCREMENT: it is removed from their SQL, which changes none of their pages. Only for tables whose newest row is never
   * deleted: the next number follows from it.
   */
  readonly countThemselves?: readonly string[];
  /** Columns that are NULL in every row; added before `sql`. SQLite's own statement reads every row of a STRICT table. */
  readonly nullColumns?: readonly { readonly table: string; readonly column: string }[];
  /**
   * Indexes that replace those of the same name and hold no row until `sql` fills them. SQLite's own statement reads every row of the table. Only
   * when no row fits the WHERE of the index before `sql`, such as an index of a new column.
   */
  readonly emptyIndexes?: readonly EmptyIndex[];
}

/** An index of a table: its SQL from the column list on. */
export interface EmptyIndex {
  readonly name: string;
  readonly table: string;
  readonly on: string;
}

/**
 * How many of the newest payments a step may read at once (40 MiB). They hold the time of the guards that look back for hours (12 at most), not the 31
 * days of the parts of a bill (`SPLIT_MS` of `payment/guards/split-bill.ts`), nor what a guard finds by an invoice or a sale, at any age. A step that
 * changes what those read is right at once by its queries, and for older rows by a backfill. Payments from before the steps here are no parts of a bill.
 */
const NEWEST = 20_000;

/**
 * The schema of `money.db`. Money and instants are integers (minor units, epoch ms UTC); data that is only shown is JSON. The journal and the events
 * are append-only, and triggers reject anything else.
 */
export const MONEY_MIGRATIONS: readonly Migration[] = [
  {
    name: 'payments-and-what-we-owe',
    minWriter: '0.1.0',
    sql: `
      CREATE TABLE attempts (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        type TEXT NOT NULL CHECK (type IN ('sale', 'refund', 'void')),
        parent_id TEXT REFERENCES attempts (id),
        device_id TEXT NOT NULL,
        amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
        currency TEXT NOT NULL,
        invoice_id TEXT,
        reference TEXT,
        origin TEXT NOT NULL CHECK (origin IN ('local', 'service')),
        caller TEXT NOT NULL,
        after_id TEXT,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        state TEXT NOT NULL,
        status TEXT NOT NULL,
        version INTEGER NOT NULL,
        dispatched_at INTEGER,
        in_doubt_since INTEGER,
        cancel_requested_at INTEGER,
        completed_at INTEGER,
        released_at INTEGER,
        needs_person INTEGER NOT NULL,
        detail TEXT NOT NULL
      ) STRICT;
      CREATE INDEX attempts_open ON attempts (device_id, seq) WHERE completed_at IS NULL;
      CREATE INDEX attempts_by_invoice ON attempts (invoice_id) WHERE invoice_id IS NOT NULL;
      CREATE INDEX attempts_by_reference ON attempts (reference, created_at) WHERE reference IS NOT NULL;
      CREATE INDEX attempts_by_amount ON attempts (device_id, amount_minor, created_at);
      CREATE INDEX attempts_by_status ON attempts (status, seq);

      CREATE TABLE journal (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        attempt_id TEXT NOT NULL REFERENCES attempts (id),
        at INTEGER NOT NULL,
        event TEXT NOT NULL,
        from_state TEXT NOT NULL,
        to_state TEXT NOT NULL,
        details TEXT NOT NULL,
        hash TEXT NOT NULL
      ) STRICT;
      CREATE INDEX journal_by_attempt ON journal (attempt_id, seq);
      CREATE TRIGGER journal_is_not_changed BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
      CREATE TRIGGER journal_is_not_deleted BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

      CREATE TABLE events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        type TEXT NOT NULL,
        at INTEGER NOT NULL,
        attempt_id TEXT NOT NULL REFERENCES attempts (id),
        reported TEXT NOT NULL,
        snapshot TEXT NOT NULL
      ) STRICT;

      CREATE TABLE idempotency_keys (
        caller TEXT NOT NULL,
        key TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        request_id TEXT NOT NULL,
        status INTEGER NOT NULL,
        body TEXT NOT NULL,
        attempt_id TEXT NOT NULL REFERENCES attempts (id),
        created_at INTEGER NOT NULL,
        PRIMARY KEY (caller, key)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE outbox (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        attempt_id TEXT NOT NULL REFERENCES attempts (id),
        kind TEXT NOT NULL CHECK (kind IN ('create', 'result')),
        key TEXT NOT NULL UNIQUE,
        body TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'parked')),
        tries INTEGER NOT NULL DEFAULT 0,
        first_used_at INTEGER,
        unanswered INTEGER NOT NULL DEFAULT 0,
        last_error TEXT,
        done_at INTEGER
      ) STRICT;
      CREATE INDEX outbox_open ON outbox (attempt_id, seq) WHERE state <> 'done';
      CREATE INDEX outbox_pending ON outbox (seq) WHERE state = 'pending';
      CREATE INDEX outbox_by_attempt ON outbox (attempt_id, seq);

      CREATE TABLE aliases (
        service_id TEXT NOT NULL PRIMARY KEY,
        attempt_id TEXT NOT NULL REFERENCES attempts (id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX aliases_by_attempt ON aliases (attempt_id);

      CREATE TABLE terminals (
        device_id TEXT NOT NULL PRIMARY KEY,
        identity TEXT NOT NULL,
        since INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE api_keys (
        id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        hash TEXT NOT NULL UNIQUE,
        scopes TEXT NOT NULL,
        allow TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER,
        revoked_at INTEGER,
        last_used_at INTEGER
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE facts (
        name TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'the-whole-life-of-a-payment',
    minWriter: '0.1.0',
    sql: `
      ALTER TABLE attempts ADD COLUMN corrects TEXT REFERENCES attempts (id);
      ALTER TABLE attempts ADD COLUMN batch INTEGER;
      ALTER TABLE attempts ADD COLUMN day INTEGER;
      CREATE INDEX attempts_by_parent ON attempts (parent_id, seq) WHERE parent_id IS NOT NULL;
      CREATE INDEX attempts_by_corrected ON attempts (corrects) WHERE corrects IS NOT NULL;
      CREATE INDEX attempts_by_batch ON attempts (device_id, batch) WHERE batch IS NOT NULL;
      CREATE INDEX attempts_by_day ON attempts (device_id, day) WHERE day IS NOT NULL;
      CREATE INDEX journal_dispatches ON journal (seq, attempt_id) WHERE event = 'dispatch';

      ALTER TABLE outbox ADD COLUMN operation TEXT NOT NULL DEFAULT 'sale' CHECK (operation IN ('sale', 'refund', 'void'));
      ALTER TABLE outbox ADD COLUMN parent_id TEXT REFERENCES attempts (id);

      ALTER TABLE terminals ADD COLUMN batch INTEGER NOT NULL DEFAULT 1;
      ALTER TABLE terminals ADD COLUMN day INTEGER NOT NULL DEFAULT 1;
      ALTER TABLE terminals ADD COLUMN day_is_whole INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE terminals ADD COLUMN shared_use INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE terminals ADD COLUMN void_withdrawn INTEGER NOT NULL DEFAULT 0;

      CREATE TABLE settlements (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        device_id TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('requested', 'in_progress', 'succeeded', 'refused', 'cancelled', 'unknown')),
        detail TEXT NOT NULL
      ) STRICT;
      CREATE INDEX settlements_by_device ON settlements (device_id, seq);
      CREATE INDEX settlements_open ON settlements (seq) WHERE status IN ('requested', 'in_progress');

      CREATE TABLE tasks (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        attempt_id TEXT REFERENCES attempts (id),
        settlement_id TEXT REFERENCES settlements (id),
        device_id TEXT,
        message TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        done_at INTEGER,
        done_by TEXT,
        note TEXT
      ) STRICT;
      CREATE UNIQUE INDEX tasks_once ON tasks (kind, COALESCE(attempt_id, ''), COALESCE(settlement_id, ''))
        WHERE device_id IS NULL;
      CREATE UNIQUE INDEX tasks_once_open ON tasks (kind, device_id) WHERE device_id IS NOT NULL AND done_at IS NULL;
      CREATE INDEX tasks_open ON tasks (seq) WHERE done_at IS NULL;
      CREATE INDEX tasks_of_attempt ON tasks (attempt_id) WHERE done_at IS NULL;

      CREATE TABLE events_new (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        type TEXT NOT NULL,
        at INTEGER NOT NULL,
        attempt_id TEXT REFERENCES attempts (id),
        settlement_id TEXT REFERENCES settlements (id),
        snapshot TEXT NOT NULL
      ) STRICT;
      INSERT INTO events_new (seq, id, type, at, attempt_id, snapshot)
        SELECT seq, id, type, at, attempt_id, json_object('attempt', json(snapshot), 'reported', reported) FROM events;
      DROP TABLE events;
      ALTER TABLE events_new RENAME TO events;
    `,
  },
  {
    name: 'a-name-that-terminals-carry-back',
    minWriter: '0.1.0',
    sql: `
      ALTER TABLE attempts ADD COLUMN ticket TEXT;
      CREATE UNIQUE INDEX attempts_by_ticket ON attempts (ticket) WHERE ticket IS NOT NULL;
    `,
  },
  {
    name: 'answers-to-what-is-no-payment',
    minWriter: '0.1.0',
    sql: `
      CREATE TABLE kept_answers (
        caller TEXT NOT NULL,
        key TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        request_id TEXT NOT NULL,
        status INTEGER NOT NULL,
        body TEXT NOT NULL,
        kept_at INTEGER NOT NULL,
        PRIMARY KEY (caller, key)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX kept_answers_by_age ON kept_answers (kept_at);
    `,
  },
  {
    name: 'webhooks',
    minWriter: '0.1.0',
    sql: `
      CREATE TABLE webhook_endpoints (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        url TEXT NOT NULL,
        events TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('enabled', 'disabled')),
        sealed_secret TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE webhook_deliveries (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        event_id TEXT NOT NULL,
        event_type TEXT NOT NULL,
        endpoint_id TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
        next_at INTEGER,
        ends_at INTEGER,
        noted_at INTEGER,
        ended_at INTEGER,
        response_status INTEGER,
        last_error TEXT,
        CHECK ((state = 'pending') = (next_at IS NOT NULL AND ends_at IS NOT NULL AND noted_at IS NOT NULL AND ended_at IS NULL))
      ) STRICT;
      CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (endpoint_id, next_at, seq) WHERE state = 'pending';
      CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (seq) WHERE state = 'failed';
      CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
      CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, seq);
      CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_id, seq);
    `,
  },
  {
    name: 'keys-that-are-rolled-and-audited',
    minWriter: '0.1.0',
    sql: `
      CREATE TABLE retired_key_secrets (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        hash TEXT NOT NULL UNIQUE,
        key_id TEXT NOT NULL REFERENCES api_keys (id),
        ends_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX retired_key_secrets_by_key ON retired_key_secrets (key_id, ends_at);

      CREATE TABLE key_audit (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        key_id TEXT NOT NULL REFERENCES api_keys (id),
        at INTEGER NOT NULL,
        event TEXT NOT NULL CHECK (event IN ('created', 'rolled', 'revoked')),
        caller TEXT NOT NULL,
        said_by TEXT,
        overlap_ends_at INTEGER
      ) STRICT;
      CREATE INDEX key_audit_by_key ON key_audit (key_id, seq);
      INSERT INTO key_audit (key_id, at, event, caller) SELECT id, created_at, 'created', 'socket' FROM api_keys ORDER BY created_at, id;
      INSERT INTO key_audit (key_id, at, event, caller)
        SELECT id, revoked_at, 'revoked', 'socket' FROM api_keys WHERE revoked_at IS NOT NULL ORDER BY revoked_at, id;
      CREATE TRIGGER key_audit_is_not_changed BEFORE UPDATE ON key_audit
        BEGIN SELECT RAISE(ABORT, 'the audit trail of keys is append-only'); END;
      CREATE TRIGGER key_audit_is_not_deleted BEFORE DELETE ON key_audit
        BEGIN SELECT RAISE(ABORT, 'the audit trail of keys is append-only'); END;
    `,
  },
  {
    name: 'reports-that-people-decide-about',
    minWriter: '0.1.0',
    sql: `
      ALTER TABLE outbox ADD COLUMN dropped_at INTEGER;
      CREATE INDEX outbox_dropped ON outbox (seq) WHERE dropped_at IS NOT NULL;

      CREATE TABLE outbox_decisions (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        report_id TEXT NOT NULL REFERENCES outbox (id),
        decision TEXT NOT NULL CHECK (decision IN ('retried', 'dropped')),
        at INTEGER NOT NULL,
        caller TEXT NOT NULL,
        said_by TEXT,
        reason TEXT
      ) STRICT;
      CREATE INDEX outbox_decisions_by_report ON outbox_decisions (report_id, seq);
      CREATE TRIGGER outbox_decisions_are_not_changed BEFORE UPDATE ON outbox_decisions
        BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
      CREATE TRIGGER outbox_decisions_are_not_deleted BEFORE DELETE ON outbox_decisions
        BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
    `,
  },
  {
    name: 'provider-slots-and-mappings',
    minWriter: '0.1.0',
    sql: `
      CREATE TABLE provider_slots (
        slot TEXT NOT NULL PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
        is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
        auto_send INTEGER NOT NULL CHECK (auto_send IN (0, 1)),
        lookback_days INTEGER NOT NULL CHECK (lookback_days BETWEEN 1 AND 3650),
        product_mode TEXT NOT NULL,
        requires_mapped INTEGER NOT NULL CHECK (requires_mapped IN (0, 1)),
        managed_by TEXT NOT NULL CHECK (managed_by IN ('local', 'service')),
        paused_for TEXT CHECK (paused_for IN ('credentials', 'errors')),
        paused_at INTEGER,
        sealed_credentials TEXT,
        updated_at INTEGER NOT NULL,
        CHECK ((paused_for IS NULL) = (paused_at IS NULL))
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE slot_errors (
        slot TEXT NOT NULL REFERENCES provider_slots (slot),
        resource TEXT NOT NULL,
        failures INTEGER NOT NULL CHECK (failures > 0),
        cause TEXT NOT NULL,
        message TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (slot, resource)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE product_mappings (
        slot TEXT NOT NULL REFERENCES provider_slots (slot),
        external_id TEXT NOT NULL,
        internal_id TEXT,
        is_ignored INTEGER NOT NULL CHECK (is_ignored IN (0, 1)),
        metadata TEXT NOT NULL,
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (slot, external_id)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'people-who-are-signed-in-at-the-pages',
    minWriter: '0.1.0',
    sql: `
      CREATE TABLE page_sessions (
        id TEXT NOT NULL PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE,
        role TEXT NOT NULL CHECK (role IN ('staff', 'lead', 'ops')),
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'payments-of-a-device-in-their-order',
    minWriter: '0.1.0',
    sql: 'CREATE INDEX attempts_by_device ON attempts (device_id, seq);',
  },
  {
    name: 'reports-that-are-parked-in-their-order',
    minWriter: '0.1.0',
    sql: "CREATE INDEX outbox_parked ON outbox (seq) WHERE state = 'parked';",
  },
  {
    name: 'payments-of-one-amount-by-their-end',
    minWriter: '0.1.0',
    sql: `
      DROP INDEX attempts_by_amount;
      DROP INDEX attempts_by_reference;
      CREATE INDEX attempts_by_amount ON attempts (device_id, amount_minor, completed_at) WHERE completed_at IS NOT NULL;
      CREATE INDEX attempts_by_reference ON attempts (reference, completed_at) WHERE reference IS NOT NULL AND completed_at IS NOT NULL;
    `,
  },
  {
    name: 'old-stories-that-are-archived',
    minWriter: '0.1.0',
    sql: `
      CREATE TABLE archived_chunks (
        last_seq INTEGER PRIMARY KEY,
        hash TEXT NOT NULL,
        last_event INTEGER NOT NULL,
        digest TEXT NOT NULL,
        at INTEGER NOT NULL
      ) STRICT;
      CREATE TRIGGER archived_chunks_follow_the_journal BEFORE INSERT ON archived_chunks
        WHEN NEW.last_seq <= COALESCE((SELECT max(last_seq) FROM archived_chunks), 0)
          OR (EXISTS (SELECT 1 FROM journal) AND NOT EXISTS (SELECT 1 FROM journal
            WHERE seq = NEW.last_seq AND hash = NEW.hash AND seq < (SELECT max(seq) FROM journal)))
        BEGIN SELECT RAISE(ABORT, 'only the oldest rows of the journal are archived, in their order'); END;
      CREATE TRIGGER archived_chunks_are_not_changed BEFORE UPDATE ON archived_chunks
        BEGIN SELECT RAISE(ABORT, 'what was archived stays noted'); END;
      CREATE TRIGGER archived_chunks_are_not_deleted BEFORE DELETE ON archived_chunks
        BEGIN SELECT RAISE(ABORT, 'what was archived stays noted'); END;
      DROP TRIGGER journal_is_not_deleted;
      CREATE TRIGGER journal_is_not_deleted BEFORE DELETE ON journal
        WHEN OLD.seq > COALESCE((SELECT max(last_seq) FROM archived_chunks), 0)
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
      CREATE TRIGGER journal_is_not_written_where_it_was_cut BEFORE INSERT ON journal
        WHEN NEW.seq <= COALESCE((SELECT max(last_seq) FROM archived_chunks), 0)
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

      CREATE TABLE last_dispatches (
        device_id TEXT NOT NULL PRIMARY KEY,
        attempt_id TEXT NOT NULL REFERENCES attempts (id),
        seq INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    // In a table WITHOUT ROWID a row of more than a quarter of a page takes an extra page: 4.7 KB for 1.3, and one more page to write.
    name: 'keys-that-take-what-they-hold',
    minWriter: '0.1.0',
    sql: `
      CREATE TABLE idempotency_keys_new (
        seq INTEGER PRIMARY KEY,
        caller TEXT NOT NULL,
        key TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        request_id TEXT NOT NULL,
        status INTEGER NOT NULL,
        body TEXT NOT NULL,
        attempt_id TEXT NOT NULL REFERENCES attempts (id),
        created_at INTEGER NOT NULL,
        UNIQUE (caller, key)
      ) STRICT;
      INSERT INTO idempotency_keys_new (caller, key, fingerprint, request_id, status, body, attempt_id, created_at)
        SELECT caller, key, fingerprint, request_id, status, body, attempt_id, created_at FROM idempotency_keys ORDER BY created_at;
      DROP TABLE idempotency_keys;
      ALTER TABLE idempotency_keys_new RENAME TO idempotency_keys;
    `,
  },
  {
    name: 'reports-without-an-index-of-what-others-know',
    minWriter: '0.1.0',
    sql: 'DROP INDEX outbox_open;',
  },
  {
    // The AUTOINCREMENT counter of a table is one more page in each commit, and so is an index entry that changes with the status.
    name: 'payments-that-write-fewer-pages',
    minWriter: '0.1.0',
    countThemselves: ['attempts', 'journal', 'events', 'outbox'],
    sql: `
      DROP INDEX attempts_by_status;
      CREATE INDEX attempts_by_status ON attempts (status, seq) WHERE completed_at IS NOT NULL;
    `,
  },
  {
    // Bodies of reports stay as they are: the service compares them under their key. `backfill/id-backfill.ts` converts the payments that have ended,
    // and aliases; until then `backfill/older-id-forms.ts` finds them.
    name: 'ids-in-one-form',
    minWriter: '0.1.0',
    sql: `
      ${canonicalColumn('attempts INDEXED BY attempts_open', 'invoice_id', 'completed_at IS NULL')}
      ${canonicalColumn('attempts INDEXED BY attempts_open', 'device_id', 'completed_at IS NULL')}
      ${canonicalColumn('terminals', 'device_id')}
      ${canonicalColumn('settlements', 'device_id')}
      ${canonicalColumn('tasks', 'device_id')}
      ${canonicalColumn('last_dispatches', 'device_id')}
      UPDATE attempts INDEXED BY attempts_open SET reference = trim(reference)
        WHERE completed_at IS NULL AND reference IS NOT NULL AND reference <> trim(reference);
      UPDATE attempts SET reference = trim(reference) WHERE seq > (SELECT max(seq) FROM attempts) - ${NEWEST}
        AND reference IS NOT NULL AND reference <> trim(reference);
      ${BEGIN_ID_BACKFILL};
    `,
  },
  {
    // The guards need only the newest payments. Their times come from the wall clock of then, but never after the newest end: a clock that was ahead
    // must not block sales until it is right.
    name: 'ends-in-elapsed-time',
    minWriter: '0.1.0',
    nullColumns: [{ table: 'attempts', column: 'completed_elapsed INTEGER' }],
    emptyIndexes: [
      {
        name: 'attempts_by_amount',
        table: 'attempts',
        on: '(device_id, amount_minor, completed_elapsed) WHERE completed_elapsed IS NOT NULL',
      },
      {
        name: 'attempts_by_reference',
        table: 'attempts',
        on: '(reference, completed_elapsed) WHERE reference IS NOT NULL AND completed_elapsed IS NOT NULL',
      },
    ],
    sql: `
      UPDATE attempts SET completed_elapsed = min(completed_at,
          (SELECT completed_at FROM attempts WHERE completed_at IS NOT NULL ORDER BY seq DESC LIMIT 1))
        WHERE completed_at IS NOT NULL AND seq > (SELECT max(seq) FROM attempts) - ${NEWEST};
      UPDATE attempts INDEXED BY attempts_open SET detail = json_set(detail, '$.elapsed', json_object('dispatched', dispatched_at, 'completed',
          NULL, 'inDoubt', min(in_doubt_since, COALESCE((SELECT max(completed_elapsed) FROM attempts
            WHERE seq > (SELECT max(seq) FROM attempts) - ${NEWEST}), in_doubt_since))))
        WHERE completed_at IS NULL AND in_doubt_since IS NOT NULL;
    `,
  },
  {
    // `done_run` NULL: the report ended before runs were numbered, or has not ended yet.
    name: 'ends-of-reports-in-their-order',
    minWriter: '0.1.0',
    nullColumns: [
      { table: 'outbox', column: 'done_run INTEGER' },
      { table: 'outbox', column: 'done_ms INTEGER' },
    ],
    sql: `
      CREATE TABLE process_runs (
        no INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE
      ) STRICT;
    `,
  },
  {
    // Sales of an imported invoice, which are recorded at its provider.
    name: 'payments-at-providers',
    minWriter: '0.1.0',
    sql: `
      CREATE TABLE provider_payments (
        attempt_id TEXT NOT NULL UNIQUE REFERENCES attempts (id),
        invoice_id TEXT NOT NULL,
        provider TEXT,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'recorded', 'refused', 'foreign')),
        tries INTEGER NOT NULL,
        last_error TEXT,
        ended_at INTEGER
      ) STRICT;
      CREATE INDEX provider_payments_by_state ON provider_payments (state);
    `,
  },
  {
    // Sessions of before are of no named person.
    name: 'named-people',
    minWriter: '0.1.0',
    sql: `
      CREATE TABLE people (
        id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        role TEXT NOT NULL CHECK (role IN ('staff', 'lead', 'ops')),
        system_user TEXT,
        created_at INTEGER NOT NULL,
        disabled_at INTEGER
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE audit_trail (
        seq INTEGER NOT NULL PRIMARY KEY,
        at INTEGER NOT NULL,
        event TEXT NOT NULL,
        subject TEXT NOT NULL,
        who TEXT NOT NULL,
        origin TEXT NOT NULL,
        details TEXT NOT NULL,
        hash TEXT NOT NULL
      ) STRICT;
      ALTER TABLE page_sessions ADD COLUMN person_id TEXT REFERENCES people (id);
    `,
  },
  {
    name: 'ways-to-sign-in',
    minWriter: '0.1.0',
    sql: `
      CREATE TABLE passkeys (
        id TEXT NOT NULL PRIMARY KEY,
        person_id TEXT NOT NULL REFERENCES people (id),
        public_key TEXT NOT NULL,
        counter INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        last_used_at INTEGER
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE pins (
        person_id TEXT NOT NULL PRIMARY KEY REFERENCES people (id),
        hash TEXT NOT NULL,
        set_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE paired_devices (
        id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        hash TEXT NOT NULL UNIQUE,
        paired_at INTEGER NOT NULL,
        withdrawn_at INTEGER
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE sign_in_tries (
        subject TEXT NOT NULL PRIMARY KEY,
        failures INTEGER NOT NULL,
        free_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      ALTER TABLE page_sessions ADD COLUMN paired_device_id TEXT REFERENCES paired_devices (id);
    `,
  },
  {
    name: 'terminals-set-aside',
    minWriter: '0.1.0',
    sql: 'ALTER TABLE terminals ADD COLUMN set_aside TEXT;',
  },
  {
    name: 'webhooks-of-providers',
    minWriter: '0.1.0',
    sql: 'ALTER TABLE provider_slots ADD COLUMN sealed_webhook_secrets TEXT;',
  },
  {
    // Spans of time; between two of them tilld did not run.
    name: 'connections-of-terminals',
    minWriter: '0.1.0',
    sql: `
      CREATE TABLE terminal_connections (
        seq INTEGER NOT NULL PRIMARY KEY,
        device_id TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('connected', 'not_connected', 'wrong_terminal')),
        since INTEGER NOT NULL,
        until INTEGER NOT NULL,
        reason TEXT
      ) STRICT;
      CREATE INDEX terminal_connections_of_device ON terminal_connections (device_id, seq);
    `,
  },
  {
    // NULL: no retry, or one of a release that did not record it.
    name: 'retries-of-a-payment',
    minWriter: '0.1.0',
    nullColumns: [{ table: 'attempts', column: 'retry_of TEXT' }],
    emptyIndexes: [
      { name: 'attempts_by_retried', table: 'attempts', on: '(retry_of) WHERE retry_of IS NOT NULL' },
    ],
    sql: '',
  },
];
