import { AppError } from '../base/errors.ts';

/** A version of the interface that we serve. */
export type ServiceVersion = '2026-05-01' | '2026-01-15';

export const CURRENT_VERSION: ServiceVersion = '2026-05-01';

/** Newest first; `sunset` is an HTTP date. A sunset switches nothing off: the version stays served, with both headers. */
const VERSIONS: readonly { readonly version: ServiceVersion; readonly sunset: string | null }[] = [
  { version: '2026-05-01', sunset: null },
  { version: '2026-01-15', sunset: 'Sun, 15 Nov 2026 00:00:00 GMT' },
];

/**
 * The version that answers a request: the header wins over the query, an unknown date falls to the nearest older one,
 * a newer one to the current.
 * @throws VERSION_UNSUPPORTED for anything that is not a date, or one before every version.
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

/** The version that an answer tells, whatever becomes of its request: the current one where the asked one cannot be. */
export function effectiveVersion(header: string | undefined, query: string | undefined): ServiceVersion {
  try {
    return resolveVersion(header, query);
  } catch (error) {
    if (error instanceof AppError) return CURRENT_VERSION;
    throw error;
  }
}

/** The headers that every answer under this version carries. */
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
