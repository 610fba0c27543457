import { ApiContext } from '../../../src/api/context.ts';
import { createApi } from '../../../src/api/create-api.ts';
import type { ApiDeps } from '../../../src/api/deps.ts';
import { openApiDocument } from '../../../src/api/openapi/document.ts';
import type { DescribedRoute } from '../../../src/api/plugins/described-routes.ts';
import type { ServiceVersion } from '../../../src/api/version.ts';
import { Description, type SeenAnswer } from '../../support/described.ts';

/** Every route of the document over these ports. */
export async function routesOf(deps: ApiDeps): Promise<readonly DescribedRoute[]> {
  const context = new ApiContext({ environment: 'sandbox', version: '0.1.0' }, deps);
  const api = createApi(context, { via: 'socket' });
  await api.ready();
  return api.describedRoutes;
}

let routes: readonly DescribedRoute[] = [];
const descriptions = new Map<ServiceVersion, Description>();

/** From now on answers are held against the document of these routes; of them only what they say of themselves counts. */
export async function describeRoutesOf(deps: ApiDeps): Promise<void> {
  if (routes.length === 0) routes = await routesOf(deps);
}

/** What is wrong with an answer that the document of its version does not describe. */
export function undescribedIn(method: string, target: string, answer: SeenAnswer): Error | undefined {
  const version = answer.headers['service-version'] === '2026-01-15' ? '2026-01-15' : '2026-05-01';
  const description = descriptions.get(version) ?? new Description(openApiDocument(routes, '0.1.0', version));
  descriptions.set(version, description);
  const faults = description.faultsOf(method, target, answer);
  if (faults.length === 0) return undefined;
  return new Error(
    `the OpenAPI document does not describe this answer to ${method} ${target}:\n${faults.join('\n')}\n${answer.text.slice(0, 2000)}`,
  );
}
