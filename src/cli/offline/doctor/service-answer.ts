import { z } from 'zod';
import type { HttpReply } from '../../../net/http-client.ts';
import { EnvelopeError, HEADERS, ListReply, SERVICE_VERSION } from '../../../service/contract.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** An answer of the service, and what was asked. */
export interface Asked {
  /** `devices`, `payments`, `events`: the last needs a scope that a shop can do without. */
  readonly what: 'devices' | 'payments' | 'events';
  readonly reply: HttpReply;
}

interface Place {
  /** Where the key comes from. */
  readonly source: string;
  readonly url: string;
  readonly now: number;
}

const TOLERATED_SKEW_MS = 30_000;
const DAY_MS = 86_400_000;
const SOON_DAYS = 90;
const Details = z.object({ error: z.object({ details: z.object({ required: z.unknown() }) }) });

const UNREPORTED = 'nothing is reported to the service, and no work of it is taken; the shop sells on';

/** What each answer says of the key. */
export function keyFinding({ reply, what }: Asked, { source, url }: Place): Finding {
  const id = 'service-key';
  const { status, text } = reply;
  const error = errorIn(text);
  const told = error ? `${error.code ?? status}: ${error.message ?? ''}` : `status ${status}`;
  const newKey = `put a new key into ${source}, then: tillctl doctor`;
  if (status === 401)
    return fail(id, {
      what: `the service refuses the key: ${told}`,
      why: UNREPORTED,
      fix: fix401(error?.code, newKey),
    });
  if (status === 403) return scopeFinding(what, text, told);
  if (status === 429)
    return warn('service', {
      what: `the service answers that too much is asked (${told})`,
      why: 'reports come late; another program may use the same key',
      fix: 'give this machine a key of its own, or lower "service.requests_per_minute", then: systemctl restart tilld',
    });
  if (status >= 500)
    return warn('service', {
      what: `the service fails (${told})`,
      why: `${UNREPORTED} until it works again`,
      fix: 'wait and ask its operator; what is owed: tillctl outbox',
    });
  if ((status === 404 && what !== 'events') || (status >= 300 && status < 400) || !isJson(text))
    return fail('service', {
      what: `what answers at ${url} is not the service (${told}${isJson(text) ? '' : ', no JSON'})`,
      why: `${UNREPORTED}; a portal of the network or a wrong address gives such answers`,
      fix: `curl -sv ${url}/v2/terminal-devices shows who it is; mend "service.url", then: tillctl config check`,
    });
  if (status >= 400)
    return warn('service', {
      what: `the service refuses to list ${what} (${told})`,
      why: UNREPORTED,
      fix: 'look at "service.paths", then: tillctl config check',
    });
  return ok(id, `the service takes the key for ${what}`);
}

function fix401(code: string | null | undefined, newKey: string): string {
  switch (code) {
    case 'expired_api_key':
      return `the key has expired, or was rolled and its overlap is over: ${newKey}`;
    case 'api_key_revoked':
      return `the key was revoked for good: ${newKey}`;
    default:
      return `copy it anew from the dashboard: ${newKey}`;
  }
}

function scopeFinding(what: Asked['what'], text: string, told: string): Finding {
  const needed = Details.safeParse(jsonOf(text)).data?.error.details.required;
  const scope = needed === undefined ? '' : ` (it needs ${[needed].flat().join(', ')})`;
  const isAddress = told.startsWith('ip_not_allowed');
  const trouble = {
    what: `the key may not list ${what}${scope}: ${told}`,
    why: what === 'events' ? 'cancellations of the service come late, with the next list only' : UNREPORTED,
    fix: isAddress
      ? 'let the address of this shop use the key in the dashboard, then: tillctl doctor'
      : 'give the key that scope in the dashboard, then: tillctl doctor',
  };
  return what === 'events' ? warn('service-scope', trouble) : fail('service-scope', trouble);
}

/** Whether the version that we speak will go on being served. */
export function versionFinding({ reply }: Asked, { now }: Place): Finding {
  const id = 'service-version';
  const {
    [HEADERS.sunset]: sunset,
    [HEADERS.deprecation]: deprecation,
    [HEADERS.version]: version,
  } = reply.headers;
  const ends = sunset === undefined ? Number.NaN : Date.parse(sunset);
  const trouble = {
    why: 'after that day the service answers this tilld no more, and nothing is reported',
    fix: 'apt-get update && apt-get install tilld',
  };
  if (!Number.isNaN(ends)) {
    const days = Math.floor((ends - now) / DAY_MS);
    const what = `the service ends version ${version ?? SERVICE_VERSION} of its interface on ${new Date(ends).toISOString().slice(0, 10)}`;
    return days < SOON_DAYS ? fail(id, { what, ...trouble }) : warn(id, { what, ...trouble });
  }
  if (deprecation !== undefined || sunset !== undefined)
    return warn(id, {
      what: `the service calls version ${version ?? SERVICE_VERSION} of its interface outdated`,
      ...trouble,
    });
  if (version !== undefined && version !== SERVICE_VERSION)
    return warn(id, {
      what: `the service answers in version ${version}, tilld speaks ${SERVICE_VERSION}`,
      ...trouble,
      why: 'what it says may be understood wrongly',
    });
  return ok(id, `the service serves version ${SERVICE_VERSION}`);
}

/** Its clock decides how old its work is. @param skewMs how far the service is ahead; null: it did not say */
export function clockFinding(skewMs: number | null): readonly Finding[] {
  if (skewMs === null) return [];
  const seconds = Math.round(skewMs / 1000);
  if (Math.abs(skewMs) <= TOLERATED_SKEW_MS)
    return [ok('service-clock', `the service and this machine agree about the time (${seconds} s)`)];
  return [
    warn('service-clock', {
      what: `the clock of the service is ${Math.abs(seconds)} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine`,
      why: 'one of them is wrong: times in reports and receipts do not fit each other',
      fix: 'set the clock, or let it be set: timedatectl set-ntp true',
    }),
  ];
}

/** Devices of the configuration that the service does not have. */
export function devicesFinding({ reply }: Asked, ids: readonly string[]): Finding {
  const id = 'service-devices';
  const list = ListReply.safeParse(jsonOf(reply.text)).data;
  const known = new Set((list?.data ?? []).map((one) => Named.safeParse(one).data?.id));
  const hasMore = list?.has_more ?? list?.pagination?.hasMore ?? false;
  const unknown = ids.filter((one) => !known.has(one));
  if (list === undefined || unknown.length === 0 || hasMore)
    return ok(id, 'the service has every device of this configuration');
  return warn(id, {
    what: `the service has no device ${unknown.join(', ')}`,
    why: 'no payment of the service ever reaches it, and what is sold there may not be taken',
    fix: 'register it in the dashboard under this id, or put the id that it has there into the configuration, then: tillctl config check',
  });
}

const Named = z.object({ id: z.string() });

function errorIn(
  text: string,
): { readonly code?: string | null | undefined; readonly message?: string | null | undefined } | null {
  return EnvelopeError.safeParse(jsonOf(text)).data?.error ?? null;
}

function isJson(text: string): boolean {
  return jsonOf(text) !== undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
