import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';

/** Plain data as it came in JSON or CSV. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [field: string]: Json };
export type JsonObject = Readonly<Record<string, Json>>;

/** A record as a connector gives it: its fields have our names, what the mapping does not name is kept as it came. */
export interface SourceRecord {
  /** Unique within its resource at the source; 1 to 256 characters. */
  readonly id: string;
  /** When it last changed, ms since the epoch by the source's clock; null where the source does not tell. */
  readonly updatedAt: number | null;
  /** The source shows that it is gone (a tombstone). */
  readonly deleted: boolean;
  readonly fields: JsonObject;
}

/** A record that could not be read; it is parked alone, and the rest of its page goes on. */
export interface BadRecord {
  /** Its id at the source, where even that could be read. */
  readonly id: string | null;
  readonly reason: string;
  /** The start of its text, for a person; at most 2,000 characters, no credential. */
  readonly excerpt: string;
}

/** One page of a list. An empty page with a `next` is normal, and so is a record that comes twice. */
export interface SourcePage {
  readonly records: readonly SourceRecord[];
  readonly bad: readonly BadRecord[];
  /** What to ask for next, opaque to everybody but the connector, at most 2,000 characters; null: this was the last page. */
  readonly next: string | null;
  /** The source's clock when it answered (`Date`), ms since the epoch; null where it does not tell. */
  readonly sourceNow: number | null;
  /** How long the source wants to be left alone before it is asked again, ms; absent: it did not say. */
  readonly waitMs?: number;
}

/**
 * Which changes to list, ms since the epoch by the source's clock, both ends included; `from` null: from the beginning.
 * A source that knows no milliseconds is asked with `from` rounded down and `to` rounded up.
 */
export interface SyncWindow {
  readonly from: number | null;
  readonly to: number;
}

export type PageStyle = 'offset' | 'page' | 'cursor' | 'link' | 'whole';

/** What a source can do for one of its resources. */
export interface ResourceManifest {
  readonly name: string;
  /** Null: it cannot be asked for changes, every run reads all of it. */
  readonly cursorField: string | null;
  readonly pageStyle: PageStyle;
  /** What order its lists keep; a source that breaks its word is noticed and read by windows. */
  readonly order: 'ascending' | 'descending' | 'none';
  /** `tombstones`: it shows what was deleted. `scan`: only two complete scans tell. */
  readonly deletes: 'tombstones' | 'scan' | 'never';
}

/** A request to a source; the base address and the credential are the context's. */
export interface SourceRequest {
  /** Absolute, or relative to the base address; never beyond its origin. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back, whatever its status; the text is bounded and decoded. */
export interface SourceReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text as JSON, where the line has read it already; absent: it is none, or nobody has. */
  readonly json?: Json;
  readonly dateMs: number | null;
  /** What its `Retry-After` asks for, ms, at most an hour; absent or null: nothing. */
  readonly retryAfterMs?: number | null;
}

/** Where a source is and what opens it; only the context's HTTP client sees it. */
export interface SourceAccess {
  /** Scheme, host and path prefix, without user, query and fragment. */
  readonly baseUrl: string;
  /** Sent with every request to the source's own origin, and to nobody else. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The texts among them, in every form in which they travel, that must never be seen in a log, an error or a record. */
  readonly secrets: readonly string[];
}

/** A file in the folder that a slot watches. */
export interface SourceFile {
  readonly name: string;
  readonly modifiedAt: number;
  readonly bytes: number;
}

/** The credential of a slot, as the interface names its parts; all of them may be empty. */
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

/** What a terminal told of its open batch, held against our books line by line. */
export interface TerminalComparison {
  /** Since when our books count, ms since the epoch; null: nothing of ours is in this batch. */
  readonly since: number | null;
  readonly at: number;
  readonly fields: JsonObject;
}

/** The end of a terminal's day: its totals beside ours. */
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
   * Asks the terminal itself, as when a person asks for it; what contradicts our books becomes a correction.
   * @throws SOURCE_NOT_READY where that could keep a customer waiting, or the terminal cannot be asked; nothing was sent then
   */
  compare(id: string, signal: AbortSignal): Promise<TerminalComparison>;
  /** Days that are over, newest first, behind one of them. Asks no terminal. */
  closes(id: string, behind: string | null, limit: number): readonly TerminalClose[];
}

/** The world as a connector meets it: requests, files and time reach it through here alone. */
export interface ConnectorContext {
  readonly credentials: ProviderCredentials;
  /** Rejects with `SOURCE_*` for what the line or the answer does, never for a status. */
  http(request: SourceRequest, signal: AbortSignal): Promise<SourceReply>;
  files(): Promise<readonly SourceFile[]>;
  /** Bytes of a file from an offset, at most `length`; fewer only at its end. */
  readFile(name: string, offset: number, length: number): Promise<Uint8Array>;
  /** Absent: this connector reads no terminals. */
  readonly terminals?: ShopTerminals;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * A source of records, without a state of its own: cursors, retries, budget and time are the engine's.
 * Errors: `AppError` with a code of {@link SOURCE_CODES}; anything else is taken for a bug of the connector.
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
  /** One record by its id; null: the source does not have it. Absent: it cannot be asked for one. */
  get?(resource: string, id: string, signal: AbortSignal): Promise<SourceRecord | null>;
  /** Whether the credential works; nothing is kept. `error` carries the provider's words, empty where valid. */
  test(signal: AbortSignal): Promise<{ readonly valid: boolean; readonly error: string }>;
}

/** Why a source gave nothing, and with that what happens (the table "When it fails" of the README). */
export const SOURCE_CODES = {
  /** 401, 403: the credential is refused. */
  SOURCE_UNAUTHORISED: 'pause',
  /** No way out, no name: the shop's own line. */
  SOURCE_LINE_DOWN: 'wait',
  /** It cannot be asked now, for a reason that is shown elsewhere: a terminal that is busy or off, a key that the service refuses. */
  SOURCE_NOT_READY: 'wait',
  /** 429; `context.retryAfterMs`. */
  SOURCE_RATE_LIMITED: 'wait',
  /** Time-out, 5xx, a connection that broke, a page that was cut. */
  SOURCE_UNAVAILABLE: 'retry',
  /** An answer that makes no sense: no JSON, no list, another shape, too large, a redirect elsewhere. */
  SOURCE_MALFORMED: 'retry',
  /** It refuses the request itself (400, 404, 422): the recipe or the settings do not fit. */
  SOURCE_REFUSED: 'fail',
} as const;
export type SourceCode = keyof typeof SOURCE_CODES;
