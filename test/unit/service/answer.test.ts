import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import type { HttpReply } from '../../../src/net/http-client.ts';
import { answerOf, answerOfFailure } from '../../../src/service/answer.ts';
import { paymentReply } from '../../../src/service/replies.ts';

const SIGNED = { 'service-version': '2026-05-01' };
const envelope = (code: string, type = 'invalid_request_error', more = {}) =>
  JSON.stringify({ error: { type, code, message: 'm', ...more } });
const flat = (error: string, code?: string) => JSON.stringify({ error, code, originalRequestId: 'r' });
const invalid = JSON.stringify({
  success: false,
  error: { name: 'ZodError', issues: [{ path: ['a', 0], message: 'bad' }] },
});
const HTML = '<html><title>Welcome to our WLAN</title></html>';
const payment = (fields = {}) =>
  JSON.stringify({ data: { id: 'P', status: 'in_progress', auth_code: null, unheard_of: 1, ...fields } });

function replyOf(status: number, text: string, headers: Record<string, string> = {}): HttpReply {
  return { status, text, headers, dateMs: Date.UTC(2026, 0, 5, 9) };
}

/** What was asked for is payment P. */
const read = (reply: HttpReply) => answerOf(reply, paymentReply('P'));
const refusal = (status: number, code: string | null) => ({
  refusal: expect.objectContaining({ status, code }),
});
const no = (trouble: 'captive_portal' | 'wrong_host') => ({
  kind: 'unavailable',
  trouble,
  reached: 'unknown',
});

describe('What the service says under its version', () => {
  it.each<[number, string, string, Record<string, string>, unknown]>([
    [200, 'the payment', payment(), {}, { kind: 'applied', value: { id: 'P', status: 'in_progress' } }],
    [200, 'its id in other letters', payment({ id: 'p' }), {}, { kind: 'applied', value: { id: 'p' } }],
    [
      400,
      'the envelope',
      envelope('validation_error', 'invalid_request_error', { param: 'amount_minor' }),
      {},
      { kind: 'refused', refusal: { status: 400, code: 'validation_error', message: 'amount_minor: m' } },
    ],
    [
      400,
      'the issues of a schema',
      invalid,
      {},
      { kind: 'refused', refusal: { status: 400, code: 'validation_error', message: 'a.0: bad' } },
    ],
    [
      400,
      'a flat idempotency error',
      flat('bad key', 'IDEMPOTENCY_KEY_INVALID'),
      {},
      { kind: 'refused', ...refusal(400, 'IDEMPOTENCY_KEY_INVALID') },
    ],
    [
      400,
      'a code from the future',
      envelope('brand_new'),
      {},
      { kind: 'refused', ...refusal(400, 'brand_new') },
    ],
    [
      401,
      'the envelope',
      envelope('expired_api_key', 'authentication_error'),
      {},
      { kind: 'unauthorised', ...refusal(401, 'expired_api_key') },
    ],
    [
      402,
      'the envelope',
      envelope('card_declined', 'card_error'),
      {},
      { kind: 'refused', ...refusal(402, 'card_declined') },
    ],
    [
      403,
      'the envelope',
      envelope('ip_not_allowed', 'authorization_error'),
      {},
      { kind: 'forbidden', ...refusal(403, 'ip_not_allowed') },
    ],
    [
      404,
      'the envelope',
      envelope('resource_not_found'),
      {},
      { kind: 'not_found', ...refusal(404, 'resource_not_found') },
    ],
    [
      404,
      'the other code for it',
      envelope('resource_missing'),
      {},
      { kind: 'not_found', ...refusal(404, 'resource_missing') },
    ],
    [404, 'flat words', flat('Not Found'), {}, { kind: 'not_found', ...refusal(404, null) }],
    [
      409,
      'key in progress',
      flat('busy', 'IDEMPOTENCY_KEY_IN_PROGRESS'),
      { 'retry-after': '2' },
      { kind: 'conflict_in_progress', retryAfterMs: 2_000 },
    ],
    [
      409,
      'key in progress, in the envelope',
      envelope('idempotency_conflict', 'idempotency_error'),
      {},
      { kind: 'conflict_in_progress', retryAfterMs: null },
    ],
    [
      409,
      'key mismatch',
      flat('other', 'IDEMPOTENCY_KEY_MISMATCH'),
      {},
      { kind: 'key_mismatch', ...refusal(409, 'IDEMPOTENCY_KEY_MISMATCH') },
    ],
    [
      409,
      'exists',
      envelope('resource_already_exists'),
      {},
      { kind: 'already_exists', ...refusal(409, 'resource_already_exists') },
    ],
    [
      409,
      'a state conflict',
      envelope('invalid_state'),
      {},
      { kind: 'refused', ...refusal(409, 'invalid_state') },
    ],
    [410, 'gone', envelope('gone'), {}, { kind: 'refused', ...refusal(410, 'gone') }],
    [
      422,
      'key mismatch',
      flat('other', 'IDEMPOTENCY_KEY_MISMATCH'),
      {},
      { kind: 'key_mismatch', ...refusal(422, 'IDEMPOTENCY_KEY_MISMATCH') },
    ],
    [
      422,
      'key mismatch, in the envelope',
      envelope('idempotency_conflict', 'idempotency_error'),
      {},
      { kind: 'key_mismatch', ...refusal(422, 'idempotency_conflict') },
    ],
    [
      422,
      'a business rule',
      envelope('refund_too_high'),
      {},
      { kind: 'refused', ...refusal(422, 'refund_too_high') },
    ],
    [
      429,
      'Retry-After',
      envelope('rate_limit_exceeded', 'rate_limit_error', { details: { retry_after: 9 } }),
      { 'retry-after': '3' },
      { kind: 'rate_limited', retryAfterMs: 3_000 },
    ],
    [
      429,
      'the details alone',
      envelope('rate_limit_exceeded', 'rate_limit_error', { details: { retry_after: 9 } }),
      {},
      { kind: 'rate_limited', retryAfterMs: 9_000 },
    ],
    [
      501,
      'not implemented',
      envelope('not_implemented', 'api_error'),
      {},
      { kind: 'refused', ...refusal(501, 'not_implemented') },
    ],
  ])('%i with %s', (status, _, text, headers, answer) => {
    expect(read(replyOf(status, text, { ...SIGNED, ...headers }))).toMatchObject(answer as object);
  });

  it.each<[number, string, string]>([
    [200, 'another payment', payment({ id: 'Q' })],
    [200, 'a status that the contract does not have', payment({ status: 'settling' })],
    [200, 'no status', payment({ status: null })],
    [200, 'no id', '{"data":{"status":"in_progress"}}'],
    [200, 'a payment without its wrapper', '{"id":"P","status":"in_progress"}'],
    [200, 'another resource', '{"success":true}'],
    [200, 'an error in disguise', flat('maintenance')],
    [200, 'a page', HTML],
    [200, 'half a document', '{"data":{"id":'],
    [200, 'a bare string', '"ok"'],
    [204, 'nothing, where the contract has a body', ''],
    [304, 'not modified', ''],
    [403, 'nothing', ''],
    [404, 'nothing', ''],
    [404, 'JSON that is no error of the contract', '{"message":"no such page"}'],
    [404, 'an error without a code', '{"error":{"message":"m"}}'],
    [409, 'a page', HTML],
    [429, 'nothing', ''],
  ])('%i with %s is no answer, whatever it is signed with', (status, _, text) => {
    expect(read(replyOf(status, text, SIGNED))).toMatchObject({ kind: 'unavailable' });
  });
});

describe('What is not signed with the version of the contract', () => {
  const contractual: readonly [number, string, string][] = [
    [200, 'the payment', payment()],
    [201, 'the payment', payment()],
    [400, 'the envelope', envelope('validation_error')],
    [401, 'the envelope', envelope('invalid_api_key', 'authentication_error')],
    [403, 'the envelope', envelope('forbidden', 'authorization_error')],
    [404, 'the envelope', envelope('resource_not_found')],
    [409, 'the envelope', envelope('invalid_state')],
    [409, 'a key that runs', flat('busy', 'IDEMPOTENCY_KEY_IN_PROGRESS')],
    [422, 'a key of another request', flat('other', 'IDEMPOTENCY_KEY_MISMATCH')],
    [429, 'the envelope', envelope('rate_limit_exceeded')],
    [501, 'the envelope', envelope('not_implemented')],
  ];

  it.each(contractual)('%i with %s is no answer', (status, _, text) => {
    expect(read(replyOf(status, text))).toMatchObject(no('wrong_host'));
  });

  it.each(contractual)('%i with %s in another version is no answer, and says so', (status, _, text) => {
    const answer = read(replyOf(status, text, { 'service-version': '2027-01-01' }));
    expect(answer).toMatchObject({ ...no('wrong_host'), words: expect.stringContaining('2027-01-01') });
  });

  it.each<[number, string, string, Record<string, string>, 'captive_portal' | 'wrong_host']>([
    [200, 'a sign-in page', HTML, { 'content-type': 'text/html; charset=utf-8' }, 'captive_portal'],
    [200, 'a page that does not say what it is', HTML, {}, 'captive_portal'],
    [302, 'a way to the sign-in', '', { location: 'http://portal.shop/' }, 'captive_portal'],
    [307, 'a way to the sign-in', '', { location: 'http://portal.shop/' }, 'captive_portal'],
    [511, 'the word of the network', HTML, {}, 'captive_portal'],
    [301, 'a new address', '', { location: 'https://elsewhere/' }, 'wrong_host'],
    [200, 'foreign JSON', '{"status":"please sign in"}', {}, 'wrong_host'],
    [200, 'nothing', '', {}, 'wrong_host'],
    [401, 'a proxy’s challenge', '', { 'www-authenticate': 'Basic realm=x' }, 'wrong_host'],
    [403, 'a firewall page', HTML, {}, 'wrong_host'],
    [404, 'a proxy page', HTML, {}, 'wrong_host'],
    [409, 'a proxy page', HTML, {}, 'wrong_host'],
    [429, 'a gateway page', HTML, {}, 'wrong_host'],
  ])('%i with %s is no answer', (status, _, text, headers, trouble) => {
    expect(read(replyOf(status, text, headers))).toMatchObject(no(trouble));
  });

  it('keeps to the pause that a gateway before the service asks for', () => {
    expect(read(replyOf(429, HTML, { 'retry-after': '7' }))).toMatchObject({ retryAfterMs: 7_000 });
  });

  it.each<[number, string, string, Record<string, string>, object]>([
    [407, "a proxy's challenge", HTML, {}, { trouble: 'line' }],
    [408, 'a time-out', '', {}, { trouble: 'service', reached: 'unknown' }],
    [500, 'the envelope', envelope('internal_error', 'api_error'), SIGNED, { words: '500: m' }],
    [502, 'a proxy page', HTML, {}, { trouble: 'service', retryAfterMs: null }],
    [
      503,
      'a pause',
      flat('down', 'IDEMPOTENCY_UNAVAILABLE'),
      { 'retry-after': '5' },
      { retryAfterMs: 5_000 },
    ],
    [503, 'no way to pay online', flat('none', 'NO_PAYMENT_METHODS_AVAILABLE'), {}, {}],
    [504, 'nothing', '', {}, { reached: 'unknown' }],
    [599, 'whatever', 'x', {}, {}],
  ])('%i with %s is a service that fails, signed or not', (status, _, text, headers, more) => {
    expect(read(replyOf(status, text, headers))).toMatchObject({ kind: 'unavailable', ...more });
  });

  it('keeps hostile words short and on one line', () => {
    const text = JSON.stringify({ error: { code: 'c', message: 'a\nb'.repeat(5_000) } });
    const answer = read(replyOf(400, text, SIGNED));
    expect(answer.kind === 'refused' && answer.refusal.message).toMatch(/^a b[^\n]{0,297}$/);
    const version = { 'service-version': 'x\n'.repeat(5_000) };
    const foreign = read(replyOf(200, payment(), version));
    expect(foreign.kind === 'unavailable' && foreign.words).toMatch(/^status 200[^\n]{0,290}$/);
  });

  it.each(['null', '[]', '0', '{"error":null}', '{"error":[]}', '{"success":false}', '\u0000'])(
    'finds %j odd, and does not fall over it',
    (text) => {
      for (const status of [200, 400, 404, 409, 422])
        for (const headers of [{}, SIGNED])
          expect(read(replyOf(status, text, headers)).kind).toBe('unavailable');
    },
  );
});

describe('What silence means', () => {
  it.each([
    ['NET_NAME_RESOLUTION', 'ENOTFOUND', 'no', 'name_resolution'],
    ['NET_UNREACHABLE', 'ECONNREFUSED', 'no', 'service'],
    ['NET_UNREACHABLE', 'ENETUNREACH', 'no', 'line'],
    ['NET_UNREACHABLE', 'ECONNRESET', 'unknown', 'service'],
    ['NET_UNREACHABLE', 'ERR_TLS_CERT_ALTNAME_INVALID', 'no', 'wrong_host'],
    ['NET_UNREACHABLE', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'no', 'wrong_host'],
    ['NET_UNREACHABLE', 'CERT_HAS_EXPIRED', 'no', 'service'],
    ['NET_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'no', 'line'],
    ['NET_TIMEOUT', 'DEADLINE', 'unknown', 'service'],
    ['NET_BODY_TOO_LARGE', '', 'unknown', 'service'],
  ])('%s (%s)', (code, cause, reached, trouble) => {
    const error = new AppError(code, 'm', { context: { reached, cause } });
    expect(answerOfFailure(error)).toMatchObject({
      kind: 'unavailable',
      reached,
      trouble,
      words: `${code}: m`,
    });
  });
});
