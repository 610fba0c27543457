import { AppError } from '../../base/errors.ts';
import type { Route } from '../routes/route.ts';

export interface Matched {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * The route for a method and a raw path. Segments are compared exactly: dots, doubled and trailing slashes do not match, and only a parameter
 * is percent-decoded. GET handles HEAD.
 * @throws ROUTE_UNKNOWN
 */
export function matchRoute(routes: readonly Route[], method: string, path: string): Matched {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const matches = routes.flatMap((route) => {
    const params = paramsOf(route.path, path);
    return params && !(route.endless && method === 'HEAD') ? [{ route, params }] : [];
  });
  const found = matches.find(({ route }) => route.method === wanted);
  if (found) return found;
  const allowed = [...new Set(matches.map(({ route }) => route.method))].join(', ');
  if (allowed === '') throw new AppError('ROUTE_UNKNOWN', 'There is nothing at this address');
  throw new AppError('ROUTE_UNKNOWN', `This address answers ${allowed} only`, {
    context: { headers: { allow: allowed } },
  });
}

function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined && part !== text) return undefined;
    if (name === undefined) continue;
    const value = decoded(text);
    if (value === undefined || value === '') return undefined;
    params[name] = value;
  }
  return params;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
