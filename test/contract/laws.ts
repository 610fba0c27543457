import { createHash } from 'node:crypto';
import type { Answer } from './ask.ts';
import { hold } from './breach.ts';
import {
  CURRENT,
  ERROR_ENVELOPE,
  ERROR_TYPES,
  FLAT_IDEMPOTENCY,
  FLAT_ISSUES,
  RATE_HEADERS,
  RESOLUTION,
  VERSIONS,
  type Version,
} from './interface.ts';
import { IssueList } from './shapes.ts';
import { KEY_PLANS, UNKNOWN_KEY } from './sides/keys.ts';

const HOUR_S = 3600;
/** A request that was held may have been counted a while ago. */
const MINUTES_S = 120;
/** `request_id`: an addition of ours; new response fields may come at any time. */
const FLAT_SHAPES = ['error', 'error,request_id', [...FLAT_IDEMPOTENCY.fields].sort().join()];

/**
 * What every answer to every request keeps, whatever the row is about: it tells its version, a refusal has one of the shapes of the
 * interface and nothing beside it, headers have their form, and no credential and no granted scope is given away.
 * @param now epoch ms of the side's clock
 * @throws Breach
 */
export function keepLaws(answer: Answer, now: number): void {
  namesItsVersion(answer);
  echoesNoSecret(answer);
  headersHaveTheirForm(answer, now);
  if (answer.status >= 400) isARefusalOfTheInterface(answer);
}

function namesItsVersion(answer: Answer): void {
  const { headers, asked } = answer;
  const version = effectiveVersion(asked);
  hold(
    headers['service-version'] === version,
    () => `Service-Version is ${headers['service-version']}, not ${version}`,
  );
  const sunset = VERSIONS.find((known) => known.version === version)?.sunset ?? undefined;
  for (const name of ['sunset', 'deprecation'])
    hold(headers[name] === sunset, () => `${name} is ${headers[name]} under ${version}, not ${sunset}`);
}

/** What the request's version resolves to; the current one where it resolves to none. */
function effectiveVersion({ headers = {}, path }: Answer['asked']): Version {
  const named = Object.entries(headers).find(([name]) => name.toLowerCase() === 'service-version')?.[1];
  const asked = named ?? new URL(path, 'http://side').searchParams.get('version');
  if (asked === null) return CURRENT;
  return RESOLUTION.find(([text]) => text === asked)?.[1] ?? CURRENT;
}

function echoesNoSecret({ text, headers, asked, status }: Answer): void {
  const answered = [text, ...Object.values(headers)].join('\n');
  const secrets = [...KEY_PLANS.map(({ key }) => key), UNKNOWN_KEY, ...presented(asked)];
  for (const secret of secrets) {
    hold(!answered.includes(secret), () => 'the answer gives a credential away');
    hold(!answered.includes(hashOf(secret)), () => 'the answer gives the hash of a credential away');
  }
  if (status !== 403) return;
  const granted = KEY_PLANS.find(({ key }) => presented(asked).includes(key))?.scopes ?? [];
  for (const scope of granted)
    hold(!answered.includes(scope), () => `the 403 lists the granted scope ${scope}`);
}

/** As keys are kept where they are checked. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** What the request sent as its credential, when it is long enough to be told from a word. */
function presented({ headers = {} }: Answer['asked']): readonly string[] {
  const sent = Object.entries(headers).filter(([name]) =>
    /^(x-(api|service)-key|authorization)$/i.test(name),
  );
  return sent.flatMap(([, value]) => value.split(/\s+/)).filter((word) => word.length > 8);
}

function headersHaveTheirForm({ status, headers, text }: Answer, now: number): void {
  if (text !== '')
    hold(
      /^application\/json(; charset=utf-8)?$/.test(headers['content-type'] ?? ''),
      () => `content-type is ${headers['content-type']}`,
    );
  hold(
    (status === 401) === 'www-authenticate' in headers,
    () => 'a 401, and nothing else, carries WWW-Authenticate',
  );
  if (status === 401)
    hold(
      /^Bearer realm=("[^"]+"|[^\s",]+)$/.test(headers['www-authenticate'] ?? ''),
      () => `WWW-Authenticate is ${headers['www-authenticate']}`,
    );
  if ('retry-after' in headers)
    hold(/^\d+$/.test(headers['retry-after'] ?? ''), () => `Retry-After is ${headers['retry-after']}`);
  rateHeaders(headers, now);
}

function rateHeaders(headers: Answer['headers'], now: number): void {
  const [limit, remaining, reset] = RATE_HEADERS.map((name) => headers[name.toLowerCase()]);
  if (limit === undefined && remaining === undefined && reset === undefined) return;
  for (const value of [limit, remaining, reset])
    hold(/^\d+$/.test(value ?? ''), () => `the rate-limit headers are ${limit}, ${remaining}, ${reset}`);
  const second = now / 1000;
  hold(
    Number(reset) >= second - MINUTES_S && Number(reset) <= second + HOUR_S,
    () => `X-RateLimit-Reset ${reset} is no UNIX second of now`,
  );
}

function isARefusalOfTheInterface({ status, json }: Answer): void {
  hold(isObject(json), () => `the body of a ${status} is no JSON object`);
  const fields = Object.keys(json).sort().join();
  const error = json['error'];
  if ('success' in json) {
    issueList(json, status);
    return;
  }
  if (!isObject(error)) {
    hold(FLAT_SHAPES.includes(fields), () => `a flat ${status} has the fields ${fields}`);
    for (const [name, value] of Object.entries(json))
      hold(typeof value === 'string' && value !== '', () => `${name} of a flat ${status} is no text`);
    return;
  }
  hold(fields === 'error', () => `beside the envelope of a ${status} there is ${fields}`);
  envelope(status, error);
}

/** The PUTs of integrations alone. */
function issueList(json: Record<string, unknown>, status: number): void {
  hold(status === FLAT_ISSUES.status, () => `a ${status} lists issues`);
  hold(IssueList.safeParse(json).success, () => `a list of issues is ${JSON.stringify(json).slice(0, 200)}`);
}

function envelope(status: number, error: Record<string, unknown>): void {
  const strange = Object.keys(error).find((name) => !ERROR_ENVELOPE.some((known) => known === name));
  hold(strange === undefined, () => `the envelope of a ${status} has a field ${strange}`);
  for (const name of ['type', 'code', 'message', 'request_id'])
    hold(
      typeof error[name] === 'string' && error[name] !== '',
      () => `error.${name} of a ${status} is no text`,
    );
  const { type, code, param, details } = {
    type: error['type'],
    code: error['code'],
    param: error['param'],
    details: error['details'],
  };
  hold(
    ERROR_TYPES.some((known) => known === type),
    () => `error.type is ${type}`,
  );
  hold(/^[a-z0-9_]+$/.test(String(code)), () => `error.code ${code} is not in lower snake case`);
  hold(!('param' in error) || typeof param === 'string', () => 'error.param is no text');
  hold(!('details' in error) || isObject(details), () => 'error.details is no object');
  hold(!('doc_url' in error), () => 'error.doc_url is reserved and must not be there');
  const wanted = TYPE_OF[status];
  hold(wanted === undefined || wanted === type, () => `a ${status} is typed ${type}, not ${wanted}`);
}

/** Types that a status has in every case. */
const TYPE_OF: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'card_error',
  403: 'authorization_error',
  404: 'invalid_request_error',
  429: 'rate_limit_error',
  500: 'api_error',
  501: 'api_error',
  502: 'api_error',
  503: 'api_error',
  504: 'api_error',
};

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
