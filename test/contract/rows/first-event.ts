import { arrival, type Receiver, withReceiver } from '../receiver.ts';
import type { Side } from '../sides/side.ts';
import { onlyDeliveryTo, registered } from './hooks.ts';
import { requested } from './sales.ts';

/** An endpoint of a receiver, a payment, and the event of it as it first arrived. */
export async function firstEvent(side: Side, receiver: Receiver) {
  const endpoint = await registered(side, { url: receiver.url, events: ['terminal_payment.requested'] });
  const payment = await requested(side);
  return { endpoint, payment, first: await arrival(side, receiver, 0), receiver };
}

/** Runs a scenario about an event that was sent to a receiver that answers with `status`. */
export function withFirstEvent(
  side: Side,
  scenario: (event: Awaited<ReturnType<typeof firstEvent>>) => Promise<void>,
  status = 200,
): Promise<void> {
  return withReceiver(async (receiver) => {
    receiver.answer = status;
    await scenario(await firstEvent(side, receiver));
  });
}

/** The one delivery to an endpoint once that many attempts were made, or it was acknowledged. */
export async function afterAttempt(side: Side, endpointId: string, attempts: number) {
  await side.until(
    `attempt ${attempts}`,
    async () => (await onlyDeliveryTo(side, endpointId)).attempts >= attempts,
  );
  return onlyDeliveryTo(side, endpointId);
}
