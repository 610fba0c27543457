import fastifyPlugin from 'fastify-plugin';
import { z } from 'zod';
import { invariant } from '../../base/invariant.ts';
import type { Api, RouteConfig } from '../api.ts';

/** A route as the OpenAPI document describes it. */
export interface DescribedRoute extends RouteConfig {
  readonly method: string;
  /** `/v2/keys/{id}` */
  readonly path: string;
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  /** null: it takes no body. */
  readonly body: z.ZodType | null;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route of the OpenAPI document, in the order of registration. */
    describedRoutes: DescribedRoute[];
  }
}

const NOTHING = z.strictObject({});

/** Collects the routes that the OpenAPI document describes. */
export const describedRoutes = fastifyPlugin(async (api: Api) => {
  api.decorate('describedRoutes', []);
  api.addHook('onRoute', ({ url, method, schema, config }) => {
    const { operationId, tag, summary, access, replies, refusals } = config ?? {};
    const isWhole = operationId && tag && summary && access && replies && refusals;
    invariant(isWhole, `${url} says what it is, and who may call it`);
    if (config?.hidden || method === 'HEAD') return;
    api.describedRoutes.push({
      ...config,
      ...{ operationId, tag, summary, access, replies, refusals },
      method: String(method),
      path: templateOf(url),
      params: schemaOr(schema?.params, NOTHING),
      query: schemaOr(schema?.querystring, NOTHING),
      body: schemaOr(schema?.body, null),
    });
  });
});

/** `/v2/keys/:id` as the document writes it: `/v2/keys/{id}`. */
export function templateOf(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}');
}

function schemaOr<T>(schema: unknown, otherwise: T): z.ZodType | T {
  return schema instanceof z.ZodType ? schema : otherwise;
}
