import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(database);
  await sql
    .raw(isolated('operator', "token_hash = current_setting('tilld.operator_token', true)"))
    .execute(database);
  await sql
    .raw(isolated('operator_session', "session_hash = current_setting('tilld.operator_session', true)"))
    .execute(database);
  await sql.raw(RIGHTS).execute(database);
}

const OWN_ROWS = "tenant_id = nullif(current_setting('tilld.tenant', true), '')::uuid";

/** Who signs in shows a secret and knows no tenant yet: that one row is visible, and none can be written by it. */
const isolated = (table: string, shown: string) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_rows ON ${table} USING (${OWN_ROWS}) WITH CHECK (${OWN_ROWS});
  CREATE POLICY shown_secret ON ${table} FOR SELECT USING (${shown});`;

const TABLES = `
  CREATE TABLE operator (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    tenant_id uuid NOT NULL REFERENCES tenant,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
    token_hash text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tenant_id, name)
  );
  COMMENT ON COLUMN operator.token_hash IS 'SHA-256, hex';
  CREATE TABLE operator_session (
    session_hash text PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenant,
    operator_id uuid NOT NULL REFERENCES operator ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX operator_session_by_operator ON operator_session (operator_id);
  CREATE INDEX journal_by_receipt ON journal (tenant_id, received_at);
  CREATE INDEX alert_by_time ON alert (tenant_id, raised_at, id);
  CREATE INDEX audit_by_time ON audit (tenant_id, at, id);`;

const RIGHTS = `
  GRANT SELECT, INSERT, DELETE ON operator, operator_session TO tillhub;`;
