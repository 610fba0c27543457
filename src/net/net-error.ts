import { AppError, messageOf } from '../base/errors.ts';

/** Whether the peer can have seen the request. `no`: there was no connection, so no byte was sent. */
export type Reached = 'no' | 'unknown';

/**
 * The error of a failed request:
 * NET_NAME_RESOLUTION, NET_UNREACHABLE, NET_TIMEOUT or NET_BODY_TOO_LARGE,
 * with `context.reached` ({@link Reached}) and `context.cause` (the system's code: `ECONNREFUSED`).
 */
export function netError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const word = codeOf(error);
  const [code, message] = CODES[word] ?? ['NET_UNREACHABLE', 'the connection failed'];
  return new AppError(code, `${message} (${word || messageOf(error)})`, {
    retry: code === 'NET_BODY_TOO_LARGE' ? 'never' : 'safe',
    context: { reached: neverConnected(error, word) ? 'no' : 'unknown', cause: word },
    cause: error,
  });
}

/** The answer has more bytes than the limit, as sent or after unpacking. */
export function bodyTooLarge(bytes: number): AppError {
  return new AppError('NET_BODY_TOO_LARGE', `the answer has more than ${bytes} bytes`, {
    context: { reached: 'unknown', cause: 'UNPACKED' },
  });
}

/** The answer cannot be unpacked: it is damaged, or has an encoding that was not requested. */
export function bodyUnreadable(words: string): AppError {
  return new AppError('NET_BODY_UNREADABLE', words, { context: { reached: 'unknown', cause: 'ENCODING' } });
}

/** tilld's own timeout passed before the answer was complete. */
export function timedOut(ms: number): AppError {
  return new AppError('NET_TIMEOUT', `no complete answer within ${ms} ms`, {
    retry: 'safe',
    context: { reached: 'unknown', cause: 'DEADLINE' },
  });
}

/** The circuit breaker is open; nothing was sent. */
export function breakerOpen(): AppError {
  return new AppError('NET_BREAKER_OPEN', 'the peer failed too often; the request was not sent', {
    retry: 'safe',
    context: { reached: 'no', cause: 'BREAKER' },
  });
}

/** `reached` of an error of this folder; `unknown` for any other error. */
export function reachedOf(error: unknown): Reached {
  return error instanceof AppError && error.context['reached'] === 'no' ? 'no' : 'unknown';
}

const CODES: Readonly<Record<string, readonly [code: string, message: string]>> = {
  ENOTFOUND: ['NET_NAME_RESOLUTION', 'the name is not known'],
  EAI_AGAIN: ['NET_NAME_RESOLUTION', 'name resolution does not answer'],
  EAI_FAIL: ['NET_NAME_RESOLUTION', 'name resolution failed'],
  EAI_NODATA: ['NET_NAME_RESOLUTION', 'the name has no address'],
  ETIMEDOUT: ['NET_TIMEOUT', 'the connection timed out'],
  UND_ERR_CONNECT_TIMEOUT: ['NET_TIMEOUT', 'no connection in time'],
  UND_ERR_HEADERS_TIMEOUT: ['NET_TIMEOUT', 'no answer in time'],
  UND_ERR_BODY_TIMEOUT: ['NET_TIMEOUT', 'the answer stopped'],
  UND_ERR_RES_EXCEEDED_MAX_SIZE: ['NET_BODY_TOO_LARGE', 'the answer is too large'],
  UND_ERR_HEADERS_OVERFLOW: ['NET_BODY_TOO_LARGE', 'the headers of the answer are too large'],
};

/** A failed look-up, a refused or timed-out connect, a TLS handshake with the wrong peer: the request was not sent. */
function neverConnected(error: unknown, word: string): boolean {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every((inner) => neverConnected(inner, codeOf(inner)));
  }
  const syscall = error instanceof Error && 'syscall' in error ? error.syscall : undefined;
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  return word === 'UND_ERR_CONNECT_TIMEOUT' || CERTIFICATE.test(word);
}

const CERTIFICATE = /^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_)/;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
