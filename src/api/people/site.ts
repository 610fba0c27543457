import type { FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Site } from './passkeys.ts';

/**
 * Where the page of a request was loaded from; its host was checked before. Passkeys are of a host name, whatever the port: a page of another
 * program of this machine could have one signed and pass it on under its own port.
 * @throws HOST_FOREIGN for a port that is not this listener's, but for those of a scheme, which only root opens, and those of a trusted proxy
 */
export function siteOf(request: Pick<FastifyRequest, 'header' | 'protocol' | 'ips' | 'raw'>): Site {
  const { header, protocol, ips = [], raw } = request;
  const authority = (header('host') ?? '').toLowerCase();
  const port = /:(\d+)$/.exec(authority)?.[1];
  const isThroughProxy = ips.length > 1;
  if (port !== undefined && !isThroughProxy && Number(port) !== raw.socket.localPort)
    throw new AppError('HOST_FOREIGN', 'Passkeys are not used through another port than that of this agent');
  return { origin: `${protocol}://${authority}`, host: authority.replace(/:\d+$/, '') };
}
