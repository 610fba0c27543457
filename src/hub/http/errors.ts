import { randomInt } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { AppError, messageOf } from '../../base/errors.ts';
import { isAway } from '../database/away.ts';
import { printable } from '../printing.ts';

/** The status of every error that an agent or an operator can get; another one is a fault of the hub. */
const STATUS: Readonly<Record<string, number>> = {
  REQUEST_INVALID: 400,
  AGENT_UNKNOWN: 401,
  OPERATOR_UNKNOWN: 401,
  AGENT_REVOKED: 403,
  INVITATION_INVALID: 403,
  ORIGIN_FOREIGN: 403,
  ROLE_TOO_SMALL: 403,
  RESOURCE_MISSING: 404,
  ROUTE_UNKNOWN: 404,
  AGENT_NOT_QUARANTINED: 409,
  COMMAND_SENT: 409,
  DESTINATION_IN_USE: 409,
  EXCHANGE_SUPERSEDED: 409,
  JOURNAL_GAP: 409,
  JOURNAL_BRANCHES: 409,
  ROLLOUT_EXISTS: 409,
  ROLLOUT_OVERLAPS: 409,
  ROLLOUT_STATE: 409,
  BODY_TOO_LARGE: 413,
  STATE_TOO_LARGE: 413,
  ALERT_LIMIT: 422,
  COMMAND_INVALID: 422,
  DESTINATION_INVALID: 422,
  DESTINATION_UNKNOWN: 422,
  JOURNAL_MISFIT: 422,
  POSITION_UNKNOWN: 422,
  ROLLOUT_LIMIT: 422,
  SHOP_NAME_INVALID: 422,
  OVERLOADED: 429,
  DATABASE_AWAY: 503,
};

/** A failover takes some seconds: agents come again within so many. */
const AWAY_WITHIN_S = 10;

/** Codes of Fastify, and what they are here. */
const OF_FASTIFY: Readonly<Record<string, AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError(
    'BODY_TOO_LARGE',
    'the body is larger than 4 MiB: send fewer entries',
  ),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError('REQUEST_INVALID', 'the body must be application/json'),
};

export function overloaded(seconds: number): AppError {
  return new AppError('OVERLOADED', `too many requests at once: come again in ${seconds} s`, {
    context: { retry_after: seconds },
  });
}

/** `{"error": {"code": "journal_gap", "message": …, "details": {…}}}`, as the local interface has it. */
export function answerError(raised: unknown, reply: FastifyReply): FastifyReply {
  const error = known(raised);
  const status = STATUS[error.code] ?? 500;
  const retry = error.context['retry_after'];
  if (typeof retry === 'number') reply.header('retry-after', String(retry));
  const code = error.code.toLowerCase();
  return reply.code(status).send({ error: { code, message: error.message, details: error.context } });
}

/** What is not known is logged and not shown: its text may quote the database. */
function known(raised: unknown): AppError {
  if (isAway(raised)) return databaseAway(raised);
  if (raised instanceof AppError && raised.code in STATUS) return raised;
  const code = typeof raised === 'object' && raised !== null && 'code' in raised ? String(raised.code) : '';
  const ofFastify = OF_FASTIFY[code];
  if (ofFastify !== undefined) return ofFastify;
  process.stderr.write(`tillhub: ${code === '' ? 'failed' : code}: ${printable(messageOf(raised))}\n`);
  return new AppError('HUB_FAILED', 'the hub could not do this: come again', { cause: raised });
}

/** A failover takes some seconds. Each request gets another moment, so that the agents do not come back all at once. */
function databaseAway(cause: unknown): AppError {
  return new AppError('DATABASE_AWAY', 'the database of the hub does not answer: come again', {
    cause,
    context: { retry_after: 1 + randomInt(AWAY_WITHIN_S) },
  });
}
