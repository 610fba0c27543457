import { type Kysely, sql } from 'kysely';

/**
 * What raises an alert, and where it goes, are rows of each tenant. Every tenant gets the rules of {@link DEFAULTS}, a later one by a trigger; rules go nowhere until
 * an administrator names destinations.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(database);
  await sql.raw(ALERTS).execute(database);
  await sql.raw(DEFAULTS).execute(database);
  for (const table of OF_A_TENANT) await sql.raw(isolated(table)).execute(database);
  await sql.raw(RIGHTS).execute(database);
}

const OF_A_TENANT = [
  'alert_rule',
  'alert_destination',
  'alert_rule_destination',
  'alert_delivery',
  'alert_beat',
  'agent_condition',
];

const OWN_ROWS = "tenant_id = nullif(current_setting('tilld.tenant', true), '')::uuid";

const isolated = (table: string) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_rows ON ${table} USING (${OWN_ROWS}) WITH CHECK (${OWN_ROWS});`;

const TABLES = `
  CREATE TABLE alert_rule (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    tenant_id uuid NOT NULL REFERENCES tenant,
    name text NOT NULL,
    kind text NOT NULL,
    shops text,
    minutes int NOT NULL,
    severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
    enabled boolean NOT NULL,
    UNIQUE (tenant_id, name)
  );
  COMMENT ON COLUMN alert_rule.shops IS 'names of shops, * for any characters; null: every shop';
  COMMENT ON COLUMN alert_rule.minutes IS 'how long its condition lasts before the alert; 0 for what is found in a request of the agent';
  CREATE TABLE alert_destination (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    tenant_id uuid NOT NULL REFERENCES tenant,
    name text NOT NULL,
    kind text NOT NULL,
    language text NOT NULL,
    url text,
    secret text,
    recipients text[],
    CHECK (CASE kind WHEN 'webhook' THEN url IS NOT NULL AND secret IS NOT NULL AND recipients IS NULL
      WHEN 'email' THEN recipients IS NOT NULL AND url IS NULL AND secret IS NULL ELSE false END),
    UNIQUE (tenant_id, name)
  );
  COMMENT ON COLUMN alert_destination.secret IS 'the key of its signatures, whsec_ and base64; no request reads it';
  CREATE TABLE alert_rule_destination (
    tenant_id uuid NOT NULL REFERENCES tenant,
    rule_id uuid NOT NULL REFERENCES alert_rule ON DELETE CASCADE,
    destination_id uuid NOT NULL REFERENCES alert_destination,
    PRIMARY KEY (rule_id, destination_id)
  );
  CREATE INDEX alert_rule_destination_by_destination ON alert_rule_destination (destination_id);
  CREATE TABLE alert_delivery (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    tenant_id uuid NOT NULL REFERENCES tenant,
    alert_id uuid NOT NULL REFERENCES alert,
    destination_id uuid NOT NULL REFERENCES alert_destination ON DELETE CASCADE,
    event text NOT NULL CHECK (event IN ('raised', 'ended')),
    created_at timestamptz NOT NULL DEFAULT now(),
    attempts int NOT NULL DEFAULT 0,
    next_at timestamptz DEFAULT now(),
    delivered_at timestamptz,
    last_error text,
    UNIQUE (alert_id, destination_id, event)
  );
  CREATE INDEX alert_delivery_due ON alert_delivery (tenant_id, next_at) WHERE next_at IS NOT NULL;
  CREATE INDEX alert_delivery_by_destination ON alert_delivery (destination_id) WHERE delivered_at IS NULL;
  COMMENT ON COLUMN alert_delivery.next_at IS 'when it is tried next; while it is tried, when another hub may; null: it was delivered or given up';
  CREATE TABLE alert_beat (
    tenant_id uuid PRIMARY KEY REFERENCES tenant,
    evaluated_at timestamptz NOT NULL DEFAULT to_timestamp(0),
    listening_since timestamptz NOT NULL DEFAULT now()
  );
  COMMENT ON COLUMN alert_beat.listening_since IS 'since when a hub has evaluated without a pause: no silence before it is the fault of a shop';
  CREATE TABLE agent_condition (
    agent_id uuid NOT NULL REFERENCES agent,
    tenant_id uuid NOT NULL REFERENCES tenant,
    kind text NOT NULL,
    since timestamptz NOT NULL,
    PRIMARY KEY (agent_id, kind)
  );
  CREATE INDEX agent_condition_by_tenant ON agent_condition (tenant_id);
  COMMENT ON TABLE agent_condition IS 'what agents have reported of their shops at every evaluation since';`;

/** A change of a column's type reaches the rows of every tenant, which an UPDATE of the owner would not see. */
const ALERTS = `
  ALTER TABLE agent ADD COLUMN exchanged_at timestamptz;
  ALTER TABLE agent ALTER COLUMN exchanged_at TYPE timestamptz USING seen_at;
  COMMENT ON COLUMN agent.exchanged_at IS 'when its newest exchange came, by the clock of this database';
  ALTER TABLE alert ADD COLUMN rule text, ADD COLUMN severity text, ADD COLUMN since timestamptz;
  ALTER TABLE alert
    ALTER COLUMN rule TYPE text USING kind,
    ALTER COLUMN severity TYPE text USING CASE WHEN kind IN ('journal_contradicts', 'two_processes') THEN 'critical' ELSE 'warning' END,
    ALTER COLUMN since TYPE timestamptz USING raised_at;
  ALTER TABLE alert ALTER COLUMN rule SET NOT NULL, ALTER COLUMN severity SET NOT NULL, ALTER COLUMN since SET NOT NULL;
  COMMENT ON COLUMN alert.since IS 'since when it was so';
  DROP INDEX alert_once;
  CREATE UNIQUE INDEX alert_once ON alert (agent_id, rule, kind) WHERE ended_at IS NULL;
  CREATE INDEX alert_open ON alert (tenant_id) WHERE ended_at IS NULL;`;

/** What was an alert before is one as before; the five conditions are new. The owner of the tables sees no row of a tenant that it does not name. */
const DEFAULTS = `
  CREATE FUNCTION add_default_alert_rules(p_tenant uuid) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
    INSERT INTO alert_rule (tenant_id, name, kind, minutes, severity, enabled)
      SELECT p_tenant, kind, kind, minutes, severity, true FROM (VALUES
        ('journal_contradicts', 0, 'critical'), ('two_processes', 0, 'critical'), ('journal_damaged', 0, 'warning'), ('clock_wrong', 0, 'warning'),
        ('silent', 30, 'warning'), ('cannot_sell', 10, 'critical'), ('cannot_report', 60, 'warning'), ('not_fresh', 1440, 'warning'),
        ('in_doubt', 15, 'critical')) AS standard (kind, minutes, severity);
    INSERT INTO alert_beat (tenant_id) VALUES (p_tenant) $$;
  SELECT add_default_alert_rules(id) FROM tenant;
  CREATE FUNCTION begin_alerts_of_tenant() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  DECLARE
    before text := coalesce(current_setting('tilld.tenant', true), '');
  BEGIN
    PERFORM set_config('tilld.tenant', NEW.id::text, true);
    PERFORM add_default_alert_rules(NEW.id);
    PERFORM set_config('tilld.tenant', before, true);
    RETURN NULL;
  END $$;
  CREATE TRIGGER begin_alerts AFTER INSERT ON tenant FOR EACH ROW EXECUTE FUNCTION begin_alerts_of_tenant();`;

const RIGHTS = `
  GRANT SELECT, INSERT, UPDATE, DELETE ON alert_rule, alert_destination, alert_rule_destination TO tillhub;
  GRANT SELECT, INSERT, UPDATE ON alert_delivery TO tillhub;
  GRANT SELECT, UPDATE ON alert_beat TO tillhub;
  GRANT SELECT, INSERT, DELETE ON agent_condition TO tillhub;`;
