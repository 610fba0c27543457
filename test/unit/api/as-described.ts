import type { ApiDeps } from '../../../src/api/open-door.ts';
import { openApiDocument } from '../../../src/api/openapi/document.ts';
import type { Route } from '../../../src/api/routes/route.ts';
import { routeTable } from '../../../src/api/routes/table.ts';
import { STREAM_LIMITS } from '../../../src/api/stream/event-stream.ts';
import { EventStreams } from '../../../src/api/stream/event-streams.ts';
import type { ServiceVersion } from '../../../src/api/version.ts';
import { Description, type SeenAnswer } from '../../support/described.ts';

/** The whole route table over these ports. */
export function routesOf(deps: ApiDeps): readonly Route[] {
  return routeTable({ ...deps, streams: new EventStreams(deps, STREAM_LIMITS, 1) }, 'sandbox', '0.1.0');
}

let routes: readonly Route[] = [];
const descriptions = new Map<ServiceVersion, Description>();

/** From now on answers are held against the document of this table; of its routes only what they say of themselves counts. */
export function describeRoutesOf(deps: ApiDeps): void {
  if (routes.length === 0) routes = routesOf(deps);
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
