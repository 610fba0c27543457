import type { Scope } from './contract/key.ts';
import type { Health, Status } from './contract/status.ts';

/** An API key as it is kept: the hash, never the key. Instants in epoch milliseconds UTC. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the whole key text, 64 lower-case hex digits. */
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** IP addresses or CIDR ranges it may be used from; empty: any. */
  readonly allow: readonly string[];
  readonly lastUsedAt: number | null;
}

/** Where API keys live; synchronous like every store. */
export interface ApiKeyStore {
  insert(record: ApiKeyRecord): void;
  byHash(hash: string): ApiKeyRecord | null;
  /** Notes that the key was used; called at most once a minute per key. */
  touch(id: string, at: number): void;
  /** Every key, newest first. */
  list(): readonly ApiKeyRecord[];
}

/** How the daemon is doing. */
export interface StatusSource {
  status(): Status;
  health(): Health;
  /** Figures for `/metrics`; what is left out is not shown. */
  metrics?(): { readonly unknownOutcomes?: number; readonly oldestUnreportedSeconds?: number };
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
