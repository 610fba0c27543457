import { type Kysely, sql } from 'kysely';

/** Tables of one tenant each: PostgreSQL hides the rows of every other tenant, also from a statement that forgets to ask. */
const OF_A_TENANT = ['shop', 'agent', 'journal_cursor', 'journal', 'alert', 'audit'];

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(ROLE).execute(database);
  await sql.raw(TABLES).execute(database);
  for (const table of OF_A_TENANT) await sql.raw(isolated(table, OWN_ROWS)).execute(database);
  await sql.raw(isolated('invitation', `${OWN_ROWS} OR ${ASKED_BY_CODE}`)).execute(database);
  await sql.raw(INGEST).execute(database);
  await sql.raw(MONTHS).execute(database);
  await sql.raw(RIGHTS).execute(database);
}

const OWN_ROWS = "tenant_id = nullif(current_setting('tilld.tenant', true), '')::uuid";
/** A shop that joins knows its code and no tenant yet. */
const ASKED_BY_CODE = "code_hash = current_setting('tilld.invitation', true)";

const isolated = (table: string, rows: string) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_rows ON ${table} USING (${rows}) WITH CHECK (${rows});`;

/** The role belongs to the cluster, so another hub's database may have made it. */
const ROLE = `
  DO $$ BEGIN
    CREATE ROLE tillhub NOLOGIN NOSUPERUSER NOBYPASSRLS;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END $$;
  GRANT tillhub TO CURRENT_USER;`;

const TABLES = `
  CREATE TABLE tenant (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE shop (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    tenant_id uuid NOT NULL REFERENCES tenant,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tenant_id, name)
  );
  CREATE TABLE invitation (
    code_hash text PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenant,
    shop_id uuid NOT NULL REFERENCES shop,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
  );
  CREATE TABLE agent (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    tenant_id uuid NOT NULL REFERENCES tenant,
    shop_id uuid NOT NULL REFERENCES shop,
    public_key text NOT NULL,
    version text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz,
    revoked_at timestamptz,
    quarantined text,
    epoch text,
    run_id text,
    exchange bigint NOT NULL DEFAULT 0,
    former_run_id text,
    turns int NOT NULL DEFAULT 0,
    clock_offset_ms bigint,
    state jsonb
  );
  CREATE INDEX agent_by_shop ON agent (tenant_id, shop_id);
  COMMENT ON COLUMN agent.public_key IS 'Ed25519, base64url (x of its JWK)';
  COMMENT ON COLUMN agent.quarantined IS 'why it gets no commands';
  COMMENT ON COLUMN agent.exchange IS 'the newest exchange of run_id';
  COMMENT ON COLUMN agent.turns IS 'how often run_id and former_run_id have taken turns: two processes use one state folder';
  CREATE TABLE journal_cursor (
    agent_id uuid NOT NULL REFERENCES agent,
    tenant_id uuid NOT NULL REFERENCES tenant,
    epoch text NOT NULL,
    branch int NOT NULL,
    first_seq bigint NOT NULL,
    next_seq bigint NOT NULL,
    last_hash text NOT NULL,
    began_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (agent_id, epoch, branch)
  );
  COMMENT ON COLUMN journal_cursor.last_hash IS 'of entry next_seq - 1: every row of the branch from first_seq on is proved by it';
  CREATE TABLE journal (
    tenant_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    epoch text NOT NULL,
    branch int NOT NULL,
    seq bigint NOT NULL,
    attempt_id text NOT NULL,
    at bigint NOT NULL,
    event text NOT NULL,
    from_state text NOT NULL,
    to_state text NOT NULL,
    details text NOT NULL,
    hash text NOT NULL,
    received_at timestamptz NOT NULL
  ) PARTITION BY RANGE (received_at);
  CREATE INDEX journal_by_agent ON journal (agent_id, epoch, branch, seq);
  CREATE INDEX journal_by_attempt ON journal (agent_id, attempt_id);
  CREATE TABLE journal_of_no_month PARTITION OF journal DEFAULT;
  COMMENT ON COLUMN journal.at IS 'epoch ms by the clock of the shop';
  CREATE TABLE alert (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    tenant_id uuid NOT NULL REFERENCES tenant,
    agent_id uuid REFERENCES agent,
    kind text NOT NULL,
    details text NOT NULL,
    raised_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz
  );
  CREATE UNIQUE INDEX alert_once ON alert (agent_id, kind) WHERE ended_at IS NULL;
  CREATE TABLE audit (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    tenant_id uuid NOT NULL REFERENCES tenant,
    at timestamptz NOT NULL DEFAULT now(),
    actor text NOT NULL,
    action text NOT NULL,
    details text NOT NULL
  );`;

/**
 * Stores what is new of consecutive entries, each once, and says where to go on. The cursor's row is locked, so a repeated or late request finds what the
 * first one has stored. Entries that contradict stored ones begin a branch: they are kept apart, never dropped. Hashes are checked before the call.
 */
const INGEST = `
  CREATE FUNCTION ingest_journal(
    p_tenant uuid, p_agent uuid, p_epoch text, p_first bigint, p_previous text, p_branches int,
    p_attempts text[], p_at bigint[], p_events text[], p_from text[], p_to text[], p_details text[], p_hashes text[]
  ) RETURNS TABLE (outcome text, branch int, next_seq bigint, stored int) LANGUAGE plpgsql AS $$
  DECLARE
    entries int := cardinality(p_hashes);
    cur journal_cursor;
    behind bigint;
    newest int := -1;
    known int;
  BEGIN
    -- One agent's requests wait for one another, also before its first cursor exists.
    PERFORM 1 FROM agent WHERE id = p_agent FOR UPDATE;
    FOR cur IN SELECT * FROM journal_cursor c WHERE c.agent_id = p_agent AND c.epoch = p_epoch ORDER BY c.branch LOOP
      newest := cur.branch;
      known := cur.next_seq - p_first;
      IF known < 0 THEN
        behind := least(behind, cur.next_seq);
        CONTINUE;
      END IF;
      IF known <= entries THEN
        EXIT WHEN cur.last_hash = CASE WHEN known = 0 THEN p_previous ELSE p_hashes[known] END;
      ELSE
        EXIT WHEN EXISTS (SELECT 1 FROM journal j WHERE j.agent_id = p_agent AND j.epoch = p_epoch AND j.branch = cur.branch
          AND j.seq = p_first + entries - 1 AND j.hash = p_hashes[entries]);
      END IF;
      cur := NULL;
    END LOOP;
    IF cur.agent_id IS NULL OR cur.next_seq < p_first THEN
      IF behind IS NOT NULL THEN
        RETURN QUERY SELECT 'gap', newest, behind, 0;
        RETURN;
      END IF;
      IF newest + 1 >= p_branches THEN
        RETURN QUERY SELECT 'too_many_branches', newest, p_first, 0;
        RETURN;
      END IF;
      INSERT INTO journal_cursor (agent_id, tenant_id, epoch, branch, first_seq, next_seq, last_hash)
        VALUES (p_agent, p_tenant, p_epoch, newest + 1, p_first, p_first, p_previous) RETURNING * INTO cur;
    END IF;
    known := least(cur.next_seq - p_first, entries);
    IF known < entries THEN
      INSERT INTO journal
        SELECT p_tenant, p_agent, p_epoch, cur.branch, p_first + e.no - 1, e.attempt, e.at, e.event, e.from_state, e.to_state, e.details, e.hash, now()
        FROM unnest(p_attempts, p_at, p_events, p_from, p_to, p_details, p_hashes)
          WITH ORDINALITY AS e (attempt, at, event, from_state, to_state, details, hash, no)
        WHERE e.no > known;
      UPDATE journal_cursor c SET next_seq = p_first + entries, last_hash = p_hashes[entries]
        WHERE c.agent_id = p_agent AND c.epoch = p_epoch AND c.branch = cur.branch;
    END IF;
    RETURN QUERY SELECT 'stored', cur.branch, greatest(cur.next_seq, p_first + entries), entries - known;
  END $$;`;

/** Makes the partitions of this month and the next two; several hubs may call it at a time. */
const MONTHS = `
  CREATE FUNCTION make_journal_months() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  DECLARE month date;
  BEGIN
    FOR ahead IN 0..2 LOOP
      month := date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => ahead);
      BEGIN
        EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF journal FOR VALUES FROM (%L) TO (%L)',
          'journal_' || to_char(month, 'YYYY_MM'), month || ' 00:00:00+00', (month + interval '1 month')::date || ' 00:00:00+00');
      EXCEPTION WHEN duplicate_table OR unique_violation THEN NULL;
      END;
    END LOOP;
  END $$;`;

const RIGHTS = `
  GRANT SELECT ON tenant TO tillhub;
  GRANT SELECT, INSERT ON shop, journal, audit TO tillhub;
  GRANT SELECT, INSERT, UPDATE ON invitation, agent, journal_cursor, alert TO tillhub;
  GRANT EXECUTE ON FUNCTION make_journal_months() TO tillhub;`;
