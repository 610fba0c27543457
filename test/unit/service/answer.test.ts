import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import type { HttpReply } from '../../../src/net/http-client.ts';
import { answerOf, answerOfFailure } from '../../../src/service/answer.ts';

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

const refusal = (status: number, code: string | null) => ({
  refusal: expect.objectContaining({ status, code }),
});

describe('What the service says', () => {
  it.each<[number, string, string, Record<string, string>, unknown]>([
    [
      200,
      'a payment',
      payment(),
      {},
      { kind: 'applied', payment: { id: 'P', status: 'in_progress', authCode: null } },
    ],
    [
      201,
      'a payment in a state nobody knows',
      payment({ status: 'settling', auth_code: '42' }),
      {},
      { kind: 'applied', payment: { id: 'P', status: 'settling', authCode: '42' } },
    ],
    [200, 'an object without payment', '{"success":true}', {}, { kind: 'applied', payment: null }],
    [200, 'a payment without id', '{"data":{"status":"x"}}', {}, { kind: 'applied', payment: null }],
    [204, 'nothing, signed', '', SIGNED, { kind: 'applied', payment: null }],
    [200, 'nothing, unsigned', '', {}, { kind: 'unclear' }],
    [200, 'a portal page', HTML, {}, { kind: 'unclear' }],
    [200, "a page under the service's version", HTML, SIGNED, { kind: 'unclear' }],
    [200, 'half a document', '{"data":{"id":', SIGNED, { kind: 'unclear' }],
    [200, 'an error in disguise', flat('maintenance'), SIGNED, { kind: 'unclear' }],
    [200, 'a bare string', '"ok"', SIGNED, { kind: 'unclear' }],
    [302, 'a redirect', '', {}, { kind: 'unclear' }],
    [304, 'not modified, signed', '', SIGNED, { kind: 'unclear' }],
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
    [400, 'a proxy page', HTML, {}, { kind: 'unclear' }],
    [
      401,
      'the envelope',
      envelope('expired_api_key', 'authentication_error'),
      {},
      { kind: 'unauthorised', ...refusal(401, 'expired_api_key') },
    ],
    [
      401,
      'a challenge without words',
      '',
      { 'www-authenticate': 'Bearer realm=x' },
      { kind: 'unauthorised', ...refusal(401, null) },
    ],
    [401, "a portal's log-in page", HTML, {}, { kind: 'unclear' }],
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
    [403, 'a firewall page', HTML, {}, { kind: 'unclear' }],
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
    [404, 'nothing, signed', '', SIGNED, { kind: 'not_found', ...refusal(404, null) }],
    [404, 'a proxy page', HTML, {}, { kind: 'unclear' }],
    [404, 'nothing, unsigned', '', {}, { kind: 'unclear' }],
    [407, "a proxy's challenge", HTML, {}, { kind: 'unavailable', trouble: 'line' }],
    [408, 'a time-out', '', {}, { kind: 'unavailable', trouble: 'service', reached: 'unknown' }],
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
    [429, 'a proxy page', HTML, {}, { kind: 'rate_limited', retryAfterMs: null }],
    [
      500,
      'the envelope',
      envelope('internal_error', 'api_error'),
      {},
      { kind: 'unavailable', reached: 'unknown', words: '500: m' },
    ],
    [
      501,
      'not implemented',
      envelope('not_implemented', 'api_error'),
      {},
      { kind: 'refused', ...refusal(501, 'not_implemented') },
    ],
    [502, 'a proxy page', HTML, {}, { kind: 'unavailable', trouble: 'service', retryAfterMs: null }],
    [
      503,
      'a flat idempotency error',
      flat('store down', 'IDEMPOTENCY_UNAVAILABLE'),
      { 'retry-after': '5' },
      { kind: 'unavailable', retryAfterMs: 5_000 },
    ],
    [503, 'no way to pay online', flat('none', 'NO_PAYMENT_METHODS_AVAILABLE'), {}, { kind: 'unavailable' }],
    [504, 'nothing', '', {}, { kind: 'unavailable', reached: 'unknown' }],
    [599, 'whatever', 'x', {}, { kind: 'unavailable' }],
  ])('%i with %s', (status, _, text, headers, answer) => {
    expect(answerOf(replyOf(status, text, headers))).toMatchObject(answer as object);
  });

  it('keeps hostile words short and on one line', () => {
    const answer = answerOf(
      replyOf(400, JSON.stringify({ error: { code: 'c', message: 'a\nb'.repeat(5_000) } })),
    );
    expect(answer.kind === 'refused' && answer.refusal.message).toMatch(/^a b[^\n]{0,297}$/);
  });

  it.each(['null', '[]', '0', '{"error":null}', '{"error":[]}', '{"success":false}', '\u0000'])(
    'finds %j odd, and does not fall over it',
    (text) => {
      for (const status of [400, 404, 409, 422])
        expect(answerOf(replyOf(status, text)).kind).not.toBe('applied');
    },
  );
});

describe('What silence means', () => {
  it.each([
    ['NET_NAME_RESOLUTION', 'ENOTFOUND', 'no', 'name_resolution'],
    ['NET_UNREACHABLE', 'ECONNREFUSED', 'no', 'service'],
    ['NET_UNREACHABLE', 'ENETUNREACH', 'no', 'line'],
    ['NET_UNREACHABLE', 'ECONNRESET', 'unknown', 'service'],
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
