import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { Payments } from '../../payment/payments.ts';
import type { Devices } from '../../terminal/device.ts';
import type { Api, Caller, RoutePlugin } from '../api.ts';
import { Event, ListEvents } from '../contract/event.ts';
import { renderEvent } from '../render/event.ts';
import { sendStream } from '../reply/reply.ts';
import type { EventStreams, StreamCaller } from '../stream/event-streams.ts';
import { atCursor, cursorsOf } from './cursor.ts';
import { isCounted, listReply, listShape } from './list-reply.ts';

const TAG = 'Events';
const MAX_EVENT_ID = 64;

export interface EventDeps {
  readonly payments: Payments;
  readonly devices: Devices;
  readonly streams: EventStreams;
}

/** Events, as a list and as a stream. */
export function eventRoutes(deps: EventDeps): RoutePlugin {
  return async (api) => {
    listRoute(api, deps);
    streamRoute(api, deps);
  };
}

function listRoute(api: Api, { payments, devices }: EventDeps): void {
  api.route({
    method: 'GET',
    url: '/v2/events',
    schema: { querystring: ListEvents },
    config: {
      operationId: 'listEvents',
      tag: TAG,
      access: 'webhooks:read',
      summary:
        'List events, oldest first; starting_after gives what is newer. The list begins behind what was archived (`retention`): an event from before is refused as a cursor, so that nothing is skipped unsaid.',
      replies: [listShape(Event, 'One page of events.')],
      refusals: ['CURSOR_UNKNOWN', 'CURSORS_CONFLICT'],
    },
    handler: ({ query, serviceVersion }) => {
      const { limit } = query;
      const counted = { isCounted: isCounted(serviceVersion) };
      const { items, hasMore, place } = atCursor(query, () =>
        payments.events({ limit, ...cursorsOf(query), ...counted }),
      );
      const rendered = items.map((event) => renderEvent(event, devices));
      return listReply(serviceVersion, { items: rendered, hasMore, url: '/v2/events', limit, ...place });
    },
  });
}

function streamRoute(api: Api, { streams }: EventDeps): void {
  api.route({
    method: 'GET',
    url: '/v2/events/stream',
    schema: {
      querystring: z.strictObject({
        starting_after: z.string().max(MAX_EVENT_ID).optional(),
        version: z.string().optional(),
      }),
    },
    exposeHeadRoute: false,
    config: {
      operationId: 'streamEvents',
      tag: TAG,
      access: 'webhooks:read',
      summary:
        'Server-sent events: what is newer than Last-Event-ID or starting_after (else from now on), then live. ' +
        'terminal_payment.progress has no id and is never repeated.',
      replies: [
        {
          status: 200,
          description: 'Each message: id, event (the type), data (the event as the list gives it).',
          mediaType: 'text/event-stream',
          schema: z.string(),
        },
      ],
      refusals: ['CURSOR_UNKNOWN', 'STREAMS_EXHAUSTED'],
      endless: true,
    },
    handler: ({ query, header, caller }, reply) => {
      const after = lastSeen(header('last-event-id')) ?? query.starting_after;
      const stream = atCursor({ starting_after: after }, () =>
        streams.reply(after ?? null, readerOf(caller)),
      );
      return sendStream(reply, stream);
    },
  });
}

/** All users of the pages are one caller, but each session has its own event streams. */
function readerOf({ id, session, stillAllowed }: Caller): StreamCaller {
  return { id: session?.id ?? id, stillAllowed };
}

function lastSeen(id: string | undefined): string | undefined {
  if (id === undefined || id === '') return undefined;
  if (id.length <= MAX_EVENT_ID) return id;
  throw new AppError('CURSOR_UNKNOWN', 'Last-Event-ID names nothing that is kept here', {
    context: { param: 'Last-Event-ID' },
  });
}
