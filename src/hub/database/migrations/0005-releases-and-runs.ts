import { type Kysely, sql } from 'kysely';

/** An agent may leave its quarantine; what was released, and the name of the operator, is added and never changed. The newest exchange of every process is kept. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(database);
  for (const table of ['agent_release', 'agent_run']) await sql.raw(isolated(table)).execute(database);
  await sql.raw(RIGHTS).execute(database);
}

const OWN_ROWS = "tenant_id = nullif(current_setting('tilld.tenant', true), '')::uuid";

const isolated = (table: string) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_rows ON ${table} USING (${OWN_ROWS}) WITH CHECK (${OWN_ROWS});`;

const TABLES = `
  CREATE TABLE agent_release (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenant,
    agent_id uuid NOT NULL REFERENCES agent,
    released_at timestamptz NOT NULL,
    actor text NOT NULL,
    reason text NOT NULL,
    quarantined text NOT NULL,
    epoch text NOT NULL,
    branch int NOT NULL,
    seq bigint NOT NULL,
    hash text NOT NULL
  );
  CREATE INDEX agent_release_by_agent ON agent_release (agent_id, epoch, id);
  COMMENT ON COLUMN agent_release.quarantined IS 'why it got no commands until then';
  COMMENT ON COLUMN agent_release.branch IS 'the history of the epoch that its shop goes on with';
  COMMENT ON COLUMN agent_release.seq IS 'the entry from which on that history is trusted, with its hash; 0: there is none yet';
  CREATE TABLE agent_run (
    agent_id uuid NOT NULL REFERENCES agent,
    tenant_id uuid NOT NULL REFERENCES tenant,
    run_id text NOT NULL,
    exchange bigint NOT NULL,
    PRIMARY KEY (agent_id, run_id)
  );
  COMMENT ON COLUMN agent_run.exchange IS 'the newest exchange of this process: it and earlier ones are not taken again';
  -- The owner is no superuser: the rows of all tenants are hidden from it, too.
  ALTER TABLE agent NO FORCE ROW LEVEL SECURITY;
  INSERT INTO agent_run (agent_id, tenant_id, run_id, exchange)
    SELECT id, tenant_id, run_id, exchange FROM agent WHERE run_id IS NOT NULL;
  ALTER TABLE agent FORCE ROW LEVEL SECURITY;`;

const RIGHTS = `
  GRANT SELECT, INSERT ON agent_release TO tillhub;
  GRANT SELECT, INSERT, UPDATE ON agent_run TO tillhub;`;
