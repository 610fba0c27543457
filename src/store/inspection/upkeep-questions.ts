import { z } from 'zod';
import type { Readable } from '../read-only-database.ts';

const Endpoint = z.object({ id: z.string(), url: z.string(), status: z.string() });
const Delivery = z.object({
  failed: z.int(),
  waiting: z.int(),
  oldestAt: z.int().nullable(),
  error: z.string().nullable(),
});
const Key = z.object({ id: z.string(), name: z.string(), expiresAt: z.int() });
const Integration = z.object({
  integration: z.string(),
  isActive: z.int(),
  pausedFor: z.string().nullable(),
  hasCredentials: z.int(),
  unmapped: z.int(),
  lastError: z.string().nullable(),
  isEnabled: z.int(),
});
const IntegrationError = z.object({
  integration: z.string(),
  resource: z.string(),
  count: z.int(),
  cause: z.string(),
  message: z.string(),
  at: z.int(),
});
const PausedStream = z.object({ integration: z.string(), resource: z.string(), message: z.string() });
const RefusedPayments = z.object({ provider: z.string(), count: z.int(), error: z.string().nullable() });
const WebhookSecret = z.object({
  slot: z.string(),
  sealed_webhook_secrets: z.string().nullable().default(null),
});
const First = z.object({ at: z.int() });
const Count = z.object({ count: z.int() });

/** An endpoint that receives the shop's events. */
export type KnownEndpoint = z.infer<typeof Endpoint>;
export type KnownIntegration = z.infer<typeof Integration>;

export function endpointsIn(database: Readable): readonly KnownEndpoint[] {
  return database
    .all('SELECT id, url, status FROM webhook_endpoints ORDER BY seq')
    .map((row) => Endpoint.parse(row));
}

/** Of one endpoint: the deliveries that failed for good since an instant, the newest one's reason, and the pending ones. */
export function deliveriesIn(database: Readable, endpoint: string, since: number): z.infer<typeof Delivery> {
  const sql = `SELECT count(*) FILTER (WHERE state = 'failed' AND ended_at >= ?) AS failed, count(*) FILTER (WHERE state = 'pending') AS waiting,
    min(created_at) FILTER (WHERE state = 'pending') AS oldestAt,
    (SELECT last_error FROM webhook_deliveries WHERE endpoint_id = ? AND last_error IS NOT NULL ORDER BY seq DESC LIMIT 1) AS error
    FROM webhook_deliveries WHERE endpoint_id = ?`;
  return Delivery.parse(database.get(sql, since, endpoint, endpoint));
}

/** Keys of tills that end before an instant and are not revoked. */
export function endingKeysIn(database: Readable, before: number): readonly z.infer<typeof Key>[] {
  const sql = `SELECT id, name, expires_at AS expiresAt FROM api_keys
    WHERE revoked_at IS NULL AND expires_at IS NOT NULL AND expires_at < ? ORDER BY expires_at`;
  return database.all(sql, before).map((row) => Key.parse(row));
}

/** The provider integrations, what pauses each, and its newest failure. */
export function integrationsIn(database: Readable): readonly KnownIntegration[] {
  const sql = `SELECT slot AS integration, is_active AS isActive, is_enabled AS isEnabled, paused_for AS pausedFor, sealed_credentials IS NOT NULL AS hasCredentials,
    (SELECT count(*) FROM product_mappings m WHERE m.slot = s.slot AND internal_id IS NULL AND is_ignored = 0) AS unmapped,
    (SELECT message FROM slot_errors e WHERE e.slot = s.slot ORDER BY at DESC LIMIT 1) AS lastError
    FROM provider_slots s ORDER BY slot`;
  return database.all(sql).map((row) => Integration.parse(row));
}

/** The resources of an integration whose last run failed. */
export function errorsIn(
  database: Readable,
  integration: string,
): readonly z.infer<typeof IntegrationError>[] {
  const sql =
    'SELECT slot AS integration, resource, failures AS count, cause, message, at FROM slot_errors WHERE slot = ?';
  return database.all(sql, integration).map((row) => IntegrationError.parse(row));
}

/** Streams of active integrations that a failure of this cause has paused, and its words. */
export function pausedStreamsIn(database: Readable, cause: string): readonly z.infer<typeof PausedStream>[] {
  const sql = `SELECT e.slot AS integration, resource, message FROM slot_errors e JOIN provider_slots s ON s.slot = e.slot
    WHERE cause = ? AND is_active = 1 ORDER BY e.slot, resource`;
  return database.all(sql, cause).map((row) => PausedStream.parse(row));
}

/** Payments that a provider refused to record: how many of each, and why the newest was. A database of an earlier release has none. */
export function refusedPaymentsIn(database: Readable): readonly z.infer<typeof RefusedPayments>[] {
  const hasTable = "SELECT count(*) AS count FROM sqlite_schema WHERE name = 'provider_payments'";
  if (Count.parse(database.get(hasTable)).count === 0) return [];
  const sql = `SELECT provider, count(*) AS count, last_error AS error, max(ended_at) FROM provider_payments
    WHERE state = 'refused' GROUP BY provider ORDER BY provider`;
  return database.all(sql).map((row) => RefusedPayments.parse(row));
}

/** Providers whose webhooks have a secret. A database of an earlier release has none. */
export function webhookSecretsIn(database: Readable): readonly string[] {
  const rows = database
    .all('SELECT * FROM provider_slots ORDER BY slot')
    .map((row) => WebhookSecret.parse(row));
  return rows.filter((row) => row.sealed_webhook_secrets !== null).map(({ slot }) => slot);
}

/** Whether the database holds anything that only the sealing key opens. */
export function hasSealedIn(database: Readable): boolean {
  if (webhookSecretsIn(database).length > 0) return true;
  const sql = `SELECT (SELECT count(*) FROM webhook_endpoints) + (SELECT count(*) FROM provider_slots WHERE sealed_credentials IS NOT NULL) AS count`;
  return Count.parse(database.get(sql)).count > 0;
}

/** When the oldest payment was started; null: there is none. */
export function firstPaymentAt(database: Readable): number | null {
  const row = database.get('SELECT created_at AS at FROM attempts ORDER BY seq LIMIT 1');
  return row === undefined ? null : First.parse(row).at;
}
