import { type Kysely, sql } from 'kysely';

/** Commands as operators signed them: the hub keeps them, and can make none. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(COMMAND).execute(database);
}

const COMMAND = `
  CREATE TABLE command (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenant,
    agent_id uuid NOT NULL REFERENCES agent,
    operator text NOT NULL,
    kind text NOT NULL,
    envelope text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    state text,
    details text,
    ended_at timestamptz
  );
  CREATE INDEX command_open ON command (agent_id, created_at) WHERE state IS NULL;
  COMMENT ON COLUMN command.state IS 'what became of it at the shop; null: not known yet';
  ALTER TABLE command ENABLE ROW LEVEL SECURITY;
  ALTER TABLE command FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_rows ON command USING (tenant_id = nullif(current_setting('tilld.tenant', true), '')::uuid)
    WITH CHECK (tenant_id = nullif(current_setting('tilld.tenant', true), '')::uuid);
  GRANT SELECT, INSERT, UPDATE ON command TO tillhub;`;
