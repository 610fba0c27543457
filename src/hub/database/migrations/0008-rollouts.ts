import { type Kysely, sql } from 'kysely';

/** Settings for many shops, ring by ring: the commands are there from the start, and handed over one after another. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(database);
  for (const table of ['rollout', 'rollout_target']) await sql.raw(isolated(table)).execute(database);
  await sql.raw(HELD).execute(database);
  await sql.raw(LOCK).execute(database);
  await sql.raw(RULE).execute(database);
}

const OWN_ROWS = "tenant_id = nullif(current_setting('tilld.tenant', true), '')::uuid";

const isolated = (table: string) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_rows ON ${table} USING (${OWN_ROWS}) WITH CHECK (${OWN_ROWS});
  GRANT SELECT, INSERT, UPDATE ON ${table} TO tillhub;`;

const TABLES = `
  CREATE TABLE rollout (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    tenant_id uuid NOT NULL REFERENCES tenant,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    created_by text NOT NULL,
    ring_percents int[] NOT NULL,
    ring_minutes int[] NOT NULL,
    most_failures int,
    state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'running', 'paused', 'done', 'stopped')),
    paused_by text,
    ring int NOT NULL DEFAULT 0,
    ring_ended_at timestamptz,
    UNIQUE (tenant_id, name)
  );
  COMMENT ON COLUMN rollout.ring_percents IS 'the part of its shops that each ring reaches, with those before; the last is 100';
  COMMENT ON COLUMN rollout.ring_minutes IS 'the pause behind each ring';
  COMMENT ON COLUMN rollout.most_failures IS 'null: 2 percent of the shops that its rings have reached, no more than have kept the settings, 5 at least';
  COMMENT ON COLUMN rollout.paused_by IS 'an operator, or failures; null: it is not paused';
  COMMENT ON COLUMN rollout.ring IS 'from 0 on: commands of later rings are not handed over';
  COMMENT ON COLUMN rollout.ring_ended_at IS 'when nothing of the ring was in work first; null: something is';
  CREATE TABLE rollout_target (
    command_id uuid PRIMARY KEY REFERENCES command,
    tenant_id uuid NOT NULL REFERENCES tenant,
    rollout_id uuid NOT NULL REFERENCES rollout,
    agent_id uuid NOT NULL REFERENCES agent,
    revision bigint NOT NULL,
    position int NOT NULL,
    ring int,
    started_at timestamptz,
    handed_at timestamptz,
    excused boolean NOT NULL DEFAULT false,
    ended_at timestamptz,
    outcome text,
    details text,
    UNIQUE (rollout_id, position)
  );
  COMMENT ON COLUMN rollout_target.started_at IS 'since when its agent may have the command';
  COMMENT ON COLUMN rollout_target.handed_at IS 'when its agent was given the command first';
  COMMENT ON COLUMN rollout_target.excused IS 'an operator has seen this failure and resumed after it';
  CREATE UNIQUE INDEX rollout_target_open ON rollout_target (agent_id) WHERE ended_at IS NULL;`;

/** A hub of a release before knows no turns: it sees no command that has one, so that it hands none over beside this hub. */
const HELD = `
  ALTER TABLE command ADD COLUMN of_rollout boolean NOT NULL DEFAULT false;
  COMMENT ON COLUMN command.of_rollout IS 'it is handed over when rollout_target says so';
  CREATE POLICY of_rollouts ON command AS RESTRICTIVE USING (NOT of_rollout OR current_setting('tilld.rollouts', true) = 'on');`;

/** A rollout of thousands of shops is made in one transaction, which keeps the ids of their agents: no journal waits for its end. */
const LOCK = `
  DO $$ BEGIN
    EXECUTE replace(pg_get_functiondef('ingest_journal'::regproc), 'WHERE id = p_agent FOR UPDATE', 'WHERE id = p_agent FOR NO KEY UPDATE');
  END $$;`;

/** The owner of the tables sees the rows of the tenant alone that it names. */
const RULE = `
  DO $$
  DECLARE
    one uuid;
  BEGIN
    FOR one IN SELECT id FROM tenant LOOP
      PERFORM set_config('tilld.tenant', one::text, true);
      INSERT INTO alert_rule (tenant_id, name, kind, minutes, severity, enabled)
        VALUES (one, 'rollout_paused', 'rollout_paused', 0, 'warning', true) ON CONFLICT (tenant_id, name) DO NOTHING;
    END LOOP;
    PERFORM set_config('tilld.tenant', '', true);
  END $$;
  CREATE OR REPLACE FUNCTION add_default_alert_rules(p_tenant uuid) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
    INSERT INTO alert_rule (tenant_id, name, kind, minutes, severity, enabled)
      SELECT p_tenant, kind, kind, minutes, severity, true FROM (VALUES
        ('journal_contradicts', 0, 'critical'), ('two_processes', 0, 'critical'), ('journal_damaged', 0, 'warning'), ('clock_wrong', 0, 'warning'),
        ('silent', 30, 'warning'), ('cannot_sell', 10, 'critical'), ('cannot_report', 60, 'warning'), ('not_fresh', 1440, 'warning'),
        ('in_doubt', 15, 'critical'), ('rollout_paused', 0, 'warning')) AS standard (kind, minutes, severity);
    INSERT INTO alert_beat (tenant_id) VALUES (p_tenant) $$;`;
