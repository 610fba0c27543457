import type { Answer } from './errors.ts';
import type { Query } from './pagination.ts';
import type { ServiceVersion } from './versions.ts';

/** A request that has passed the door: who, which version, what. */
export interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: unknown;
  readonly version: ServiceVersion;
  /** Path without the query, for the list object's `url`. */
  readonly path: string;
}

/** One operation of the interface: where it lives, what it needs, what it does. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{id}` segments are `:id`; they must be UUIDs. */
  readonly path: string;
  readonly scope: string;
  /** Query parameters beside `version`, others are refused; absent: none; `any`: what is unknown is ignored. */
  readonly query?: readonly string[] | 'any';
  /** Bytes of a body that may be larger than the others. */
  readonly bodyLimit?: number;
  handle(call: Call): Answer;
}
