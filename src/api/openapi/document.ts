import type { DescribedRoute } from '../plugins/described-routes.ts';
import { CURRENT_VERSION, type ServiceVersion } from '../version.ts';
import { INTRODUCTION, SECURITY_SCHEMES, tagOf, WEBHOOKS } from './about.ts';
import { HEADERS } from './headers.ts';
import { type DocumentParts, operationOf } from './operation.ts';
import { PARAMETERS } from './parameters.ts';
import { refusalExamples } from './refusal-examples.ts';
import { ResponseRegistry } from './responses.ts';
import { SchemaRegistry } from './schema-registry.ts';
import { webhooksOf } from './webhooks.ts';

/**
 * The OpenAPI 3.1 document of these routes, derived from their zod schemas.
 * @param version tilld's own
 * @param serviceVersion the API version whose shapes are described, where versions differ
 */
export function openApiDocument(
  routes: readonly DescribedRoute[],
  version: string,
  serviceVersion: ServiceVersion = CURRENT_VERSION,
) {
  const parts = { schemas: new SchemaRegistry(), responses: new ResponseRegistry(), version: serviceVersion };
  const paths = pathsOf(routes, parts);
  const webhooks = webhooksOf(parts.schemas);
  const tags = [...new Set(routes.map(({ tag }) => tag)), WEBHOOKS];
  return {
    openapi: '3.1.0',
    info: {
      title: 'tilld local interface',
      version,
      summary: `Card payments at the counter. Service-Version ${serviceVersion}.`,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The daemon that gave this document.' }],
    tags: tags.map(tagOf),
    paths,
    webhooks,
    components: componentsOf(parts, JSON.stringify([paths, webhooks])),
  };
}

function pathsOf(routes: readonly DescribedRoute[], parts: DocumentParts) {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const item = paths[route.path] ?? {};
    item[route.method.toLowerCase()] = operationOf(route, parts);
    paths[route.path] = item;
  }
  return paths;
}

function componentsOf({ schemas, responses }: DocumentParts, text: string) {
  const shared = responses.components;
  const pointing = text + JSON.stringify(shared);
  return {
    schemas: schemas.components,
    responses: shared,
    parameters: pointedTo('parameters', PARAMETERS, pointing),
    headers: pointedTo('headers', HEADERS, pointing),
    examples: pointedTo('examples', refusalExamples(), pointing),
    securitySchemes: SECURITY_SCHEMES,
  };
}

/** Only components with a reference: the rest is noise to a reader. */
function pointedTo(kind: string, all: Readonly<Record<string, object>>, text: string) {
  const used = Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`));
  return Object.fromEntries(used);
}
