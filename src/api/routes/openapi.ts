import { z } from 'zod';
import { openApiDocument } from '../openapi/document.ts';
import { jsonText } from '../reply/reply.ts';
import type { ServiceVersion } from '../version.ts';
import { NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

/**
 * The OpenAPI document of the whole table, itself included, created on the first request of its kind and kept as text. Over TCP it leaves
 * out what only the unix socket serves: a generated client would get methods that always fail.
 */
export function openApiRoute(routes: () => readonly Route[], version: string): Route {
  const documents = new Map<string, string>();
  const describe = (whole: boolean, serviceVersion: ServiceVersion) =>
    openApiDocument(
      routes().filter(({ access }) => whole || access !== 'socket_only'),
      version,
      serviceVersion,
    );
  return defineRoute({
    method: 'GET',
    path: '/v2/openapi.json',
    operationId: 'getOpenApi',
    tag: 'Daemon',
    access: 'open',
    summary:
      'This description as OpenAPI 3.1, in the shapes of the Service-Version that it is asked for with.',
    params: NoParams,
    query: VersionQuery,
    body: null,
    replies: [
      {
        status: 200,
        description: 'An OpenAPI 3.1 document.',
        schema: z.looseObject({ openapi: z.string() }),
      },
    ],
    refusals: [],
    handler: (_input, { caller, version: serviceVersion }) => {
      const whole = caller.id === 'socket';
      const kind = `${serviceVersion} ${whole}`;
      const text = documents.get(kind) ?? JSON.stringify(describe(whole, serviceVersion));
      documents.set(kind, text);
      return jsonText(200, text);
    },
  });
}
