import { createHash, randomBytes } from 'node:crypto';
import type { Ids } from '../../base/ids.ts';
import type { ApiKeyRecord, KeyEventRecord } from './api-key-records.ts';
import { notFound, refuse } from './errors.ts';
import type { Ledger } from './ledger.ts';
import type { ServiceClock } from './service-clock.ts';
import { LIMITS, type SandboxKey } from './settings.ts';

/** Keys of this environment; `rk_live_` keys belong to another one. */
const FORM = /^rk_sandbox_[\w-]{1,200}$/;
const TOUCH_EVERY_MS = 60_000;
/** A key's id is derived from its hash, so that a key of the settings has the same id after every start. */
const NAMESPACE = '5f0c1d9e-3f0a-5d6b-9a6e-6d1b1c3f7a10';

/** Scopes, allowed addresses and expiry of a key. */
export type KeyTerms = Pick<ApiKeyRecord, 'name' | 'scopes' | 'allow' | 'expiresAt'>;

/** A new key: the only time its text is known. */
export interface NewKey {
  readonly record: ApiKeyRecord;
  readonly text: string;
}

/** State of a key. `overlap`: rolled, but still accepted. */
export type KeyState = 'active' | 'overlap' | 'expired' | 'revoked';

/**
 * The API keys of the merchant's account.
 *
 * INVARIANTS:
 * - the text of a key is returned once and never stored, only its hash;
 * - a key that was revoked, or whose overlap has ended, is never accepted again, whatever the settings say;
 * - every key created, rolled or revoked adds a line to the audit trail.
 */
export class ApiKeys {
  readonly #ledger: Ledger;
  readonly #clock: ServiceClock;
  readonly #ids: Ids;
  /** Hash → id. A partly guessed digest does not lead to a key, so the lookup needs no constant time. */
  readonly #byHash = new Map<string, string>();

  constructor(ledger: Ledger, clock: ServiceClock, ids: Ids) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Loads the keys of the settings; their state from an earlier run stays. */
  configure(configured: readonly SandboxKey[]): void {
    const wanted = new Map(
      configured.filter(({ key }) => FORM.test(key)).map((one) => [hashOf(one.key), one]),
    );
    for (const record of this.#ledger.apiKeys.values()) {
      if (record.configured && !wanted.has(record.hash)) this.#ledger.apiKeys.delete(record.id);
      else this.#byHash.set(record.hash, record.id);
    }
    for (const [hash, key] of wanted) this.#configure(hash, key);
  }

  /** The key with this text, whatever its state. */
  find(text: string): ApiKeyRecord | undefined {
    if (!FORM.test(text)) return undefined;
    return this.#ledger.apiKeys.get(this.#byHash.get(hashOf(text)) ?? '');
  }

  /** Records a use, to the minute. @returns true when there is something to commit. */
  touch(record: ApiKeyRecord): boolean {
    const now = this.#clock.now();
    if (record.lastUsedAt !== null && Math.abs(now - record.lastUsedAt) < TOUCH_EVERY_MS) return false;
    this.#ledger.apiKeys.set(record.id, { ...record, lastUsedAt: now });
    return true;
  }

  stateOf({ revokedAt, expiresAt, overlapEndsAt }: ApiKeyRecord): KeyState {
    const now = this.#clock.now();
    if (revokedAt !== null) return 'revoked';
    if (Math.min(expiresAt ?? Infinity, overlapEndsAt ?? Infinity) <= now) return 'expired';
    return overlapEndsAt === null ? 'active' : 'overlap';
  }

  /** The caller commits. @throws Refusal 400 when there are too many. */
  create(terms: KeyTerms): NewKey {
    this.#makeRoom();
    const text = `rk_sandbox_${randomBytes(24).toString('hex')}`;
    return { record: this.#add(hashOf(text), terms, false), text };
  }

  /** Creates a key with the same terms; the old one is accepted until the overlap ends. @throws Refusal 404, 400 `invalid_status`. */
  roll(id: string, overlapMs: number): NewKey {
    const old = this.#get(id);
    const state = this.stateOf(old);
    if (state !== 'active') {
      const details = { status: state };
      throw refuse(400, 'invalid_status', `A key that is ${state} cannot be rolled.`, { details });
    }
    const made = this.create(old);
    this.#ledger.apiKeys.set(old.id, {
      ...old,
      overlapEndsAt: this.#clock.now() + overlapMs,
      replacedBy: made.record.id,
    });
    this.#audit('rolled', old.id);
    return made;
  }

  /** At once and permanently; a second call changes nothing. @throws Refusal 404. */
  revoke(id: string): ApiKeyRecord {
    const record = this.#get(id);
    if (record.revokedAt !== null) return record;
    const revoked = { ...record, revokedAt: this.#clock.now() };
    this.#ledger.apiKeys.set(id, revoked);
    this.#audit('revoked', id);
    return revoked;
  }

  #configure(hash: string, { scopes, allow = [], expiresAt, revoked }: SandboxKey): void {
    const terms = {
      name: 'configured',
      scopes: [...scopes],
      allow: [...allow],
      expiresAt: expiresAt ?? null,
    };
    const known = this.#ledger.apiKeys.get(this.#byHash.get(hash) ?? '') ?? this.#add(hash, terms, true);
    const revokedAt = known.revokedAt ?? (revoked ? this.#clock.now() : null);
    this.#ledger.apiKeys.set(known.id, { ...known, ...terms, name: known.name, revokedAt });
  }

  #add(hash: string, { name, scopes, allow, expiresAt }: KeyTerms, configured: boolean): ApiKeyRecord {
    const record: ApiKeyRecord = {
      id: this.#ids.nameBased(NAMESPACE, hash),
      hash,
      name,
      scopes,
      allow,
      configured,
      createdAt: this.#clock.now(),
      expiresAt,
      revokedAt: null,
      overlapEndsAt: null,
      replacedBy: null,
      lastUsedAt: null,
    };
    this.#ledger.apiKeys.set(record.id, record);
    this.#byHash.set(hash, record.id);
    this.#audit('created', record.id);
    return record;
  }

  /** Drops a key that has ended; it is then unknown instead of revoked or expired. */
  #makeRoom(): void {
    const keys = this.#ledger.apiKeys;
    for (const record of keys.values()) {
      if (keys.size < LIMITS.apiKeys) return;
      const state = this.stateOf(record);
      if (record.configured || state === 'active' || state === 'overlap') continue;
      keys.delete(record.id);
      this.#byHash.delete(record.hash);
    }
    if (keys.size >= LIMITS.apiKeys)
      throw refuse(400, 'validation_error', `At most ${LIMITS.apiKeys} API keys.`);
  }

  #audit(type: KeyEventRecord['type'], keyId: string): void {
    const last = [...this.#ledger.keyEvents.keys()].at(-1);
    const id = String(Number(last ?? 0) + 1);
    this.#ledger.keyEvents.set(id, { id, type, keyId, at: this.#clock.now() });
  }

  #get(id: string): ApiKeyRecord {
    const record = this.#ledger.apiKeys.get(id.toLowerCase());
    if (!record) throw notFound('API key');
    return record;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
