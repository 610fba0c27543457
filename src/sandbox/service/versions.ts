import { type Refusal, refuse } from './errors.ts';

/** Versions served, newest first; `sunset` is a date of the interface's table. */
const VERSIONS = [
  { name: '2026-05-01', sunset: null },
  { name: '2026-01-15', sunset: '2026-11-15' },
] as const;

export type ServiceVersion = (typeof VERSIONS)[number]['name'];

export const CURRENT_VERSION: ServiceVersion = VERSIONS[0].name;

/** The version of a request, and the error response for a version that cannot be served. */
export interface VersionChoice {
  readonly version: ServiceVersion;
  readonly refusal: Refusal | null;
}

/**
 * Resolves the header (it wins) or the query parameter: an unlisted date goes to the nearest older version, a newer one
 * to the current one; an older date, or no date, is refused with 400 naming `Service-Version`.
 */
export function chooseVersion(header: unknown, query: unknown): VersionChoice {
  const asked = header ?? query;
  if (asked === undefined) return { version: CURRENT_VERSION, refusal: null };
  const found = isDate(asked) ? VERSIONS.find((version) => version.name <= asked) : undefined;
  if (found) return { version: found.name, refusal: null };
  const refusal = refuse(400, 'validation_error', 'Service-Version must be a supported date, YYYY-MM-DD.', {
    param: 'Service-Version',
  });
  return { version: CURRENT_VERSION, refusal };
}

/** The version headers of an answer: always the echo; `Sunset` and `Deprecation` on a deprecated version. */
export function versionHeaders(version: ServiceVersion): Readonly<Record<string, string>> {
  const sunset = VERSIONS.find((known) => known.name === version)?.sunset ?? null;
  if (sunset === null) return { 'Service-Version': version };
  const date = new Date(`${sunset}T00:00:00Z`).toUTCString();
  return { 'Service-Version': version, Sunset: date, Deprecation: date };
}

function isDate(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
