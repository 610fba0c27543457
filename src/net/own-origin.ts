import type { AppError } from '../base/errors.ts';
import { isLoopback } from '../base/loopback.ts';
import type { SourceAccess, SourceRequest } from '../integration/connector.ts';
import { sourceError } from '../integration/failure/source-error.ts';

/** The addresses of one source: no request goes to another origin. */
export interface OwnOrigin {
  readonly origin: string;
  /** @throws SOURCE_MALFORMED when `path` leads to another origin: it came from an answer */
  urlOf(request: SourceRequest): URL;
  /** The target of a redirect. @throws SOURCE_MALFORMED when it is another origin, or no address */
  redirected(from: URL, location: string | undefined): URL;
}

/** @throws SOURCE_REFUSED when the base address is unusable, or would send a credential unencrypted over a network */
export function ownOrigin(access: SourceAccess, allowPlainHttp: boolean): OwnOrigin {
  const base = baseOf(access.baseUrl);
  const carriesSecret = access.secrets.length > 0;
  if (base.protocol === 'http:' && carriesSecret && !allowPlainHttp && !isLoopback(base.hostname)) {
    throw sourceError(
      'SOURCE_REFUSED',
      `${base.origin} is not encrypted: the credential could be read on the way; use https`,
    );
  }
  const prefix = base.pathname.replace(/\/+$/, '');
  return {
    origin: base.origin,
    urlOf: ({ path, query }) => {
      const url = /^[a-z][a-z0-9+.-]*:/i.test(path)
        ? parsed(path)
        : parsed(base.origin + prefix + rooted(path));
      if (url?.origin !== base.origin) throw elsewhere(base, url, 'the next page');
      for (const [name, value] of Object.entries(query ?? {})) {
        url.searchParams.delete(name);
        for (const one of typeof value === 'string' ? [value] : value) url.searchParams.append(name, one);
      }
      return url;
    },
    redirected: (from, location) => {
      const url = location === undefined ? null : URL.parse(location, from.href);
      if (url?.origin !== base.origin) throw elsewhere(base, url, 'a redirect');
      return url;
    },
  };
}

function rooted(path: string): string {
  return path === '' || path.startsWith('/') || path.startsWith('?') ? path : `/${path}`;
}

function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function elsewhere(base: URL, url: URL | null, what: string): AppError {
  const where = url ? url.origin : 'nowhere';
  return sourceError(
    'SOURCE_MALFORMED',
    `${what} leads to ${where} instead of ${base.origin}; nothing was sent there`,
  );
}

function baseOf(text: string): URL {
  const url = parsed(text);
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw sourceError(
      'SOURCE_REFUSED',
      'the base address is not an http or https address without user, query and fragment',
    );
  }
  return url;
}
