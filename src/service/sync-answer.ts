import type { AppError } from '../base/errors.ts';
import { assertNever } from '../base/invariant.ts';
import { sinkError } from '../integration/failure/sink-error.ts';
import type { NotApplied, Refusal } from '../outbox/report-port.ts';

/** Why a whole request of a sink failed; the sink itself reports a refusal of single records. */
export function sinkErrorOf(answer: NotApplied): AppError {
  switch (answer.kind) {
    case 'unauthorised':
      return sinkError('SINK_UNAUTHORISED', `the service refuses our key: ${wordsOf(answer.refusal)}`);
    case 'forbidden':
      return sinkError(
        'SINK_UNAUTHORISED',
        `our key may not do this at the service: ${wordsOf(answer.refusal)}`,
      );
    case 'rate_limited':
      return sinkError('SINK_RATE_LIMITED', 'the service wants fewer requests', answer);
    case 'unavailable':
      return answer.trouble === 'service'
        ? sinkError('SINK_UNAVAILABLE', `the service cannot answer now: ${answer.words}`, answer)
        : sinkError('SINK_LINE_DOWN', `there is no way to the service: ${answer.words}`);
    case 'conflict_in_progress':
      return sinkError('SINK_UNAVAILABLE', 'the service is still busy with the same request', answer);
    case 'not_found':
    case 'already_exists':
    case 'refused':
    case 'key_mismatch':
      return sinkError(
        'SINK_REFUSED',
        `the service refuses this: ${wordsOf(answer.refusal)}`,
        answer.refusal,
      );
    default:
      return assertNever(answer);
  }
}

/** The service's own message, with its code. */
export function wordsOf({ code, message }: Refusal): string {
  return code === null || code === 'validation_error' ? message : `${code}: ${message}`;
}
