import { AppError } from '../base/errors.ts';

/** A served version of the API. */
export type ServiceVersion = '2026-05-01' | '2026-01-15';

export const CURRENT_VERSION: ServiceVersion = '2026-05-01';

/** Newest first; `sunset` is an HTTP date. A sunset switches nothing off: the version stays served, with both headers. */
const VERSIONS: readonly { readonly version: ServiceVersion; readonly sunset: string | null }[] = [
  { version: '2026-05-01', sunset: null },
  { version: '2026-01-15', sunset: 'Sun, 15 Nov 2026 00:00:00 GMT' },
];

/**
 * The version of a response: the header wins over the query, an unknown date selects the nearest older version, a newer one the current.
 * @throws VERSION_UNSUPPORTED for a value that is no date, or one before every version.
 */
export function resolveVersion(header: string | undefined, query: string | undefined): ServiceVersion {
  const asked = header ?? query;
  if (asked === undefined) return CURRENT_VERSION;
  const found = isDate(asked) ? VERSIONS.find(({ version }) => version <= asked) : undefined;
  if (found) return found.version;
  throw new AppError(
    'VERSION_UNSUPPORTED',
    `Service-Version must be a date, ${oldest()} or later (YYYY-MM-DD)`,
    {
      context: { param: 'Service-Version' },
    },
  );
}

/** The version that a response names, also for an error: the current one where the requested one is invalid. */
export function effectiveVersion(header: string | undefined, query: string | undefined): ServiceVersion {
  try {
    return resolveVersion(header, query);
  } catch (error) {
    if (error instanceof AppError) return CURRENT_VERSION;
    throw error;
  }
}

/** The headers of every response under this version. */
export function versionHeaders(version: ServiceVersion): Record<string, string> {
  const sunset = VERSIONS.find((entry) => entry.version === version)?.sunset;
  return { 'service-version': version, ...(sunset ? { sunset, deprecation: sunset } : {}) };
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function oldest(): string {
  return VERSIONS.at(-1)?.version ?? CURRENT_VERSION;
}
