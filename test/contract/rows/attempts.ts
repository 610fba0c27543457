import { hold } from '../breach.ts';
import { DELIVERY_MINUTES } from '../interface.ts';
import { arrival } from '../receiver.ts';
import type { Group, Row } from '../row.ts';
import type { Side } from '../sides/side.ts';
import { afterAttempt, withFirstEvent } from './first-event.ts';
import { onlyDeliveryTo, tidied } from './hooks.ts';
import { hmac, signatureOf } from './signatures.ts';

const ATTEMPTS = DELIVERY_MINUTES.length;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

export const attemptGroups: readonly Group[] = [
  {
    name: 'webhook acknowledgements',
    rows: [...[200, 201, 204].map(acknowledged), ...[301, 307, 400, 410, 429, 500].map(notAcknowledged)],
  },
  {
    name: 'webhook attempts',
    rows: [
      row('six', `${ATTEMPTS} attempts at ${DELIVERY_MINUTES.join(', ')} minutes, then it has failed`, six),
    ],
  },
];

function row(id: string, what: string, run: Row['run']): Row {
  return tidied({
    id: `attempt/${id}`,
    section: 'Events: Delivery',
    what,
    covers: ['limit:Webhook delivery attempts'],
    run,
  });
}

function acknowledged(status: number): Row {
  return row(`acknowledged-${status}`, `a ${status} acknowledges, and nothing is sent again`, (side) =>
    withFirstEvent(
      side,
      async ({ endpoint, receiver }) => {
        const delivery = await afterAttempt(side, endpoint.id, 1);
        const { attempts, response_status, delivered_at, next_attempt_at, last_error } = delivery;
        const isConsistent =
          delivery.status === 'delivered' &&
          attempts === 1 &&
          response_status === status &&
          delivered_at !== null;
        hold(
          isConsistent && next_attempt_at === null && last_error === null,
          () => `it is ${JSON.stringify(delivery)}`,
        );
        await side.pass(31 * MINUTE_MS);
        hold(receiver.arrivals.length === 1, () => 'what was acknowledged is sent again');
      },
      status,
    ),
  );
}

function notAcknowledged(status: number): Row {
  const what = `a ${status} does not acknowledge${status < 400 ? ', and is not followed' : ''}: the next attempt comes after 5 minutes`;
  return row(`not-acknowledged-${status}`, what, (side) =>
    withFirstEvent(
      side,
      async ({ endpoint, receiver }) => {
        const delivery = await afterAttempt(side, endpoint.id, 1);
        const isConsistent =
          delivery.status === 'pending' &&
          delivery.response_status === status &&
          delivery.last_error !== null;
        hold(isConsistent && delivery.delivered_at === null, () => `it is ${JSON.stringify(delivery)}`);
        const due = Date.parse(delivery.created_at) + 5 * MINUTE_MS;
        const next = Date.parse(String(delivery.next_attempt_at));
        hold(Math.abs(next - due) <= SECOND_MS, () => `the next attempt is at ${delivery.next_attempt_at}`);
        hold(receiver.arrivals.length === 1, () => 'it was sent somewhere else, or again');
      },
      status,
    ),
  );
}

function six(side: Side): Promise<void> {
  return withFirstEvent(
    side,
    async ({ endpoint, receiver }) => {
      const made = await onlyDeliveryTo(side, endpoint.id);
      for (const [index, minutes] of DELIVERY_MINUTES.entries()) {
        const due = Date.parse(made.created_at) + minutes * MINUTE_MS;
        await side.pass(Math.max(0, due - 2 * SECOND_MS - side.now()));
        hold(
          index === 0 || receiver.arrivals.length === index,
          () => `before ${minutes} minutes there are ${receiver.arrivals.length} attempts`,
        );
        await side.pass(4 * SECOND_MS);
        await arrival(side, receiver, index);
        const { status, next_attempt_at } = await afterAttempt(side, endpoint.id, index + 1);
        const last = index === ATTEMPTS - 1;
        hold(status === (last ? 'failed' : 'pending'), () => `after attempt ${index + 1} it is ${status}`);
        hold(
          (next_attempt_at === null) === last,
          () => `after attempt ${index + 1} the next one is at ${next_attempt_at}`,
        );
      }
      await side.pass(25 * 60 * MINUTE_MS);
      const { arrivals } = receiver;
      hold(arrivals.length === ATTEMPTS, () => `there are ${arrivals.length} attempts`);
      hold(
        new Set(arrivals.map(({ raw }) => raw)).size === 1,
        () => 'they do not send the same bytes: the id tells a repeat',
      );
      for (const one of arrivals) {
        const { seconds, hex } = signatureOf(one);
        hold(
          hex === hmac(endpoint.secret, seconds, one.raw),
          () => 'an attempt is not signed at its own moment',
        );
      }
      hold(
        new Set(arrivals.map((one) => signatureOf(one).seconds)).size === ATTEMPTS,
        () => 'two attempts have one timestamp',
      );
    },
    503,
  );
}
