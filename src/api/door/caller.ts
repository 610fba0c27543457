import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { isLoopback } from '../../base/loopback.ts';
import { Scope } from '../contract/key.ts';
import { authenticate, credentialOf, hashOfCredential } from '../keys/authenticate.ts';
import type { Environment } from '../keys/create-key.ts';
import type { ApiKeyRecord, ApiKeyStore } from '../ports.ts';
import type { Access, Caller } from '../routes/route.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Peer } from './request.ts';

const TOUCH_EVERY_MS = 60_000;
const SOCKET: Caller = { id: 'socket', scopes: Scope.options, stillAllowed: () => true };
const ANONYMOUS: Caller = { id: 'anonymous', scopes: [], stillAllowed: () => true };

export interface CallerPorts {
  readonly keys: ApiKeyStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** What every key must pass. */
export interface Guards {
  readonly environment: Environment;
  readonly limiter: RateLimiter;
}

export interface Identified {
  readonly caller: Caller;
  /** Rate-limit headers, where there is a limit. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Says who asks and whether they may: the unix socket trusts the file's permissions, everybody else shows a key.
 * @throws SOCKET_ONLY, CREDENTIAL_MISSING, CREDENTIAL_UNKNOWN, CREDENTIAL_REVOKED, CREDENTIAL_EXPIRED,
 * ADDRESS_NOT_ALLOWED, RATE_LIMITED, SCOPE_MISSING
 */
export function identify(
  ports: CallerPorts,
  { environment, limiter }: Guards,
  access: Access,
  peer: Peer,
  header: (name: string) => string | undefined,
): Identified {
  if (peer.kind === 'socket') return { caller: SOCKET, headers: {} };
  if (access === 'socket_only')
    throw new AppError('SOCKET_ONLY', 'This is answered through the unix socket only');
  if (access === 'open' && isLoopback(peer.address)) return { caller: ANONYMOUS, headers: {} };
  const credential = credentialOf(header);
  if (!credential.startsWith(`rk_${environment}_`))
    throw new AppError('CREDENTIAL_UNKNOWN', `This is not a key of the ${environment} environment`);
  const hash = hashOfCredential(credential);
  const record = authenticate(ports.keys, hash, peer.address, ports.clock.now());
  const headers = limiter.take(record.id);
  requireScope(record, access === 'open' ? 'settings:read' : access, headers);
  touch(ports, record);
  return { caller: { ...record, stillAllowed: () => isStillAllowed(ports, hash, peer.address) }, headers };
}

function requireScope(record: ApiKeyRecord, scope: Scope, headers: Readonly<Record<string, string>>): void {
  if (record.scopes.includes(scope)) return;
  throw new AppError('SCOPE_MISSING', `This API key lacks the scope ${scope}`, {
    context: { details: { required: [scope] }, headers },
  });
}

/** When a key was last used is worth knowing to the minute, not a write per request, and no reason to refuse a sale. */
function touch({ keys, clock, log }: CallerPorts, record: ApiKeyRecord): void {
  const now = clock.now();
  if (record.lastUsedAt !== null && Math.abs(now - record.lastUsedAt) < TOUCH_EVERY_MS) return;
  try {
    keys.touch(record.id, now);
  } catch (error) {
    log.warn({ keyId: record.id, error: messageOf(error) }, 'last use of a key not noted');
  }
}

function isStillAllowed({ keys, clock }: CallerPorts, hash: string | undefined, address: string): boolean {
  try {
    authenticate(keys, hash, address, clock.now());
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
