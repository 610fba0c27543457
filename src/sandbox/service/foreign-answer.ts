import { z } from 'zod';

/** The answer of another host, without any header of the service. */
export const ForeignAnswer = z.strictObject({
  answer: z.enum(['page', 'redirect', 'json', 'empty', 'forbidden', 'not_found', 'conflict', 'version']),
  /** Only where `METHOD /path` contains this text; absent: every request. */
  only: z.string().max(200).optional(),
});
export type ForeignAnswer = z.infer<typeof ForeignAnswer>;

interface ForeignResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const PAGE = '<!doctype html><title>Sign in</title><p>Please sign in to use this network.</p>';
const JSON_TYPE = { 'content-type': 'application/json' };
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };

/** The sign-in page of a network, another host, a proxy, and a service with another version. */
const RESPONSES: Readonly<Record<ForeignAnswer['answer'], ForeignResponse>> = {
  page: { status: 200, headers: HTML_TYPE, body: PAGE },
  redirect: { status: 302, headers: { ...HTML_TYPE, location: 'http://portal.invalid/sign-in' }, body: '' },
  json: { status: 200, headers: JSON_TYPE, body: '{"status":"please sign in"}' },
  empty: { status: 200, headers: {}, body: '' },
  forbidden: { status: 403, headers: HTML_TYPE, body: '<h1>403 Forbidden</h1>' },
  not_found: { status: 404, headers: JSON_TYPE, body: '{"error":"Not Found"}' },
  conflict: { status: 409, headers: JSON_TYPE, body: '{"message":"conflict"}' },
  version: { status: 200, headers: { ...JSON_TYPE, 'service-version': '2027-01-01' }, body: '{"data":[]}' },
};

/** The configured answer. */
export function foreignAnswerOf({ answer }: ForeignAnswer): ForeignResponse {
  return RESPONSES[answer];
}
