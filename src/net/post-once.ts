import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP } from 'node:net';
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

/** Whether an address may receive; it gets addresses of either version, never names. */
export type MayReach = (address: string) => boolean;

const CONNECT_MS = 5_000;
const LARGEST_HEAD_BYTES = 16_384;
/** How much of an answer's body is read, and for how long; the rest is cut off. */
const BODY_BYTES = 16_384;
const BODY_MS = 1_000;

/**
 * Posts once to an untrusted peer and returns the status of its answer: it follows no redirect, retries nothing, and drops the body. Each post has a
 * connection of its own: a kept one might be dead, and then the attempt would be lost for nothing.
 * @param mayReach asked for each address of the peer
 * @throws NET_ADDRESS_PRIVATE when no address is left; NET_UNREACHABLE, NET_NAME_RESOLUTION, NET_TIMEOUT, NET_BODY_TOO_LARGE; the signal's reason when it is aborted
 */
export async function postOnce({ url, headers, body, signal }: OnePost, mayReach: MayReach): Promise<number> {
  const { protocol, origin, pathname, search, hostname } = new URL(url);
  // Plain text never leaves this machine, whatever address a name server gives for `localhost`.
  const accepts: MayReach = (address) => mayReach(address) && (protocol === 'https:' || isLoopback(address));
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) && !accepts(literal)) throw outOfReach(literal, [literal]);
  const client = new Client(origin, {
    connect: { timeout: CONNECT_MS, lookup: lookUpWithin(accepts) },
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

/** The connection goes to an address that was asked about: what the name leads to a moment later does not count. */
function lookUpWithin(accepts: MayReach) {
  return (host: string, options: LookupOptions, done: LookedUp): void => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, []);
      const within = found.filter(({ address }) => accepts(address));
      const first = within[0];
      if (!first) {
        const addresses = found.map(({ address }) => address);
        done(outOfReach(host, addresses), []);
      } else if (options.all) done(null, within);
      else done(null, first.address, first.family);
    });
  };
}

function outOfReach(host: string, addresses: readonly string[]): AppError {
  const where = addresses[0] === host ? host : `${host} is ${addresses.join(', ')}, which`;
  return new AppError(
    'NET_ADDRESS_PRIVATE',
    `${where} is not of the internet: it may receive events once webhooks.allow_private names it`,
  );
}
