import { listOf } from '../api/contract/primitives.ts';
import { WebhookEndpoint } from '../api/contract/webhook-endpoint.ts';
import { AppError } from '../base/errors.ts';
import { canonicalId, isUuid } from '../base/ids.ts';
import type { DaemonClient } from './client.ts';

const ENDPOINTS = '/v2/webhook-endpoints';

/** Path of one delivery. @throws USAGE when the id is no UUID. */
export function deliveryPath(id: string): string {
  if (isUuid(id)) return `/v2/webhook-deliveries/${canonicalId(id)}`;
  throw new AppError('USAGE', 'the id is a UUID: `tillctl webhooks deliveries` lists them');
}

/** Path of one endpoint. @param wanted its id or its address. @throws as {@link endpointId} */
export async function endpointPath(client: DaemonClient, wanted: string): Promise<string> {
  return `${ENDPOINTS}/${await endpointId(client, wanted)}`;
}

/**
 * The id of an endpoint by its id, which is not looked up, or by its address.
 * @throws USAGE when it is neither, or when no endpoint or several have the address
 */
export async function endpointId(client: DaemonClient, wanted: string): Promise<string> {
  if (isUuid(wanted)) return canonicalId(wanted);
  const lists = '`tillctl webhooks list` shows them';
  if (!URL.canParse(wanted))
    throw new AppError('USAGE', `an endpoint is named by its id or its address: ${lists}`);
  const { href } = new URL(wanted);
  const [found, another] = (await endpoints(client)).filter(({ url }) => new URL(url).href === href);
  if (!found) throw new AppError('USAGE', `no endpoint has the address ${wanted}: ${lists}`);
  if (another)
    throw new AppError('USAGE', `several endpoints have the address ${wanted}, use an id: ${lists}`);
  return found.id;
}

/** Addresses of the endpoints, by their ids. */
export async function endpointAddresses(client: DaemonClient): Promise<ReadonlyMap<string, string>> {
  return new Map((await endpoints(client)).map(({ id, url }) => [id, url]));
}

async function endpoints(client: DaemonClient): Promise<readonly WebhookEndpoint[]> {
  const { value } = await client.call({ path: `${ENDPOINTS}?limit=100` }, listOf(WebhookEndpoint));
  return value.data;
}
