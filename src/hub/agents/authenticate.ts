import { createHash } from 'node:crypto';
import { decodeJwt, importJWK, jwtVerify } from 'jose';
import { AppError } from '../../base/errors.ts';
import { RequestClaims } from '../../fleet/contract/signed-request.ts';
import type { TenantTransaction } from '../database/connect.ts';

/** A request as it came in; `path` without its query. */
export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
  readonly token: string;
}

/** Who says to have signed a request; nothing is proved yet. */
export interface ClaimedAgent {
  readonly tenant: string;
  readonly agent: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws AGENT_UNKNOWN when the token names no agent */
export function claimedAgent(token: string): ClaimedAgent {
  const [tenant = '', agent = ''] = claimsOf(token).iss?.split('/') ?? [];
  if (!UUID.test(tenant) || !UUID.test(agent)) throw unknownAgent();
  return { tenant, agent };
}

/** An agent whose request is proved. */
export interface Agent extends ClaimedAgent {
  readonly quarantined: string | null;
}

/**
 * Proves a request by the key of the agent that it names, and looks whether the agent is revoked: every request is looked at, so a revocation counts at once.
 * @throws AGENT_UNKNOWN, AGENT_REVOKED
 */
export async function authenticate(transaction: TenantTransaction, request: SignedRequest): Promise<Agent> {
  const { tenant, agent } = claimedAgent(request.token);
  const row = await transaction
    .selectFrom('agent')
    .select(['public_key', 'revoked_at', 'quarantined'])
    .where('id', '=', agent)
    .executeTakeFirst();
  if (row === undefined) throw unknownAgent();
  await requireSigned(request, row.public_key);
  if (row.revoked_at !== null)
    throw new AppError(
      'AGENT_REVOKED',
      'this agent was revoked. To join again: tillctl fleet leave, then tillctl fleet join with a new invitation',
    );
  return { tenant, agent, quarantined: row.quarantined };
}

/**
 * @param publicKey Ed25519, base64url
 * @throws AGENT_UNKNOWN when the signature is not of this key, or of another request
 */
export async function requireSigned(request: SignedRequest, publicKey: string): Promise<void> {
  const claims = claimsOf(request.token);
  const isThis =
    claims.htm === request.method && claims.htu === request.path && claims.digest === digestOf(request.body);
  if (!isThis) throw unknownAgent();
  try {
    const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x: publicKey }, 'EdDSA');
    await jwtVerify(request.token, key, { algorithms: ['EdDSA'] });
  } catch (cause) {
    throw unknownAgent(cause);
  }
}

function claimsOf(token: string): RequestClaims {
  try {
    return RequestClaims.parse(decodeJwt(token));
  } catch (cause) {
    throw unknownAgent(cause);
  }
}

function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64url');
}

/** The same words for every reason: a stranger learns nothing of the agents there are. */
function unknownAgent(cause?: unknown): AppError {
  return new AppError('AGENT_UNKNOWN', 'the request is not signed by an agent of this fleet', { cause });
}
