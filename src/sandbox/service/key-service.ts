import { z } from 'zod';
import { isAddressOrRange } from './address-list.ts';
import type { ApiKeyRecord } from './api-key-records.ts';
import type { ApiKeys } from './api-keys.ts';
import { parseBody } from './errors.ts';
import type { Ledger } from './ledger.ts';
import { iso, type ServiceClock } from './service-clock.ts';

const HOUR_MS = 3_600_000;
const STALE_MS = 90 * 24 * HOUR_MS;
const SCOPES = [
  ...['customers', 'products', 'subscriptions', 'invoices', 'webhooks', 'payments', 'settings'].flatMap(
    (area) => [`${area}:read`, `${area}:write`],
  ),
  'checkout:write',
  'finance:read',
];

const CreateBody = z.strictObject({
  name: z.string().min(1).max(100).default('unnamed'),
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
  allow: z
    .array(z.string().refine(isAddressOrRange, 'must be an IP address or a CIDR range'))
    .max(100)
    .default([]),
  expires_in_s: z.int().min(1).max(315_360_000).optional(),
});

const RollBody = z.strictObject({ overlap_hours: z.number().min(0).max(168).default(24) });

/** All fields of a key except its text. */
export type KeyView = Readonly<Record<string, unknown>>;

/**
 * The API keys of the merchant's dashboard; the interface has no operation for them.
 * Bodies are checked here: every method that takes `unknown` throws a refusal (400) for an invalid one.
 */
export class KeyService {
  readonly #keys: ApiKeys;
  readonly #ledger: Ledger;
  readonly #clock: ServiceClock;

  constructor(keys: ApiKeys, ledger: Ledger, clock: ServiceClock) {
    this.#keys = keys;
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /** All keys, oldest first, or the active ones that were unused for 90 days or more. */
  list(only: 'all' | 'stale' = 'all'): readonly KeyView[] {
    const keys = [...this.#ledger.apiKeys.values()];
    return (only === 'all' ? keys : keys.filter((record) => this.#isStale(record))).map((record) =>
      this.#view(record),
    );
  }

  /** `{scopes, name?, allow?, expires_in_s?}`; the only answer that shows the new key, as `key`. */
  create(body: unknown): KeyView {
    const { expires_in_s, scopes, ...terms } = parseBody(CreateBody, body);
    const expiresAt = expires_in_s === undefined ? null : this.#clock.now() + expires_in_s * 1000;
    const { record, text } = this.#keys.create({ ...terms, scopes: [...new Set(scopes)], expiresAt });
    this.#ledger.commit();
    return { ...this.#view(record), key: text };
  }

  /** `{overlap_hours?}`, 0–168, default 24; returns the new key. @throws Refusal 400, 404. */
  roll(id: string, body: unknown): KeyView {
    const { overlap_hours } = parseBody(RollBody, body);
    const { record, text } = this.#keys.roll(id, Math.round(overlap_hours * HOUR_MS));
    this.#ledger.commit();
    return { ...this.#view(record), key: text };
  }

  /** At once and permanently. @throws Refusal 404. */
  revoke(id: string): KeyView {
    const record = this.#keys.revoke(id);
    this.#ledger.commit();
    return this.#view(record);
  }

  /** The audit trail, oldest first. */
  audit(): readonly KeyView[] {
    return [...this.#ledger.keyEvents.values()].map(({ id, type, keyId, at }) => ({
      id,
      type,
      key_id: keyId,
      at: iso(at),
    }));
  }

  #view(record: ApiKeyRecord): KeyView {
    return {
      id: record.id,
      object: 'api_key',
      name: record.name,
      scopes: record.scopes,
      allow: record.allow,
      status: this.#keys.stateOf(record),
      created_at: iso(record.createdAt),
      expires_at: iso(record.expiresAt),
      revoked_at: iso(record.revokedAt),
      overlap_ends_at: iso(record.overlapEndsAt),
      replaced_by: record.replacedBy,
      last_used_at: iso(record.lastUsedAt),
      stale: this.#isStale(record),
    };
  }

  #isStale(record: ApiKeyRecord): boolean {
    const state = this.#keys.stateOf(record);
    const since = record.lastUsedAt ?? record.createdAt;
    return (state === 'active' || state === 'overlap') && this.#clock.now() - since >= STALE_MS;
  }
}
