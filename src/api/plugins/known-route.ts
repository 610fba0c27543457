import fastifyPlugin from 'fastify-plugin';
import { AppError } from '../../base/errors.ts';
import type { Api } from '../api.ts';

export interface KnownRouteOptions {
  /** Hooks of the service come through a tunnel or a proxy: the listener of the shop's network has no such address. */
  readonly isInLan: boolean;
}

/** Refuses an address without a route before anything else of the request is looked at; the refusal names the methods that are answered there. */
export const knownRoute = fastifyPlugin(async (api: Api, { isInLan }: KnownRouteOptions) => {
  const methods = new Map<string, string[]>();
  api.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? [];
    methods.set(url, [...known, ...[method].flat().filter((one) => one !== 'HEAD')]);
  });
  // The router also takes `http://host/path`, a parameter of no length, and a letter of a segment as `%74`.
  api.addHook('onRequest', async ({ is404, routeOptions, url }) => {
    const [path = ''] = url.split('?');
    if (is404 || !isAt(routeOptions.url ?? '', path)) throw unknownAddress(path, methods);
    if (isInLan && routeOptions.config.access === 'signed') throw unknownAddress('', methods);
  });
});

function unknownAddress(path: string, methods: ReadonlyMap<string, readonly string[]>): AppError {
  const allowed = [...methods].flatMap(([url, some]) => (isAt(url, path) ? some : [])).join(', ');
  if (allowed === '') return new AppError('ROUTE_UNKNOWN', 'There is nothing at this address');
  return new AppError('ROUTE_UNKNOWN', `This address answers ${allowed} only`, {
    context: { headers: { allow: allowed } },
  });
}

/** Whether a path is of this pattern, `/v2/keys/:id` or `/console/*`. Dots, doubled and trailing slashes do not match, and only a parameter is percent-decoded. */
function isAt(url: string, path: string): boolean {
  if (url.endsWith('/*')) return path.startsWith(url.slice(0, -1));
  const [wanted, given] = [url.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  );
}
