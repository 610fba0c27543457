import type { Scope } from './contract/key.ts';
import type { Role } from './contract/session.ts';
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

/** A file of the pages as it is served. */
export interface PageFile {
  /** `/console/app/main.js` */
  readonly path: string;
  readonly mediaType: string;
  readonly text: string;
  /** `"…"`, of the text. */
  readonly etag: string;
  /** Its Content-Security-Policy. */
  readonly policy: string;
}

/** Somebody who is signed in at the pages. Instants in epoch milliseconds UTC. */
export interface PageSession {
  readonly id: string;
  /** SHA-256 of both halves of its secret, 64 lower-case hex digits. */
  readonly hash: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Where sessions live; synchronous like every store. @throws STORAGE_FULL, STORAGE_FAILED; then nothing is written */
export interface PageSessionStore {
  /** Forgets what has expired, and the oldest beyond 256. */
  insert(session: PageSession): void;
  byHash(hash: string): PageSession | null;
  end(id: string): void;
}

/** What the pages stand on. */
export interface PagePorts {
  readonly files: readonly PageFile[];
  readonly sessions: PageSessionStore;
  /** absent: the pages of operations and of virtual terminals have nothing to show. */
  readonly ops?: OpsPorts;
}

/** What the pages show beyond the interface of tills. */
export interface OpsPorts {
  readonly log: LogTail;
  readonly series: SeriesSource;
  readonly doctor: Doctor;
  /** null: there are none. */
  readonly virtualTerminals: VirtualTerminals | null;
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** A line of the daemon's own log, card numbers and credentials masked. */
export interface LoggedLine {
  readonly id: string;
  readonly level: LogLevel;
  /** One JSON object. */
  readonly text: string;
}

/** The newest lines of the log, as long as the process lives. */
export interface LogTail {
  /** The newest `limit` lines behind `after`, oldest first, of `least` and worse. */
  tail(asked: {
    readonly after: string | null;
    readonly least: LogLevel;
    readonly limit: number;
  }): readonly LoggedLine[];
}

/** What became of the payments that were created in one stretch of time. Epoch ms, ms. */
export interface PaymentPoint {
  readonly at: number;
  readonly succeeded: number;
  readonly declined: number;
  readonly cancelled: number;
  /** Errors, and what is still open or in doubt. */
  readonly other: number;
  /** From the creation to the outcome; null: none had one. `slowMs`: 95 of 100 were faster. */
  readonly medianMs: number | null;
  readonly slowMs: number | null;
}

/** The sync runs that ended in one stretch of time. Epoch ms, ms. */
export interface SyncPoint {
  readonly at: number;
  readonly runs: number;
  readonly failed: number;
  readonly read: number;
  readonly written: number;
  readonly longestMs: number;
}

/** Figures over time. Stretches in which nothing was are left out. @throws STORAGE_FAILED */
export interface SeriesSource {
  payments(since: number, bucketMs: number): readonly PaymentPoint[];
  syncs(since: number, bucketMs: number): readonly SyncPoint[];
}

/** One thing that was examined; `why` and `fix` where something is wrong. */
export interface DoctorFinding {
  readonly id: string;
  readonly level: 'ok' | 'warn' | 'fail';
  readonly what: string;
  readonly why: string | null;
  readonly fix: string | null;
}

/** The newest examination; epoch ms. `failure`: it could not be done. */
export interface Examination {
  readonly state: 'never' | 'running' | 'done' | 'failed';
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly findings: readonly DoctorFinding[];
  readonly failure: string | null;
}

/** `tillctl doctor`, beside the daemon: what it reads never keeps a payment waiting. */
export interface Doctor {
  /** Starts an examination; one that is under way goes on. */
  examine(): Examination;
  last(): Examination;
}

export type VirtualKey = 'approve' | 'decline' | 'wrong_pin' | 'abort' | 'walk_away';

/** A fault that strikes at a moment of a dialogue. */
export interface VirtualFault {
  readonly when: 'command' | 'customer' | 'result' | 'result_acknowledged' | 'print' | 'completion' | 'idle';
  readonly do: 'silence' | 'cut' | 'garbage' | 'duplicate' | 'delay' | 'power_loss';
  readonly ms: number;
  readonly times: number;
}

/** A virtual terminal as it stands. */
export interface VirtualTerminalView {
  readonly name: string;
  readonly protocol: string;
  readonly address: string;
  /** Of the terminal that stands there now. */
  readonly serial: string;
  /** The devices of the configuration that it serves. */
  readonly deviceIds: readonly string[];
  readonly isOn: boolean;
  readonly isPlugged: boolean;
  readonly isBusy: boolean;
  readonly screen: string;
  /** What the customer does without a key; `off`: nothing. */
  readonly autopilot: VirtualKey | 'off';
  readonly cards: readonly {
    readonly id: string;
    readonly label: string;
    readonly entry: 'chip' | 'contactless';
    readonly verification: 'none' | 'online_pin' | 'signature';
  }[];
  readonly faults: readonly VirtualFault[];
  /** What was really charged there, newest first, at most 20. `at`: epoch ms. */
  readonly ledger: readonly {
    readonly receiptNumber: string;
    readonly kind: 'sale' | 'refund' | 'void';
    readonly amountMinor: number;
    readonly currency: string;
    readonly result: 'approved' | 'declined' | 'aborted';
    readonly isReversed: boolean;
    readonly at: number;
  }[];
}

/** The virtual terminals of the sandbox, and what a person does at them. @throws VIRTUAL_TERMINAL_UNKNOWN */
export interface VirtualTerminals {
  all(): readonly VirtualTerminalView[];
  /** `card`: the one the customer shows. @throws VIRTUAL_TERMINAL_REFUSED */
  press(name: string, key: VirtualKey, card: string | null): VirtualTerminalView;
  /** @throws VIRTUAL_TERMINAL_REFUSED */
  inject(name: string, fault: VirtualFault): VirtualTerminalView;
  /** Faults that have not struck yet are forgotten. */
  forgetFaults(name: string): VirtualTerminalView;
  set(
    name: string,
    switches: {
      readonly isOn?: boolean;
      readonly isPlugged?: boolean;
      readonly autopilot?: VirtualKey | 'off';
      /** Another terminal is put in its place. */
      readonly exchange?: boolean;
    },
  ): VirtualTerminalView;
}
