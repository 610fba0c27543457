import { z } from 'zod';
import type { AppError } from '../base/errors.ts';
import type { ConnectorContext, Json, SourceReply } from '../integration/connector.ts';
import { sourceError } from '../integration/failure/source-error.ts';
import type { HttpReply } from '../net/http-client.ts';
import { retryAfterMs } from '../net/retry-after.ts';
import type { Answer } from '../outbox/report-port.ts';
import { HEADERS } from './contract.ts';
import { wordsOf } from './sync-answer.ts';
import type { SyncLine } from './sync-line.ts';

/**
 * `ConnectorContext.http` of the `service` connector: GETs over the link's own line.
 * The link shows a refused key, so it makes a run wait and never pauses an integration.
 */
export function sourceOverLine(line: SyncLine): ConnectorContext['http'] {
  return async ({ path, query, body }, signal) => {
    if (body) throw sourceError('SOURCE_REFUSED', 'the service is read through this line, and never written');
    if (!path.startsWith('/') || path.startsWith('//'))
      throw sourceError(
        'SOURCE_MALFORMED',
        'the next page leads away from the service; nothing was sent there',
      );
    const call = { method: 'GET', path, ...(query ? { query } : {}), reads: ANY_JSON } as const;
    const { answer, reply } = await line.ask(call, signal);
    const trouble = troubleOf(answer);
    if (trouble) throw trouble;
    if (reply) return sourceReply(reply, answer.kind === 'applied' ? answer.value : undefined);
    throw sourceError('SOURCE_UNAVAILABLE', 'no answer came');
  };
}

/** The connector checks the contents of the service's pages. */
const ANY_JSON = z.custom<Json>((body) => body !== undefined);

/** Null: the connector checks the status itself. */
function troubleOf(answer: Answer): AppError | null {
  switch (answer.kind) {
    case 'unauthorised':
    case 'forbidden':
      return sourceError(
        'SOURCE_NOT_READY',
        `the service refuses our key: ${wordsOf(answer.refusal)}`,
        answer.refusal,
      );
    case 'rate_limited':
      return sourceError('SOURCE_RATE_LIMITED', 'the service wants fewer requests', answer);
    case 'unavailable':
      return answer.trouble === 'service'
        ? sourceError('SOURCE_UNAVAILABLE', `the service cannot answer now: ${answer.words}`, answer)
        : sourceError('SOURCE_LINE_DOWN', `there is no way to the service: ${answer.words}`);
    default:
      return null;
  }
}

/** `json`: of a 2xx alone. */
function sourceReply({ status, headers, text, dateMs }: HttpReply, json: Json | undefined): SourceReply {
  const pause = retryAfterMs(headers[HEADERS.retryAfter], dateMs ?? 0);
  return {
    status,
    headers,
    text,
    dateMs,
    retryAfterMs: pause,
    ...(json === undefined ? {} : { json }),
  };
}
