import { AppError } from '../../base/errors.ts';
import { SINK_CODES, type SinkCode } from './failure.ts';

/** Facts beside the message; never a credential. */
export interface SinkErrorFacts {
  /** The wait that the sink asks for, ms. */
  readonly retryAfterMs?: number | null;
  readonly status?: number;
}

const LONGEST_WORDS = 500;

/** Why a sink took no record, with a code that the engine knows. `message` is shown to people and must hold no credential. */
export function sinkError(code: SinkCode, message: string, facts: SinkErrorFacts = {}): AppError {
  const { retryAfterMs, status } = facts;
  const meaning = SINK_CODES[code];
  return new AppError(code, message.slice(0, LONGEST_WORDS), {
    retry: meaning === 'fail' ? 'never' : 'safe',
    context: {
      ...(retryAfterMs === undefined || retryAfterMs === null ? {} : { retryAfterMs }),
      ...(status === undefined ? {} : { status }),
    },
  });
}
