import fastifyPlugin from 'fastify-plugin';
import { AppError } from '../../base/errors.ts';
import type { Api } from '../api.ts';

const LOOPBACK_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

export interface SiteRules {
  /** Host names, beside the loopback ones, that reach tilld; lower case, without port. */
  readonly allowedHosts: readonly string[];
  /** Origins of pages that may call, beside tilld's own: `https://till.example`. */
  readonly allowedOrigins: readonly string[];
  readonly scheme: 'http' | 'https';
}

/** The origin check, for a listener that pages can reach. */
export const sameSite = fastifyPlugin(async (api: Api, rules: SiteRules) => {
  api.addHook('onRequest', async ({ raw, header }) => {
    const isVisit = raw.method === 'GET' && raw.url?.split('?')[0] === '/';
    requireSameSite(rules, header, { isVisit });
  });
});

/**
 * Origin check. It rejects requests of foreign web pages: a browser in the shop reaches loopback, and DNS rebinding can redirect a name to it.
 * An image or script tag sends no Origin, but the browser sends Sec-Fetch-Site: another port is another origin, though the same site. `none` is
 * a person who typed the address.
 * `isVisit`: the request asks for the page itself, to which any page may link; not in a frame.
 * @throws HOST_FOREIGN when the request was meant for another host name.
 * @throws ORIGIN_FOREIGN when a page of another origin sent it.
 */
function requireSameSite(
  rules: SiteRules,
  header: (name: string) => string | undefined,
  { isVisit = false } = {},
): void {
  const authority = (header('host') ?? '').toLowerCase();
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/.exec(authority)?.[1];
  if (name === undefined || !(LOOPBACK_NAMES.has(name) || rules.allowedHosts.includes(name))) {
    throw new AppError(
      'HOST_FOREIGN',
      'This host name does not lead to this agent: use 127.0.0.1 or localhost',
    );
  }
  if (isVisit && isDocument(header)) return;
  if (isOurs(rules, authority, header('origin'), header('sec-fetch-site'))) return;
  throw new AppError('ORIGIN_FOREIGN', 'Pages of another origin may not call this agent');
}

/** The browser shows the response in a window of its own; the linking page cannot read it. */
function isDocument(header: (name: string) => string | undefined): boolean {
  return header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document';
}

function isOurs(
  { scheme, allowedOrigins }: SiteRules,
  authority: string,
  origin: string | undefined,
  fetchSite = 'none',
): boolean {
  if (origin === undefined) return fetchSite === 'none' || fetchSite === 'same-origin';
  return origin.toLowerCase() === `${scheme}://${authority}` || allowedOrigins.includes(origin);
}
