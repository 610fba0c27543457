import type { Ids } from '../base/ids.ts';
import { type Delivery, newDelivery } from './delivery.ts';
import type { Endpoint } from './endpoint.ts';
import type { FeedEvent } from './ports.ts';

/** The deliveries of these events, in their order: one for each enabled endpoint that subscribed to the type. */
export function deliveriesOf(
  events: readonly FeedEvent[],
  endpoints: readonly Endpoint[],
  ids: Ids,
  now: number,
): readonly Delivery[] {
  const enabled = endpoints.filter(({ status }) => status === 'enabled');
  return events.flatMap((event) =>
    enabled
      .filter(({ events: wanted }) => wanted.includes(event.type))
      .map((endpoint) => newDelivery(event, endpoint.id, ids.uuid(), now)),
  );
}
