import { z } from 'zod';
import type { Api, RoutePlugin } from '../api.ts';
import { openApiDocument } from '../openapi/document.ts';
import { JSON_TYPE } from '../reply/reply.ts';
import type { ServiceVersion } from '../version.ts';
import { VersionQuery } from './list-reply.ts';

/**
 * The OpenAPI document of all routes, this one included, created on the first request of its kind and kept as text. Over TCP it leaves
 * out what only the unix socket serves: a generated client would get methods that always fail.
 */
export function openApiRoutes(version: string): RoutePlugin {
  return async (api) => {
    const documents = new Map<string, string>();
    documentRoute(api, (whole, serviceVersion) => {
      const kind = `${serviceVersion} ${whole}`;
      const routes = api.describedRoutes.filter(({ access }) => whole || access !== 'socket_only');
      const text = documents.get(kind) ?? JSON.stringify(openApiDocument(routes, version, serviceVersion));
      documents.set(kind, text);
      return text;
    });
  };
}

function documentRoute(
  api: Api,
  documentOf: (whole: boolean, serviceVersion: ServiceVersion) => string,
): void {
  api.route({
    method: 'GET',
    url: '/v2/openapi.json',
    schema: { querystring: VersionQuery },
    config: {
      operationId: 'getOpenApi',
      tag: 'Daemon',
      access: 'open',
      summary:
        'This description as OpenAPI 3.1, in the shapes of the Service-Version that it is asked for with.',
      replies: [
        {
          status: 200,
          description: 'An OpenAPI 3.1 document.',
          schema: z.looseObject({ openapi: z.string() }),
        },
      ],
      refusals: [],
    },
    handler: ({ caller, serviceVersion }, reply) =>
      reply.type(JSON_TYPE).send(documentOf(caller.id === 'socket', serviceVersion)),
  });
}
