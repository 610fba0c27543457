import { z } from 'zod';
import type { RoutePlugin } from '../api.ts';
import { ListLog, LogLine } from '../contract/log-line.ts';
import { JsonRecord, listOf } from '../contract/primitives.ts';
import type { LoggedLine, LogTail } from '../ports.ts';

const URL = '/v2/log';
const Written = z.object({ time: z.string().nullish(), msg: z.string().nullish() });

/** The end of the daemon's log, for a signed-in user of role `ops`. Not for tills. */
export function logRoutes(log: LogTail): RoutePlugin {
  return async (api) => {
    api.route({
      method: 'GET',
      url: URL,
      schema: { querystring: ListLog },
      config: {
        operationId: 'listLogLines',
        tag: 'Pages',
        access: 'socket_only',
        role: 'ops',
        summary: 'The newest lines of the log, as long as this process lives.',
        replies: [{ status: 200, description: 'The newest of them, oldest first.', schema: listOf(LogLine) }],
        refusals: [],
        hidden: true,
      },
      handler: ({ query: { level, limit, starting_after } }) => {
        const lines = log.tail({ after: starting_after ?? null, least: level, limit });
        return { object: 'list', data: lines.map(rendered), has_more: false, url: URL };
      },
    });
  };
}

function rendered({ id, level, text }: LoggedLine): LogLine {
  const parsed = JsonRecord.safeParse(objectIn(text));
  if (!parsed.success) return { id, level, at: null, message: text, fields: {} };
  const { level: _, time, msg, ...fields } = parsed.data;
  const { data } = Written.safeParse({ time, msg });
  return { id, level, at: data?.time ?? null, message: data?.msg ?? '', fields };
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
