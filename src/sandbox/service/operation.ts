import type { Answer } from './errors.ts';
import type { Query } from './pagination.ts';
import type { ServiceVersion } from './versions.ts';

/** An admitted request: key, version and content. */
export interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: unknown;
  readonly version: ServiceVersion;
  /** Path without the query, for the list object's `url`. */
  readonly path: string;
}

/** One operation of the interface: path, requirements and handler. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{id}` segments are `:id`; they must be UUIDs, unless `hasPublicId` says otherwise. */
  readonly path: string;
  readonly scope: string;
  /** Query parameters besides `version`; others are refused. Absent: none; `any`: unknown ones are ignored. */
  readonly query?: readonly string[] | 'any';
  /** `:id` may be a public id, too. */
  readonly hasPublicId?: true;
  /** Largest body in bytes, where it differs from the default. */
  readonly bodyLimit?: number;
  handle(call: Call): Answer;
}
