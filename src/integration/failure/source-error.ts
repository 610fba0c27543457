import { AppError } from '../../base/errors.ts';
import { SOURCE_CODES, type SourceCode } from '../connector.ts';

/** Facts beside the message; never a credential. */
export interface SourceErrorFacts {
  /** The wait that the source asks for, ms. */
  readonly retryAfterMs?: number | null;
  readonly status?: number;
  readonly cause?: unknown;
}

/** The longest text of an error; a provider's own text can be a whole page. */
const LONGEST_WORDS = 500;

/**
 * Why a source returned nothing, with a code that the engine knows: `context.retryAfterMs` and `context.status` where they are known.
 * `message` is shown to people and must hold no credential.
 */
export function sourceError(code: SourceCode, message: string, facts: SourceErrorFacts = {}): AppError {
  const { retryAfterMs, status, cause } = facts;
  const meaning = SOURCE_CODES[code];
  return new AppError(code, message.slice(0, LONGEST_WORDS), {
    retry: meaning === 'retry' || meaning === 'wait' ? 'safe' : 'never',
    context: {
      ...(retryAfterMs === undefined || retryAfterMs === null ? {} : { retryAfterMs }),
      ...(status === undefined ? {} : { status }),
    },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** True for an error that a connector may throw. */
export function isSourceError(error: unknown): error is AppError & { readonly code: SourceCode } {
  return error instanceof AppError && Object.hasOwn(SOURCE_CODES, error.code);
}
