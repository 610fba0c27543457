import { z } from 'zod';
import type { HttpReply } from '../../../net/http-client.ts';
import type { Answer, Refusal } from '../../../outbox/report-port.ts';
import { answerOf } from '../../../service/answer.ts';
import { HEADERS, SERVICE_VERSION, ServicePayment } from '../../../service/contract.ts';
import { isFiltered } from '../../../service/payment-lists.ts';
import { listReply, type ReadPage } from '../../../service/replies.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';

/** A response of the service, and its request. */
export interface Asked {
  /** `devices`, `payments`, `events`: the last needs a scope that a shop can do without. */
  readonly what: 'devices' | 'payments' | 'events';
  readonly reply: HttpReply;
  /** The response as the daemon interprets it. */
  readonly answer: Answer<ReadPage<unknown>>;
}

/** Interprets a response to a list request. */
export function asked(what: Asked['what'], reply: HttpReply): Asked {
  return { what, reply, answer: answerOf(reply, listReply(z.unknown())) };
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

/** What each response says about the key, or why it says nothing about it. */
export function keyFinding({ reply, what, answer }: Asked, { source, url }: Place): CheckResult {
  const id = 'service-key';
  const newKey = `put a new key into ${source}, then: tillctl doctor`;
  switch (answer.kind) {
    case 'applied':
      return ok(id, `the service takes the key for ${what}`);
    case 'unavailable':
      return noAnswerFinding(answer, reply, url);
    case 'rate_limited':
      return warn('service', {
        what: `the service answers that too much is asked (status ${reply.status})`,
        why: 'reports come late; another program may use the same key',
        fix: 'give this machine a key of its own, or lower "service.requests_per_minute", then: systemctl restart tilld',
      });
    case 'unauthorised':
      return fail(id, {
        what: `the service refuses the key: ${wordsOf(answer.refusal)}`,
        why: UNREPORTED,
        fix: fix401(answer.refusal.code, newKey),
      });
    case 'forbidden':
      return scopeFinding(what, reply.text, wordsOf(answer.refusal));
    case 'conflict_in_progress':
      return refusedFinding(what, `status ${reply.status}`);
    default:
      return refusedFinding(what, wordsOf(answer.refusal));
  }
}

function refusedFinding(what: Asked['what'], answer: string): CheckResult {
  return warn('service', {
    what: `the service refuses to list ${what} (${answer})`,
    why: UNREPORTED,
    fix: 'look at "service.paths", then: tillctl config check',
  });
}

/** The service fails, or another server responds. */
function noAnswerFinding({ trouble, words }: NoAnswer, { headers }: HttpReply, url: string): CheckResult {
  const look = `curl -sv ${url}/v2/terminal-devices shows what answers there`;
  const version = headers[HEADERS.version];
  if (trouble === 'service' || trouble === 'line')
    return warn('service', {
      what: `the service fails (${words})`,
      why: `${UNREPORTED} until it works again`,
      fix: 'wait and ask its operator; what waits to be reported: tillctl outbox',
    });
  if (trouble === 'captive_portal')
    return fail('service', {
      what: `the network wants a sign-in: its page answers in place of the service (${words})`,
      why: `${UNREPORTED}; everything is reported after the sign-in`,
      fix: `sign this machine in to the network, or use one without a sign-in page; ${look}`,
    });
  if (version !== undefined && version !== SERVICE_VERSION)
    return fail('service-version', {
      what: `the service answers in version ${version}, tilld speaks ${SERVICE_VERSION}`,
      why: `an answer in another version is no answer: ${UNREPORTED}`,
      fix: 'apt-get update && apt-get install tilld',
    });
  return fail('service', {
    what: `what answers at ${url} is not the service (${words})`,
    why: `${UNREPORTED}; a proxy or a wrong address gives such answers`,
    fix: `${look}; correct "service.url", then: tillctl config check`,
  });
}

type NoAnswer = Extract<Asked['answer'], { readonly kind: 'unavailable' }>;

function fix401(code: string | null, newKey: string): string {
  switch (code) {
    case 'expired_api_key':
      return `the key has expired, or was rolled and its overlap is over: ${newKey}`;
    case 'api_key_revoked':
      return `the key was revoked for good: ${newKey}`;
    default:
      return `copy it anew from the dashboard: ${newKey}`;
  }
}

function scopeFinding(what: Asked['what'], text: string, answer: string): CheckResult {
  const needed = Details.safeParse(jsonOf(text)).data?.error.details.required;
  const scope = needed === undefined ? '' : ` (it needs ${[needed].flat().join(', ')})`;
  const isAddress = answer.startsWith('ip_not_allowed');
  const trouble = {
    what: `the key may not list ${what}${scope}: ${answer}`,
    why: what === 'events' ? 'cancellations of the service come late, with the next list only' : UNREPORTED,
    fix: isAddress
      ? 'let the address of this shop use the key in the dashboard, then: tillctl doctor'
      : 'give the key that scope in the dashboard, then: tillctl doctor',
  };
  return what === 'events' ? warn('service-scope', trouble) : fail('service-scope', trouble);
}

/** Whether the service will continue to serve tilld's API version. */
export function versionFinding({ reply }: Asked, { now }: Place): CheckResult {
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
  return ok(id, `the service serves version ${SERVICE_VERSION}`);
}

/** Its clock decides the age of its work. @param skewMs how far the service is ahead; null: it did not report its time */
export function clockFinding(skewMs: number | null): readonly CheckResult[] {
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

/** Whether the service chooses payments by state and device; it need not. A list that it refuses for another reason has its own finding. */
export function filtersFinding({ answer }: Asked, ids: readonly string[]): readonly CheckResult[] {
  const isRefused = answer.kind === 'refused' && answer.refusal.status === 400;
  const isIgnored = answer.kind === 'applied' && !isFiltered(paymentsIn(answer.value), 'requested', ids);
  if (!isRefused && !isIgnored) return [];
  return [
    warn('service-filters', {
      what: `the service ${isRefused ? 'refuses' : 'ignores'} the filters status and device_id of its list of payments`,
      why: 'tilld reads the whole list, newest first, and takes its work from the newest 500: a poll costs up to five requests',
      fix: 'raise "service.requests_per_minute" to what the plan of this key allows, then: systemctl restart tilld',
    }),
  ];
}

function paymentsIn({ items }: ReadPage<unknown>): readonly ServicePayment[] {
  return items.flatMap((one) => ServicePayment.safeParse(one).data ?? []);
}

/** Devices of the configuration that the service does not have. */
export function devicesFinding({ answer }: Asked, ids: readonly string[]): CheckResult {
  const id = 'service-devices';
  const { items, hasMore } = answer.kind === 'applied' ? answer.value : { items: [], hasMore: true };
  const known = new Set(items.map((one) => Named.safeParse(one).data?.id));
  const unknown = ids.filter((one) => !known.has(one));
  if (unknown.length === 0 || hasMore) return ok(id, 'the service has every device of this configuration');
  return warn(id, {
    what: `the service has no device ${unknown.join(', ')}`,
    why: 'no payment of the service ever reaches it, and what is sold there may not be taken',
    fix: 'register it in the dashboard under this id, or put the id that it has there into the configuration, then: tillctl config check',
  });
}

const Named = z.object({ id: z.string() });

function wordsOf({ status, code, message }: Refusal): string {
  return `${code ?? status}: ${message}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
