import { DatabaseError } from 'pg';

/** SQLSTATE of a server that stops or starts, has become a standby, or has no connection left. */
const AWAY = new Set(['25006', '53300', '57P01', '57P02', '57P03']);
/** What the client says of a connection that broke, or that was not to be had in time; it has no codes for them. */
const SAID =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (was closed|has encountered a connection error))/;
const OF_THE_NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Whether there was no way to PostgreSQL: what was asked may work when it is asked again. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (error instanceof DatabaseError) return AWAY.has(code);
  return code === 'DATABASE_AWAY' || OF_THE_NETWORK.has(code) || SAID.test(error.message);
}
