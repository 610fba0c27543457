import { createHmac } from 'node:crypto';
import { AppError, hasCode } from '../../base/errors.ts';
import { type MayReach, postOnce } from '../../net/post-once.ts';
import { urlObjection } from '../../webhooks/endpoint-url.ts';

/** From the name resolution to the head of the answer. */
const ATTEMPT_MS = 10_000;

export interface WebhookMessage {
  /** The same at every attempt: a receiver drops what it has. */
  readonly id: string;
  readonly url: string;
  /** `whsec_` and the key in base64. */
  readonly secret: string;
  readonly body: string;
}

/**
 * Posts a message once, signed by Standard Webhooks. It follows no redirect.
 * @param mayReach which addresses the hub may send to; a name is looked up once, and the connection goes to an address that was asked about
 * @throws WEBHOOK_REFUSED when the receiver has answered that it does not take it; WEBHOOK_UNREACHABLE
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function postMessage(
  message: WebhookMessage,
  mayReach: MayReach,
  stop: AbortSignal,
): Promise<void> {
  const { id, url, body } = message;
  const objection = urlObjection(url);
  if (objection !== null) throw unreachable(`its address ${objection}`);
  const timeout = AbortSignal.timeout(ATTEMPT_MS);
  const seconds = Math.floor(Date.now() / 1000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'tillhub',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatureOf(message, seconds),
  };
  const status = await postOnce(
    { url, headers, body, signal: AbortSignal.any([timeout, stop]) },
    mayReach,
  ).catch((error: unknown) => {
    if (timeout.aborted) throw unreachable(`it did not answer within ${ATTEMPT_MS / 1000} s`, error);
    if (hasCode(error, 'NET_ADDRESS_PRIVATE')) throw unreachable(NOT_PUBLIC, error);
    throw unreachable(error instanceof AppError ? error.message : 'it did not answer', error);
  });
  if (status < 200 || status > 299)
    throw new AppError(
      'WEBHOOK_REFUSED',
      `it answered ${status}${status >= 300 && status <= 399 ? ': redirects are not followed' : ''}`,
    );
}

const NOT_PUBLIC =
  'its address is not of the internet: the hub sends there once TILLHUB_WEBHOOK_NETWORKS names its network, like 10.1.0.0/16';

function signatureOf({ id, secret, body }: WebhookMessage, seconds: number): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

function unreachable(why: string, cause?: unknown): AppError {
  return new AppError('WEBHOOK_UNREACHABLE', why, { cause });
}
