import fastifyPlugin from 'fastify-plugin';
import { AppError } from '../../base/errors.ts';
import type { Api } from '../api.ts';
import { isReceipt } from '../receipts/receipt-address.ts';
import { crossOriginHeaders, isOfApi, preflightHeaders } from './cross-origin.ts';

export interface SiteRules {
  /** Whether a host name, lower case and without port, leads to this listener. */
  readonly isHost: (name: string) => boolean;
  /** Origins of pages that may call `/v2`, beside tilld's own: `https://till.example`. */
  readonly allowedOrigins: readonly string[];
}

/**
 * The origin check, for a listener that pages can reach. It rejects requests of foreign web pages, but for those of registered origins to `/v2`.
 * A request for the page itself or for a receipt, to which any page may link, passes when it is not in a frame.
 * @throws HOST_FOREIGN, ORIGIN_FOREIGN
 */
export const sameSite = fastifyPlugin(async (api: Api, rules: SiteRules) => {
  api.addHook('onRequest', async ({ raw, header, protocol }, reply) => {
    const authority = requireHost(rules, header);
    const [origin, { method, url = '' }] = [header('origin'), raw];
    if (origin !== undefined && rules.allowedOrigins.includes(origin) && isOfApi(url)) {
      reply.headers(crossOriginHeaders(origin));
      const preflight = preflightHeaders(method, header);
      return preflight ? reply.code(204).headers(preflight).send() : undefined;
    }
    const isVisit = method === 'GET' && isLinked(url) && isDocument(header);
    if (isVisit || isOurs(protocol, authority, origin, header('sec-fetch-site'))) return undefined;
    throw new AppError('ORIGIN_FOREIGN', 'Pages of another origin may not call this agent');
  });
});

/**
 * The `Host` of the request. A browser in the shop reaches loopback, and DNS rebinding can redirect a name to it.
 * @throws HOST_FOREIGN when the request was meant for another host name.
 */
function requireHost({ isHost }: SiteRules, header: (name: string) => string | undefined): string {
  const authority = (header('host') ?? '').toLowerCase();
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/.exec(authority)?.[1];
  if (name !== undefined && isHost(name)) return authority;
  throw new AppError(
    'HOST_FOREIGN',
    'This host name does not lead to this agent: use 127.0.0.1 or localhost, or a name of its configuration',
  );
}

/** A customer may open the link of a receipt from a message. */
function isLinked(url: string): boolean {
  return url.split('?')[0] === '/' || isReceipt(url);
}

/** The browser shows the response in a window of its own; the linking page cannot read it. */
function isDocument(header: (name: string) => string | undefined): boolean {
  return header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document';
}

/**
 * An image or script tag sends no Origin, but the browser sends Sec-Fetch-Site: another port is another origin, though the same site. `none` is a
 * person who typed the address.
 */
function isOurs(scheme: string, authority: string, origin: string | undefined, fetchSite = 'none'): boolean {
  if (origin === undefined) return fetchSite === 'none' || fetchSite === 'same-origin';
  return origin.toLowerCase() === `${scheme}://${authority}`;
}
