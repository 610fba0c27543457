import { z } from 'zod';
import { openApiDocument } from '../openapi/document.ts';
import { jsonText } from '../reply/reply.ts';
import { NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

/** The description of the whole table, itself included; made on the first request and kept as text. */
export function openApiRoute(routes: () => readonly Route[], version: string): Route {
  let document: string | undefined;
  return defineRoute({
    method: 'GET',
    path: '/v2/openapi.json',
    operationId: 'getOpenApi',
    tag: 'Daemon',
    access: 'open',
    summary: 'This description, as OpenAPI 3.1.',
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
    handler: () => {
      document ??= JSON.stringify(openApiDocument(routes(), version));
      return jsonText(200, document);
    },
  });
}
