import type { Clock } from '../base/clock.ts';
import { withDeadline } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Sealer } from '../base/sealer.ts';
import { guardText } from '../base/text-guard.ts';
import type { Delivery, Outcome } from './delivery.ts';
import { type Endpoint, secretPurpose } from './endpoint.ts';
import { urlObjection } from './endpoint-url.ts';
import type { EventBodies, Poster } from './ports.ts';
import { type Hmac, SIGNATURE_HEADER, signatureOf } from './signature.ts';

/** From the name resolution to the head of the answer. */
export const ATTEMPT_MS = 10_000;
const LONGEST_ERROR = 200;

/** Why an endpoint gets nothing until its secret is rolled. */
export const SECRET_LOST = 'the signing secret cannot be read any more: roll it';

export interface WebhookDelivererDeps {
  readonly bodyOf: EventBodies;
  readonly sealer: Sealer;
  readonly hmac: Hmac;
  readonly post: Poster;
  readonly clock: Clock;
  /** `tilld/1.2.3` */
  readonly userAgent: string;
}

/**
 * Makes one attempt and returns its outcome; every failure is an outcome.
 * @throws the reason of `stop` when that is aborted: the attempt may have arrived
 */
export async function attempt(
  deps: WebhookDelivererDeps,
  endpoint: Endpoint,
  delivery: Delivery,
  stop: AbortSignal,
): Promise<Outcome> {
  try {
    return await send(deps, endpoint, delivery, stop);
  } catch (error) {
    if (stop.aborted) throw stop.reason;
    return noAnswer(guardText(messageOf(error)).slice(0, LONGEST_ERROR));
  }
}

async function send(
  { bodyOf, sealer, hmac, post, clock, userAgent }: WebhookDelivererDeps,
  { url, id, sealedSecret }: Endpoint,
  { eventId }: Delivery,
  stop: AbortSignal,
): Promise<Outcome> {
  const body = bodyOf(eventId);
  if (body === null) return { kind: 'impossible', error: 'the event is not kept any more' };
  const objection = urlObjection(url);
  if (objection !== null) return noAnswer(`the address ${objection}`);
  const secret = opened(sealer, sealedSecret, id);
  if (secret === null) return noAnswer(SECRET_LOST);
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    [SIGNATURE_HEADER]: signatureOf(hmac, secret, body, clock.now()),
  };
  const status = await withDeadline(clock, ATTEMPT_MS, tooSlow, stop, (signal) =>
    post({ url, headers, body, signal }),
  );
  return { kind: 'answered', status };
}

function noAnswer(error: string): Outcome {
  return { kind: 'no_answer', error };
}

/** The signing secret of an endpoint; null: it was sealed with a key that is not here. */
export function opened(sealer: Sealer, sealedSecret: string, endpointId: string): string | null {
  try {
    return sealer.open(sealedSecret, secretPurpose(endpointId));
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('SEAL_')) return null;
    throw error;
  }
}

function tooSlow(): Error {
  return new AppError('WEBHOOK_TIMEOUT', `no answer within ${ATTEMPT_MS / 1000} s`, { retry: 'safe' });
}
