import fastifyPlugin from 'fastify-plugin';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Spans } from '../../base/span.ts';
import { requestSpanOf } from '../../base/trace.ts';
import type { Api } from '../api.ts';
import { templateOf } from './described-routes.ts';

export interface SpanDeps {
  readonly spans: Spans;
  readonly clock: Clock;
}

const Created = z.object({ data: z.object({ id: z.string() }) });

/** Records a span of every request that created a payment, a refund or a void; its id is read from the response. */
export const spans = fastifyPlugin(async (api: Api, deps: SpanDeps) => {
  const startedAt = new WeakMap<object, number>();
  api.addHook('preValidation', async (request) => {
    startedAt.set(request, deps.clock.now());
  });
  api.addHook('onSend', async (request, reply, payload) => {
    const { config, url } = request.routeOptions;
    if (config.idempotent !== 'with_its_payment' || reply.statusCode !== 201) return;
    const created = Created.safeParse(JSON.parse(String(payload))).data;
    if (!created) return;
    const of = { id: created.data.id, trace: request.trace };
    const endedAt = deps.clock.now();
    deps.spans.ended({
      of,
      id: requestSpanOf(of),
      parent: request.trace?.parent ?? null,
      kind: 'server',
      name: `${request.method} ${templateOf(url ?? '')}`,
      startedAt: startedAt.get(request) ?? endedAt,
      endedAt,
      facts: { 'http.response.status_code': reply.statusCode },
    });
  });
});
