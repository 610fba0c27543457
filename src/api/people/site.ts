import type { FastifyRequest } from 'fastify';
import type { Site } from './passkeys.ts';

/** Where the page of a request was loaded from; its host was checked before. */
export function siteOf({ header, protocol }: Pick<FastifyRequest, 'header' | 'protocol'>): Site {
  const authority = (header('host') ?? '').toLowerCase();
  return { origin: `${protocol}://${authority}`, host: authority.replace(/:\d+$/, '') };
}
