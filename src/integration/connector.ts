import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';

/** Plain data from JSON or CSV. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [field: string]: Json };
export type JsonObject = Readonly<Record<string, Json>>;

/** A record from a connector: known fields have tilld's names, a field that the connector's mapping does not name keeps its own. */
export interface SourceRecord {
  /** Unique within its resource at the source; 1 to 256 characters. */
  readonly id: string;
  /** When it last changed, ms since the epoch by the source's clock; null where the source does not say. */
  readonly updatedAt: number | null;
  /** The source marks it as deleted (a tombstone). */
  readonly deleted: boolean;
  readonly fields: JsonObject;
}

/** A record that cannot be read; it is quarantined, and the rest of its page is processed. */
export interface BadRecord {
  /** Its id at the source; null where the id cannot be read either. */
  readonly id: string | null;
  readonly reason: string;
  /** The start of its text, for ops; at most 2,000 characters, no credential. */
  readonly excerpt: string;
}

/** One page of a list. An empty page with a `next` is normal, and so is a record that comes twice. */
export interface SourcePage {
  readonly records: readonly SourceRecord[];
  readonly bad: readonly BadRecord[];
  /** The token of the next page, opaque outside the connector, at most 2,000 characters; null: this is the last page. */
  readonly next: string | null;
  /** True where the source does not say whether there is more: the next page may be empty. */
  readonly isNextUnsure?: boolean;
  /** The source's clock at its answer (`Date`), ms since the epoch; null where the source does not say. */
  readonly sourceNow: number | null;
  /** What a person who maps this source should look at, a sentence each; no credential and nothing of a record. Absent: nothing. */
  readonly warnings?: readonly string[];
  /** On the last page: why the source seems to have more than it listed, a sentence. Such a list proves no deletion. */
  readonly cutOff?: string;
}

/**
 * Which changes to list, ms since the epoch by the source's clock, both ends included. `from` null: all records, also those without a time; the source
 * is then asked with no bound, because no filter by time shows a record that has none.
 * A source without milliseconds is asked with `from` rounded down and `to` rounded up.
 */
export interface SyncWindow {
  readonly from: number | null;
  readonly to: number;
}

export type PageStyle = 'offset' | 'page' | 'cursor' | 'link' | 'whole';

/** What a source can do for one of its resources. */
export interface ResourceManifest {
  readonly name: string;
  /** Null: the source has no filter for changes, so every run reads all of it. */
  readonly cursorField: string | null;
  readonly pageStyle: PageStyle;
  /** `tombstones`: the source shows deleted records. `scan`: only two complete scans show a deletion. */
  readonly deletes: 'tombstones' | 'scan' | 'never';
}

/** A request to a source; the base address and the credential are the context's. GET where no body is given, else POST. */
export interface SourceRequest {
  /** Absolute, or relative to the base address; never beyond its origin. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: JsonObject;
  /** Sent as `application/x-www-form-urlencoded`; a list becomes a repeated field. Never beside `body`. */
  readonly form?: Readonly<Record<string, string | readonly string[]>>;
  /** True for a POST that only reads: it is retried like a GET. Any other POST is never sent twice. */
  readonly isRead?: boolean;
}

/** An answer of any status; the text is bounded and decoded. */
export interface SourceReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text as JSON, where the HTTP client has parsed it already; absent: it is not JSON, or it is not parsed yet. */
  readonly json?: Json;
  readonly dateMs: number | null;
  /** The address that was asked for, without its query and without a credential; absent: not known. */
  readonly url?: string;
  /** The value of its `Retry-After`, ms, at most an hour; absent or null: none. */
  readonly retryAfterMs?: number | null;
  /** A part of the answer as it may be shown: without the credential, which an answer may repeat. Absent: the answer holds none. */
  readonly withoutCredential?: (text: string) => string;
}

/** The address of a source and its credential; only the context's HTTP client sees it. */
export interface SourceAccess {
  /** Scheme, host and path prefix, without user, query and fragment. */
  readonly baseUrl: string;
  /** Sent with every request to the source's own origin, and to no other origin. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Places in the body of a POST (see `placed`) and what they hold. Absent: none. */
  readonly body?: Readonly<Record<string, string>>;
  /** Present: its requests carry a token of this authorisation server, beside `headers`. */
  readonly oauth?: OAuthClient;
  /** Its secret texts, in every form in which they are sent; none may appear in a log, an error or a record. */
  readonly secrets: readonly string[];
}

/** tilld as a client of a source's authorisation server (OAuth 2.0). */
export interface OAuthClient {
  /** The token endpoint, without user and fragment; no redirect of it is followed. */
  readonly tokenUrl: string;
  /** Where a person authorises tilld; empty: not known. */
  readonly authorizeUrl: string;
  /** The server's name for itself; empty: the origin of `tokenUrl`. */
  readonly issuer: string;
  /** `refresh_token`: a person has authorised tilld, `refreshToken` is what came of it. */
  readonly grant: 'client_credentials' | 'refresh_token';
  readonly id: string;
  /** Empty: a public client. */
  readonly secret: string;
  /** How it shows its secret to the token endpoint: in the header, or in the body. */
  readonly sends: 'basic' | 'post';
  /** Empty: the server's default. */
  readonly scope: string;
  /** More of what its server wants of a request for a token, like `resource`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Empty where the grant is `client_credentials`. */
  readonly refreshToken: string;
}

/** How a source comes to a new credential. */
export type AuthorisedBy = 'key' | 'person';

/** What an authorisation server gave; sealed where it is stored. */
export interface OAuthTokens {
  readonly accessToken: string;
  /** From then on another one is fetched, ms since the epoch by tilld's clock; null: the server does not say how long it is valid. */
  readonly renewAt: number | null;
  /** The refresh token that counts now, where the server gave another one; null: the client's own. */
  readonly refreshToken: string | null;
}

/** A file in the folder that an integration watches. */
export interface SourceFile {
  readonly name: string;
  readonly modifiedAt: number;
  readonly bytes: number;
}

/** The credential of an integration, with the interface's field names; each of them may be empty. */
export interface ProviderCredentials {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly appName: string;
  readonly appEmail: string;
}

/** A terminal of the shop. */
export interface ShopTerminal {
  readonly id: string;
  readonly name: string;
}

/** The open batch that a terminal reports, compared with tilld's books line by line. */
export interface TerminalComparison {
  /** The start of the compared period, ms since the epoch; null: no payment of tilld is in this batch. */
  readonly since: number | null;
  readonly at: number;
  readonly fields: JsonObject;
}

/** A terminal's batch close: its totals beside tilld's. */
export interface TerminalClose {
  readonly id: string;
  readonly createdAt: number;
  readonly closedAt: number;
  readonly fields: JsonObject;
}

/** The terminals of this shop, as far as a connector may know them. */
export interface ShopTerminals {
  /** In the order of the config. */
  list(): readonly ShopTerminal[];
  /**
   * Asks the terminal itself, as when a person asks for it; a difference from tilld's books becomes a correction.
   * @throws SOURCE_NOT_READY where the request may delay a customer, or the terminal cannot answer; nothing is sent then
   */
  compare(id: string, signal: AbortSignal): Promise<TerminalComparison>;
  /** Past batch closes, newest first, behind `behind`. Sends no request to a terminal. */
  closes(id: string, behind: string | null, limit: number): readonly TerminalClose[];
}

/** A record as the source sends it, and as the connector maps it. */
export interface SampledRecord {
  readonly raw: Json;
  /** Null: it cannot be read, for the reason `problem`. */
  readonly mapped: SourceRecord | null;
  readonly problem: string | null;
  /** What is probably not meant, in words. */
  readonly warnings: readonly string[];
}

/** The first records of one page. */
export interface SourceSample {
  /** Path and query of the request, without the credential. */
  readonly request: string;
  /** Records of the whole page. */
  readonly received: number;
  readonly hasMore: boolean;
  /** Whether the request asks for a part of the records only. */
  readonly isFiltered: boolean;
  /** Fields that the connector's mapping names. */
  readonly named: readonly string[];
  readonly records: readonly SampledRecord[];
  /** What is probably not meant with the page as a whole. Absent: nothing. */
  readonly warnings?: readonly string[];
}

/** The only way in which requests, files and time reach a connector. */
export interface ConnectorContext {
  readonly credentials: ProviderCredentials;
  /** Rejects with `SOURCE_*` for a connection error or an unusable answer, never for a status. */
  http(request: SourceRequest, signal: AbortSignal): Promise<SourceReply>;
  files(): Promise<readonly SourceFile[]>;
  /** Bytes of a file from an offset, at most `length`; fewer only at its end. */
  readFile(name: string, offset: number, length: number): Promise<Uint8Array>;
  /** Absent: this connector reads no terminals. */
  readonly terminals?: ShopTerminals;
  readonly clock: Clock;
  readonly log: Log;
}

/** A payment of an invoice, as it is recorded at a source. */
export interface InvoicePayment {
  /** Our attempt's id, by which the source finds the payment again. */
  readonly id: string;
  /** The invoice's id at the source. */
  readonly invoiceId: string;
  /** More than zero. */
  readonly amountMinor: number;
  /** ISO 4217. */
  readonly currency: string;
  /** Ms since the epoch. */
  readonly paidAt: number;
}

/**
 * A source of records, without state: the engine owns cursors, retries, budget and time.
 * Errors: `AppError` with a code of {@link SOURCE_CODES}; any other error counts as a bug of the connector.
 */
export interface Connector {
  readonly resources: readonly ResourceManifest[];
  /** `pageToken` null: the first page of this window. */
  list(
    resource: string,
    window: SyncWindow,
    pageToken: string | null,
    signal: AbortSignal,
  ): Promise<SourcePage>;
  /** The first page of a window, at most `limit` records of it. Absent: this connector shows none. */
  sample?(resource: string, window: SyncWindow, limit: number, signal: AbortSignal): Promise<SourceSample>;
  /** One record by its id; null: the source does not have it. Absent: the source cannot return a single record. */
  get?(resource: string, id: string, signal: AbortSignal): Promise<SourceRecord | null>;
  /**
   * Records a payment of an invoice at the source, unless the source shows it already. Never called twice at once for one payment.
   * Absent: the source takes none.
   */
  recordPayment?(payment: InvoicePayment, signal: AbortSignal): Promise<'created' | 'present'>;
  /** Whether the credential works; tilld stores nothing. `error` is the provider's text, empty where valid. */
  test(signal: AbortSignal): Promise<{ readonly valid: boolean; readonly error: string }>;
}

/** Why a source returned nothing, and the effect (the table "When it fails" of the README). */
export const SOURCE_CODES = {
  /** 401: the source refuses the credential. */
  SOURCE_UNAUTHORISED: 'pause',
  /** The credential is good and may not read this resource (403): its stream waits for a person, the others go on. */
  SOURCE_FORBIDDEN: 'pause_stream',
  /** No route, no DNS: the shop's own internet connection. */
  SOURCE_LINE_DOWN: 'wait',
  /** The source is not ready, for a reason that is shown elsewhere: a terminal is busy or off, or the service refuses tilld's key. */
  SOURCE_NOT_READY: 'wait',
  /** 429; `context.retryAfterMs`. */
  SOURCE_RATE_LIMITED: 'wait',
  /** Timeout, 5xx, a broken connection, a truncated page. */
  SOURCE_UNAVAILABLE: 'retry',
  /** An unusable answer: no JSON, no list, another shape, too large, a redirect to another origin. */
  SOURCE_MALFORMED: 'retry',
  /** The source refuses the request itself (400, 404, 422): the recipe or the settings do not fit. */
  SOURCE_REFUSED: 'fail',
} as const;
export type SourceCode = keyof typeof SOURCE_CODES;
