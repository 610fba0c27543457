import { counted } from '../../../base/counted.ts';
import {
  deliveriesIn,
  endingKeysIn,
  endpointsIn,
  type KnownEndpoint,
} from '../../../store/inspection/upkeep-questions.ts';
import { type CheckResult, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SOON_DAYS = 14;

/** Whether deliveries to the webhook endpoints work. */
export function checkWebhooks({ database, now }: DiagnosticContext): readonly CheckResult[] {
  const endpoints = endpointsIn(database());
  const findings = endpoints.flatMap((endpoint) =>
    endpointFindings(endpoint, deliveriesIn(database(), endpoint.id, now - DAY_MS), now),
  );
  return findings.length > 0
    ? findings
    : [
        ok(
          'webhooks',
          `${counted(endpoints.length, 'endpoint gets its', 'endpoints get their')} events, none is behind`,
        ),
      ];
}

function endpointFindings(
  { id: endpoint, url, status }: KnownEndpoint,
  { failed, waiting, oldestAt, error }: ReturnType<typeof deliveriesIn>,
  now: number,
): readonly CheckResult[] {
  const id = 'webhooks';
  const because = error === null ? '' : `; the last one: ${error}`;
  const findings: CheckResult[] = [];
  if (status === 'disabled')
    findings.push(
      warn(id, {
        what: `the endpoint ${endpoint} (${hostOf(url)}) is disabled`,
        why: 'the program that listens there hears of no payment',
        fix: `tillctl webhooks list shows its address; tillctl webhooks remove ${endpoint}, and to have it back: tillctl webhooks add URL`,
      }),
    );
  if (failed > 0)
    findings.push(
      warn(id, {
        what: `${counted(failed, 'delivery', 'deliveries')} to ${hostOf(url)} failed for good within a day${because}`,
        why: 'the program that listens there does not know of these payments',
        fix: `repair that endpoint, then: tillctl webhooks deliveries ${endpoint}, and tillctl webhooks redeliver DELIVERY`,
      }),
    );
  if (oldestAt !== null && now - oldestAt > HOUR_MS)
    findings.push(
      warn(id, {
        what: `${counted(waiting, `delivery to ${hostOf(url)} waits`, `deliveries to ${hostOf(url)} wait`)}, the oldest since ${new Date(oldestAt).toISOString()}${because}`,
        why: 'the program that listens there is behind; after a day they are given up',
        fix: `curl -v ${originOf(url)} shows whether it answers; then: tillctl webhooks deliveries ${endpoint}`,
      }),
    );
  return findings;
}

/** An address may hold a secret in its path: only the host is shown. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that is none';
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'URL';
}

/** API keys that expire soon, or recently expired. */
export function checkKeys({ database, now }: DiagnosticContext): readonly CheckResult[] {
  const id = 'api-keys';
  const ending = endingKeysIn(database(), now + SOON_DAYS * DAY_MS);
  const shown = ending.filter(({ expiresAt }) => expiresAt > now - SOON_DAYS * DAY_MS);
  if (shown.length === 0) return [ok(id, 'no API key of a till ends soon')];
  return shown.map(({ id: key, name, expiresAt }) =>
    warn(id, {
      what: `the API key "${name}" (${key}) ${expiresAt < now ? 'ended' : 'ends'} on ${new Date(expiresAt).toISOString().slice(0, 10)}`,
      why: 'the till that uses it is refused from then on',
      fix: `tillctl keys create --name "${name}" --scope SCOPE, give it to the till, then: tillctl keys revoke ${key}`,
    }),
  );
}
