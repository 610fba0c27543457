import { createHmac } from 'node:crypto';
import { messageOf } from '../../base/errors.ts';
import type { DeliveryRecord } from './records.ts';
import type { ServiceClock } from './service-clock.ts';
import { LIMITS } from './settings.ts';

/** The result of one attempt; `lastError` null: it was acknowledged. */
export type AttemptOutcome = Pick<DeliveryRecord, 'responseStatus' | 'lastError'>;

/** Body, URL and signing secret of an attempt. */
export interface Parcel {
  readonly url: string;
  readonly secret: string;
  readonly body: string;
}

/**
 * Posts once. Only a 2xx acknowledges; redirects are not followed, the body of the answer is not read, and an attempt fails when
 * the receiver sends no headers within 10 s.
 */
export async function attemptOf(
  { url, secret, body }: Parcel,
  clock: ServiceClock,
  stopping: AbortSignal,
): Promise<AttemptOutcome> {
  const timeout = new AbortController();
  const timer = clock.timer('sandbox webhook timeout', LIMITS.webhookTimeoutMs, () =>
    timeout.abort(new Error('no answer in time')),
  );
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'X-Service-Signature': signatureOf(body, secret, Math.floor(clock.now() / 1000)),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([timeout.signal, stopping]),
    });
    await response.body?.cancel();
    return { responseStatus: response.status, lastError: response.ok ? null : `status ${response.status}` };
  } catch (error) {
    return { responseStatus: null, lastError: wordsOf(error).slice(0, 200) };
  } finally {
    timer.stop();
  }
}

/** fetch puts the connection's error into the cause. */
function wordsOf(error: unknown): string {
  const isFetch = error instanceof TypeError && error.cause !== undefined;
  return messageOf(isFetch ? error.cause : error);
}

/** `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. */
export function signatureOf(body: string, secret: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
