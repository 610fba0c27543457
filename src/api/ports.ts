import type { Currency } from '../base/money.ts';
import type { ConnectionSpan } from '../terminal/connection-log.ts';
import type { Scope } from './contract/key.ts';
import type { Role } from './contract/session.ts';
import type { Health, Status } from './contract/status.ts';
import type { VirtualTerminals } from './virtual-terminals.ts';

/**
 * An API key as it is stored: hashes, never the key. A roll keeps its id and everything that belongs to it: name, scopes, addresses,
 * idempotency keys, rate limit. Instants in epoch milliseconds UTC.
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
  /** When the previous secret ends, or ended; null: there was none, or it was ended at once. */
  readonly overlapEndsAt: number | null;
}

/** A key, and which of its secrets was presented. */
export interface FoundKey {
  readonly record: ApiKeyRecord;
  /** `endsAt`: null for the newest one; 0 for one that was ended at once. */
  readonly secret: { readonly hash: string; readonly endsAt: number | null };
}

export type KeyEvent = 'created' | 'rolled' | 'revoked';

/** One audit entry of a key; written in the transaction of the change, never modified. */
export interface KeyAuditEntry {
  readonly keyId: string;
  readonly at: number;
  readonly event: KeyEvent;
  /** The caller's id. */
  readonly caller: string;
  /** The person who is named as the author; null: the request named none. */
  readonly by: string | null;
  /** An address, or `socket`. */
  readonly from: string;
  /** `rolled`: when the previous secret ends; null: at once. */
  readonly overlapEndsAt: number | null;
}

/** The store of API keys; synchronous like every store. @throws STORAGE_FULL, STORAGE_FAILED; then nothing is written */
export interface ApiKeyStore {
  insert(record: ApiKeyRecord, audit: KeyAuditEntry): void;
  byHash(hash: string): FoundKey | null;
  find(id: string): ApiKeyRecord | null;
  /** Replaces the newest secret, which stays valid until `audit.overlapEndsAt`; every older one ends now. */
  roll(id: string, hash: string, audit: KeyAuditEntry): void;
  /** For good, whatever the clock says later. */
  revoke(id: string, audit: KeyAuditEntry): void;
  /** Records that the key was used; called at most once a minute per key. */
  touch(id: string, at: number): void;
  /** Every key, newest first. */
  list(): readonly ApiKeyRecord[];
  /** The audit trail of one key, newest first. */
  audit(id: string): readonly Omit<KeyAuditEntry, 'from'>[];
}

/** A named person of the shop. Instants in epoch milliseconds UTC. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Their user on this machine, as `tillctl` names it; null: they do not use it. */
  readonly systemUser: string | null;
  readonly createdAt: number;
  /** For good; null: they may sign in. */
  readonly disabledAt: number | null;
}

/** Who does something, and from where: an address, or `socket`. */
export interface AuditAct {
  readonly who: string;
  readonly from: string;
}

export type PeopleEvent =
  | 'person_added'
  | 'person_disabled'
  | 'signed_in'
  | 'pin_set'
  | 'pin_refused'
  | 'passkey_added'
  | 'passkey_removed'
  | 'device_paired'
  | 'device_withdrawn'
  | 'refund_requested'
  | 'void_requested'
  | 'task_confirmed'
  | 'task_declined';

/** An entry of the audit trail: a chain of hashes. `subject`: id of the person, key, browser, sale or task. */
export interface AuditEntry extends AuditAct {
  readonly at: number;
  readonly event: PeopleEvent | `key_${KeyEvent}` | 'trail_cut';
  readonly subject: string;
  readonly details: Readonly<Record<string, string | number | null>>;
}

/** The store of people; synchronous like every store. @throws STORAGE_FULL, STORAGE_FAILED; then nothing is written */
export interface PeopleStore {
  insert(person: Person, audit: AuditEntry): void;
  /** Ends the sessions of the person, too. */
  disable(person: Person, audit: AuditEntry): void;
  /** Those who may sign in first, by name. */
  list(): readonly Person[];
  /** An entry of the audit trail alone. */
  note(audit: AuditEntry): void;
  /** The newest entries first, from `offset` on, and how many there are. */
  trail(offset: number, limit: number): { readonly items: readonly ChainedAudit[]; readonly total: number };
}

/** A passkey of a person: its public half. */
export interface Passkey {
  /** Of the credential, base64url. */
  readonly id: string;
  readonly personId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** Of its uses, by its own count; 0: it does not count. */
  readonly counter: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** A browser of the shop on which people may sign in with a PIN. `hash`: SHA-256 of its secret. */
export interface PairedDevice {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly pairedAt: number;
  readonly withdrawnAt: number | null;
}

/** The store of the ways in which people sign in; synchronous. @throws STORAGE_FULL, STORAGE_FAILED; then nothing is written */
export interface SignInStore {
  passkey(id: string): Passkey | null;
  passkeys(personId: string): readonly Passkey[];
  addPasskey(passkey: Passkey, audit: AuditEntry): void;
  usedPasskey(id: string, counter: number, at: number): void;
  removePasskey(id: string, audit: AuditEntry): void;
  /** `salt.hash`, base64url; null: the person has no PIN. */
  pinOf(personId: string): string | null;
  keepPin(personId: string, hash: string, audit: AuditEntry): void;
  /** Newest first. */
  devices(): readonly PairedDevice[];
  pair(device: PairedDevice, audit: AuditEntry): void;
  /** Ends the sessions that were opened on it, too. */
  withdraw(device: PairedDevice, audit: AuditEntry): void;
  triesOf(subject: string): { readonly failures: number; readonly freeAt: number } | null;
  keepTries(subject: string, tries: { readonly failures: number; readonly freeAt: number }): void;
  forgetTries(subject: string): void;
}

export interface ChainedAudit extends AuditEntry {
  readonly seq: number;
}

/** The daemon's own status. */
export interface StatusSource {
  status(): Omit<Status, 'urls' | 'time_zone'>;
  health(): Health;
  /** The Prometheus text of `/metrics`; a missing figure is not in it. */
  metrics(): Promise<string>;
}

/** Receives the service's webhooks; the signature is their only credential. */
export interface ServiceHooks {
  /**
   * @param signature the header `X-Service-Signature`
   * @param body the bytes that were signed
   * @throws HOOK_SECRET_MISSING, HOOK_SIGNATURE_MISSING, HOOK_SIGNATURE_INVALID, HOOK_TIMESTAMP_INVALID, HOOK_UNREADABLE
   */
  heard(signature: string | undefined, body: Uint8Array): void;
}

/** A response under an idempotency key to a request that is no payment. */
export interface KeptAnswer {
  readonly caller: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly requestId: string;
  readonly status: number;
  /** The sent bytes as text. */
  readonly body: string;
  /** Epoch ms. */
  readonly keptAt: number;
}

/** The store of these responses; synchronous. Responses about payments are kept with their attempts instead, for as long as those. */
export interface AnswerStore {
  /** Runs the work and keeps its response, in one transaction. @throws STORAGE_FULL, STORAGE_FAILED; then nothing is written */
  once(work: () => KeptAnswer): KeptAnswer;
  find(caller: string, key: string): KeptAnswer | null;
  /** Deletes at most 1000 responses that were kept before an instant; returns their number. */
  forgetBefore(at: number): number;
}

/** A file of the pages as tilld serves it. */
export interface PageFile {
  /** `/console/app/main.js` */
  readonly path: string;
  /** The release of the pages that it belongs to: at `/pages/RELEASE` and its path a browser may keep it for good. */
  readonly release: string;
  readonly mediaType: string;
  readonly text: string;
  /** `"…"`, of the text. */
  readonly etag: string;
  /** Its Content-Security-Policy. */
  readonly policy: string;
}

/** A session of a signed-in user of the pages. Instants in epoch milliseconds UTC. */
export interface PageSession {
  readonly id: string;
  /** SHA-256 of both tokens of its secret, 64 lower-case hex digits. */
  readonly hash: string;
  readonly role: Role;
  /** null: the code was of no named person. */
  readonly personId: string | null;
  /** The paired device that it is on, and with which it ends; null: none. */
  readonly pairedDeviceId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The store of sessions; synchronous like every store. @throws STORAGE_FULL, STORAGE_FAILED; then nothing is written */
export interface PageSessionStore {
  /** Deletes expired sessions, and the oldest beyond 256. */
  insert(session: PageSession, audit?: AuditEntry): void;
  byHash(hash: string): PageSession | null;
  end(id: string): void;
  /** The browser of this session was paired; there may be no such session. */
  paired(hash: string, deviceId: string): void;
  /** Ends every session of a person but one. */
  endOthers(personId: string, kept: string): void;
}

/** The dependencies of the pages. */
export interface PageDeps {
  readonly files: readonly PageFile[];
  readonly sessions: PageSessionStore;
  /** absent: the pages of operations and of virtual terminals show nothing. */
  readonly ops?: OpsDeps;
}

/** The dependencies of the pages that tills do not use. */
export interface OpsDeps {
  readonly log: LogTail;
  readonly series: SeriesSource;
  readonly doctor: Doctor;
  /** null: there are none. */
  readonly virtualTerminals: VirtualTerminals | null;
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** A line of the daemon's log, card numbers and credentials masked. */
export interface LoggedLine {
  readonly id: string;
  readonly level: LogLevel;
  /** One JSON object. */
  readonly text: string;
}

/** The newest lines of the log since the start of the process. */
export interface LogTail {
  /** The newest `limit` lines after `after`, oldest first, of level `least` or more severe. */
  tail(asked: {
    readonly after: string | null;
    readonly least: LogLevel;
    readonly limit: number;
  }): readonly LoggedLine[];
}

/** Outcomes of the payments that were created in one time bucket. Epoch ms, ms. */
export interface PaymentPoint {
  readonly at: number;
  readonly succeeded: number;
  readonly declined: number;
  readonly cancelled: number;
  /** Errors, and payments that are still open or in doubt. */
  readonly other: number;
  /** From the creation to the outcome; null: no payment had one. `slowMs`: the 95th percentile. */
  readonly medianMs: number | null;
  readonly slowMs: number | null;
}

/** The sync runs that ended in one time bucket. Epoch ms, ms. */
export interface SyncPoint {
  readonly at: number;
  readonly runs: number;
  readonly failed: number;
  readonly read: number;
  readonly written: number;
  readonly longestMs: number;
}

/** What the payments of a terminal came to since `since`, epoch ms, which is later than asked for where the database holds too many. */
export interface TerminalFigures {
  readonly since: number;
  readonly succeeded: number;
  readonly declined: number;
  /** From the command to the outcome, of payments that were never in doubt; null: there was none. ms. */
  readonly meanMs: number | null;
}

/** When a terminal was connected, newest first, and what its payments came to. @throws STORAGE_FAILED */
export interface TerminalActivity {
  spans(deviceId: string, from: number): readonly ConnectionSpan[];
  figures(deviceId: string, from: number): TerminalFigures;
  /** What was asked for in the sales that succeeded lately, in minor units of the currency, in no order. */
  saleAmounts(deviceId: string, currency: Currency): readonly number[];
}

/** Figures over time. Empty buckets are left out. @throws STORAGE_FAILED */
export interface SeriesSource {
  payments(since: number, bucketMs: number): readonly PaymentPoint[];
  syncs(since: number, bucketMs: number): readonly SyncPoint[];
}

/** One check result; `why` and `fix` are set where something is wrong. */
export interface DoctorFinding {
  readonly id: string;
  readonly level: 'ok' | 'warn' | 'fail';
  readonly what: string;
  readonly why: string | null;
  readonly fix: string | null;
}

/** The newest run of the diagnostics; epoch ms. While one runs, `endedAt` and `findings` are those of the last one that was done. `failure`: why the run was not possible. */
export interface Examination {
  readonly state: 'never' | 'running' | 'done' | 'failed';
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly findings: readonly DoctorFinding[];
  readonly failure: string | null;
}

/** `tillctl doctor`, beside the daemon: its reads never delay a payment. */
export interface Doctor {
  /** Starts the diagnostics; a run in progress continues. */
  examine(): Examination;
  last(): Examination;
}
