import type { z } from 'zod';
import type { DescribedRoute } from '../plugins/described-routes.ts';
import type { ServiceVersion } from '../version.ts';
import { answersOf } from './answers.ts';
import { parametersOf } from './parameters.ts';
import type { ResponseRegistry } from './responses.ts';
import type { SchemaRegistry } from './schema-registry.ts';

/** Components that the operations of one document share. */
export interface DocumentParts {
  readonly schemas: SchemaRegistry;
  readonly responses: ResponseRegistry;
  /** The API version whose shapes are described, where versions differ. */
  readonly version: ServiceVersion;
}

/** The operation of one route. */
export function operationOf(route: DescribedRoute, { schemas, responses, version }: DocumentParts): object {
  const answers = Object.entries(answersOf(route, schemas, version));
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: accessWords(route),
    ...(route.access === 'socket_only' ? { 'x-unix-socket-only': true } : {}),
    security: securityOf(route),
    parameters: parametersOf(route, schemas),
    ...(route.body === null ? {} : { requestBody: requestOf(route.body, schemas) }),
    responses: Object.fromEntries(
      answers.map(([status, answer]) => [status, responses.of(Number(status), answer)]),
    ),
  };
}

function requestOf(body: z.ZodType, schemas: SchemaRegistry): object {
  return {
    required: needsBody(body),
    content: { 'application/json': { schema: schemas.of(body, 'input') } },
  };
}

/** False where every field has a default or is optional: no body means the same as an empty one. */
function needsBody(body: z.ZodType): boolean {
  return !body.safeParse({}).success;
}

function accessWords({ access }: DescribedRoute): string {
  if (access === 'open') return 'Open on loopback; elsewhere the scope `settings:read`.';
  if (access === 'socket_only') return 'Through the unix socket only; 403 elsewhere.';
  return `Scope: \`${access}\`. The unix socket needs no key.`;
}

/** The three ways to send a key, and its required scope. */
function securityOf({ access }: DescribedRoute): readonly Record<string, readonly string[]>[] {
  if (access === 'socket_only') return [];
  const scopes = [access === 'open' ? 'settings:read' : access];
  const keyed = [{ apiKey: scopes }, { serviceKey: scopes }, { bearer: scopes }];
  return access === 'open' ? [{}, ...keyed] : keyed;
}
