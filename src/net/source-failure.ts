import { AppError } from '../base/errors.ts';
import { sourceError } from '../integration/failure/source-error.ts';

/** The system's codes for "this machine has no route". */
const NO_WAY_OUT = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL']);

/** Errors of this folder as the engine's codes. Their texts name the system's cause and the address, never a query or a header. */
export function asSourceError(error: unknown, url: string): AppError {
  if (!(error instanceof AppError)) {
    return sourceError('SOURCE_UNAVAILABLE', 'the request could not be made: something in it cannot be sent');
  }
  const { code, context, message } = error;
  if (code === 'NET_NAME_RESOLUTION') {
    return sourceError('SOURCE_LINE_DOWN', `the source's name was not found: ${message}`);
  }
  if (code === 'NET_BODY_TOO_LARGE' || code === 'NET_BODY_UNREADABLE')
    return sourceError('SOURCE_MALFORMED', `${message} (${url})`);
  if (code === 'NET_UNREACHABLE' && NO_WAY_OUT.has(String(context['cause']))) {
    return sourceError('SOURCE_LINE_DOWN', `there is no way to the source: ${message} (${url})`);
  }
  return sourceError('SOURCE_UNAVAILABLE', `${message} (${url})`);
}

/** A text without any of the secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length > 0)
    .reduce((words, secret) => words.replaceAll(secret, '[credential]'), text);
}
