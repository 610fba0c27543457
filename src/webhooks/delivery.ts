/** Attempts of one delivery, counted from its creation: at once, 5 min, 30 min, 2 h, 8 h, 24 h. @see service-interface.md, "Delivery" */
export const SCHEDULE_MS: readonly number[] = [0, 5, 30, 120, 480, 1440].map((minutes) => minutes * 60_000);

const MOST_ATTEMPTS = SCHEDULE_MS.length;
const LAST_MS = SCHEDULE_MS[MOST_ATTEMPTS - 1] ?? 0;
/** An attempt that begins up to this late is on time: the next slots stay where they are. */
const ON_TIME_MS = 60_000;
/** A delivery without an attempt this long after its last slot fails: its endpoint is disabled, or slower than its events. */
export const GRACE_MS = 3_600_000;

/** The delivery of one event to one endpoint. Instants in epoch milliseconds UTC. */
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly endpointId: string;
  readonly createdAt: number;
  /** Attempts made so far. */
  readonly attempts: number;
  readonly status: DeliveryStatus;
  /** Of the last answer; null when there was none. */
  readonly responseStatus: number | null;
  /** Why the last attempt failed; null after a success. */
  readonly lastError: string | null;
}

export type DeliveryStatus = Pending | { readonly name: 'delivered' | 'failed'; readonly at: number };

export interface Pending {
  readonly name: 'pending';
  readonly nextAt: number;
  /** When the schedule ends: no attempt follows one that begins then or later. */
  readonly endsAt: number;
  /** The clock when `nextAt` was computed; a value in the future shows that the clock has gone back since. */
  readonly notedAt: number;
}

/** The outcome of an attempt. `impossible`: no further attempt can end otherwise. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'no_answer'; readonly error: string }
  | { readonly kind: 'impossible'; readonly error: string };

/** A new delivery: its first attempt is due at once. */
export function newDelivery(
  { id, type }: { readonly id: string; readonly type: string },
  endpointId: string,
  deliveryId: string,
  now: number,
): Delivery {
  return {
    id: deliveryId,
    eventId: id,
    eventType: type,
    endpointId,
    createdAt: now,
    attempts: 0,
    status: { name: 'pending', nextAt: now, endsAt: now + LAST_MS, notedAt: now },
    responseStatus: null,
    lastError: null,
  };
}

/**
 * A delivery after an attempt. A final status stays, whatever a late answer says.
 *
 * The next slot counts from this one, so that attempts on time keep exactly the schedule's distance from the creation. After a late attempt it
 * counts from when that began: a missed attempt is made once and never counted as made, and the later ones keep their distance instead of
 * following in a burst.
 * @param startedAt when the attempt began
 */
export function afterAttempt(delivery: Delivery, outcome: Outcome, startedAt: number, now: number): Delivery {
  const { status } = delivery;
  if (status.name !== 'pending') return delivery;
  const attempts = delivery.attempts + 1;
  const tried = { ...delivery, attempts, ...responseOf(outcome) };
  if (isAcknowledged(outcome)) return { ...tried, status: { name: 'delivered', at: now } };
  const gapMs = gapAfter(attempts);
  const isOver = outcome.kind === 'impossible' || gapMs === null || startedAt >= status.endsAt;
  if (isOver) return { ...tried, status: { name: 'failed', at: now } };
  const isLate = startedAt - status.nextAt > ON_TIME_MS;
  const nextAt = Math.min((isLate ? startedAt : status.nextAt) + gapMs, status.endsAt);
  return { ...tried, status: { ...status, nextAt, notedAt: now } };
}

/** Only a 2xx is an acknowledgement; what follows the head of the answer is ignored. */
export function isAcknowledged(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
}

/** From the attempt that was just made to the next one; null: it was the last. */
function gapAfter(attempts: number): number | null {
  const next = SCHEDULE_MS[attempts];
  return next === undefined ? null : next - (SCHEDULE_MS[attempts - 1] ?? 0);
}

function responseOf(outcome: Outcome): Pick<Delivery, 'responseStatus' | 'lastError'> {
  if (outcome.kind !== 'answered') return { responseStatus: null, lastError: outcome.error };
  const { status } = outcome;
  if (isAcknowledged(outcome)) return { responseStatus: status, lastError: null };
  const isRedirect = status >= 300 && status <= 399;
  const lastError = `the endpoint answered ${status}${isRedirect ? ': redirects are not followed' : ''}`;
  return { responseStatus: status, lastError };
}
