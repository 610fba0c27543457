import type { Scope } from './contract/key.ts';
import type { Health, Status } from './contract/status.ts';
import type { Sample } from './metrics/families.ts';

/**
 * An API key as it is kept: hashes, never the key. Its id stays when it is rolled, and everything that belongs to it: name, scopes,
 * addresses, idempotency keys, rate limit. Instants in epoch milliseconds UTC.
 */
export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the newest secret (the whole key text), 64 lower-case hex digits. */
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** IP addresses or CIDR ranges it may be used from; empty: any. */
  readonly allow: readonly string[];
  readonly lastUsedAt: number | null;
  /** When the secret before the newest one ends, or ended; null: there was none, or it was ended at once. */
  readonly overlapEndsAt: number | null;
}

/** A key, and which of its secrets was asked for. */
export interface FoundKey {
  readonly record: ApiKeyRecord;
  /** `endsAt`: null for the newest one; 0 for one that was ended at once. */
  readonly secret: { readonly hash: string; readonly endsAt: number | null };
}

export type KeyEvent = 'created' | 'rolled' | 'revoked';

/** What was done to a key, and by whom; written in the transaction that does it, never changed. */
export interface KeyAuditEntry {
  readonly keyId: string;
  readonly at: number;
  readonly event: KeyEvent;
  /** How it was asked for: the caller's id. */
  readonly caller: string;
  /** Who says to have done it; null: nobody was named. */
  readonly by: string | null;
  /** `rolled`: when the secret before ends; null: at once. */
  readonly overlapEndsAt: number | null;
}

/** Where API keys live; synchronous like every store. @throws STORAGE_FULL, STORAGE_FAILED; then nothing is written */
export interface ApiKeyStore {
  insert(record: ApiKeyRecord, audit: KeyAuditEntry): void;
  byHash(hash: string): FoundKey | null;
  find(id: string): ApiKeyRecord | null;
  /** A new secret takes the place of the newest one, which lives on until `audit.overlapEndsAt`; every older one ends now. */
  roll(id: string, hash: string, audit: KeyAuditEntry): void;
  /** For good, whatever any clock says later. */
  revoke(id: string, audit: KeyAuditEntry): void;
  /** Notes that the key was used; called at most once a minute per key. */
  touch(id: string, at: number): void;
  /** Every key, newest first. */
  list(): readonly ApiKeyRecord[];
  /** What was done to one key, newest first. */
  audit(id: string): readonly KeyAuditEntry[];
}

export interface StreamFreshness {
  readonly provider: string;
  readonly resource: string;
  readonly seconds: number | null;
}

/** How the daemon is doing. */
export interface StatusSource {
  status(): Status;
  health(): Health;
  /** Figures for `/metrics`; what is left out is not shown. */
  metrics(): readonly Sample[];
}

/** What hears the service's webhooks; the signature is their only credential. */
export interface ServiceHooks {
  /**
   * @param signature the header `X-Service-Signature`
   * @param body the bytes that were signed
   * @throws HOOK_SECRET_MISSING, HOOK_SIGNATURE_MISSING, HOOK_SIGNATURE_INVALID, HOOK_TIMESTAMP_INVALID, HOOK_UNREADABLE
   */
  heard(signature: string | undefined, body: Uint8Array): void;
}

/** An answer that was given under an idempotency key to a request that is no payment. */
export interface KeptAnswer {
  readonly caller: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly requestId: string;
  readonly status: number;
  /** The bytes that were sent, as text. */
  readonly body: string;
  /** Epoch ms. */
  readonly keptAt: number;
}

/**
 * Where those answers live; synchronous. Answers about payments are kept with their attempts instead, for as long as those.
 */
export interface AnswerStore {
  /** Runs the work and keeps the answer that it gives, in one transaction. @throws STORAGE_FULL, STORAGE_FAILED; then nothing is written */
  once(work: () => KeptAnswer): KeptAnswer;
  find(caller: string, key: string): KeptAnswer | null;
  /** Forgets at most 1000 answers that were kept before an instant; gives their number. */
  forgetBefore(at: number): number;
}
