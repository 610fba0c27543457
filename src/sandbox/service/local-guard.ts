import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from './errors.ts';
import { isLoopbackName } from './loopback-name.ts';

/**
 * Limits the keyless control routes to this machine: a web page from elsewhere, or a name rebound to this address, must not
 * reach them.
 * @throws Refusal 403 `forbidden` from another machine, 421 for a foreign `Host`, 403 `origin_not_allowed`.
 */
export function requireLocal(remoteAddress: string | undefined, headers: IncomingHttpHeaders): void {
  if (!/^(::ffff:)?127\.|^::1$/.test(remoteAddress ?? '')) {
    throw refuse(403, 'forbidden', 'The control routes answer on this machine only.', {
      type: 'authorization_error',
    });
  }
  if (!isLoopbackUrl(`http://${headers.host ?? ''}`)) {
    throw refuse(421, 'forbidden', 'The Host is not this machine.', {
      type: 'authorization_error',
      param: 'Host',
    });
  }
  if (headers.origin !== undefined && !isLoopbackUrl(headers.origin)) {
    throw refuse(403, 'origin_not_allowed', 'The Origin is not this machine.', {
      type: 'authorization_error',
    });
  }
}

function isLoopbackUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.username === '' && isLoopbackName(url.hostname);
}
