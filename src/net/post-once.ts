import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { Client } from 'undici';
import { AppError } from '../base/errors.ts';
import { isLoopback } from '../base/loopback.ts';
import { netError } from './net-error.ts';

/** One POST; only `signal` ends it early. */
export interface OnePost {
  /** http or https, without user and password. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

const CONNECT_MS = 5_000;
const LARGEST_HEAD_BYTES = 16_384;
/** How much of an answer's body is read, and for how long; the rest is cut off. */
const BODY_BYTES = 16_384;
const BODY_MS = 1_000;

/**
 * Posts once to an untrusted peer and returns the status of its answer: it follows no redirect, retries nothing, and drops the body. Each post has a
 * connection of its own: a kept one might be dead, and then the attempt would be lost for nothing.
 * @throws NET_UNREACHABLE, NET_NAME_RESOLUTION, NET_TIMEOUT, NET_BODY_TOO_LARGE; the signal's reason when it is aborted
 */
export async function postOnce({ url, headers, body, signal }: OnePost): Promise<number> {
  const { protocol, origin, pathname, search } = new URL(url);
  const client = new Client(origin, {
    connect: { timeout: CONNECT_MS, ...(protocol === 'http:' ? { lookup: lookUpHere } : {}) },
    maxHeaderSize: LARGEST_HEAD_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  });
  try {
    const answer = await client.request({ method: 'POST', path: pathname + search, headers, body, signal });
    await answer.body
      .dump({ limit: BODY_BYTES, signal: AbortSignal.any([signal, AbortSignal.timeout(BODY_MS)]) })
      .catch(() => undefined);
    return answer.statusCode;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw netError(error);
  } finally {
    await client.destroy();
  }
}

type LookedUp = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Plain text never leaves this machine, whatever address a name server gives for `localhost`. */
function lookUpHere(host: string, options: LookupOptions, done: LookedUp): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, []);
    const here = addresses.filter(({ address }) => isLoopback(address));
    const first = here[0];
    if (!first) return done(new AppError('NET_NAME_RESOLUTION', `${host} is not this machine`), []);
    if (options.all) done(null, here);
    else done(null, first.address, first.family);
  });
}
