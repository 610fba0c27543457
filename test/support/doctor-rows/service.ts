import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { dirname } from 'node:path';
import { lackOfOpenssl, makeCertificate } from '../../security/certificate.ts';
import { aListener, aService, type DiagnosticContext, listening } from '../doctor-table.ts';
import { lackOfLocalhost } from '../localhost.ts';
import { type Row, row } from './row.ts';

const DAY_MS = 86_400_000;

/** The way to the service, and what it says of the key. */
export const SERVICE: readonly Row[] = [
  row(
    'a service whose name nobody knows',
    ['service', 'fail'],
    'has no address',
    'resolvectl status',
    (shop) => shop.service('https://billing.invalid'),
  ),
  row('a service that refuses connections', ['service', 'fail'], 'refuses connections', 'curl -v', (shop) =>
    shop.service('http://127.0.0.1:1'),
  ),
  row('a service that there is no way to', ['service', 'fail'], 'there is no way', 'ip route', (shop) =>
    shop.service('https://[2001:db8::1]'),
  ),
  row('a service that never answers', ['service', 'fail'], 'gives no answer', 'curl -sv', async (shop) =>
    shop.service(`http://127.0.0.1:${await aListener(() => undefined)}`),
  ),
  row(
    'a service that speaks no TLS',
    ['service-tls', 'fail'],
    'speaks no TLS',
    'openssl s_client',
    async (shop) => {
      const url = await aService({});
      shop.service(url.replace('http:', 'https:'));
    },
  ),
  row(
    'a certificate that nobody trusts',
    ['service-tls', 'fail'],
    'is not trusted here',
    'NODE_EXTRA_CA_CERTS',
    async (shop) => shop.service(`https://127.0.0.1:${await aTlsService(shop)}`),
    lackOfOpenssl,
  ),
  row(
    'a certificate for another name',
    ['service-tls', 'fail'],
    'is for another name',
    'openssl s_client',
    async (shop) => shop.service(`https://localhost:${await aTlsService(shop)}`),
    () => lackOfOpenssl() ?? (lackOfLocalhost || null),
  ),
  row(
    'a certificate that has expired',
    ['service-tls', 'fail'],
    'has expired',
    'timedatectl',
    async (shop) => {
      shop.service(`https://127.0.0.1:${await aTlsService(shop)}`);
      shop.now += 3 * DAY_MS;
    },
    lackOfOpenssl,
  ),
  row(
    'a key that the service does not know',
    ['service-key', 'fail'],
    'invalid_api_key',
    'copy it anew',
    async (shop) => shop.service(await aService(refusal(401, 'invalid_api_key'))),
  ),
  row(
    'a key that has expired',
    ['service-key', 'fail'],
    'expired_api_key',
    'the key has expired',
    async (shop) => shop.service(await aService(refusal(401, 'expired_api_key'))),
  ),
  row(
    'a key that was revoked',
    ['service-key', 'fail'],
    'api_key_revoked',
    'revoked for good',
    async (shop) => shop.service(await aService(refusal(401, 'api_key_revoked'))),
  ),
  row(
    'a key that lacks a scope',
    ['service-scope', 'fail'],
    'needs payments:read',
    'give the key that scope',
    async (shop) =>
      shop.service(await aService((path) => (path.includes('terminal-payments') ? SCOPE : null))),
  ),
  row(
    'a key that may not read events',
    ['service-scope', 'warn'],
    'may not list events',
    'give the key that scope',
    async (shop) => shop.service(await aService((path) => (path.includes('/events') ? SCOPE : null))),
  ),
  row(
    'a key that is for another address',
    ['service-scope', 'fail'],
    'ip_not_allowed',
    'let the address of this shop',
    async (shop) => shop.service(await aService(refusal(403, 'ip_not_allowed'))),
  ),
  row(
    'a service that is asked too much',
    ['service', 'warn'],
    'too much is asked',
    'systemctl restart tilld',
    async (shop) => shop.service(await aService(refusal(429, 'rate_limit_exceeded'))),
  ),
  row('a service that fails', ['service', 'warn'], 'the service fails', 'tillctl outbox', async (shop) =>
    shop.service(await aService(refusal(503, 'service_unavailable'))),
  ),
  row(
    'a sign-in page of the network',
    ['service', 'fail'],
    'wants a sign-in',
    'sign this machine in',
    async (shop) => shop.service(await aService({ isSigned: false, body: '<html>Welcome</html>' })),
  ),
  row(
    'a network that leads to its sign-in page',
    ['service', 'fail'],
    'wants a sign-in',
    'curl -sv',
    async (shop) =>
      shop.service(
        await aService({ isSigned: false, status: 302, headers: { location: 'http://portal.shop/' } }),
      ),
  ),
  row(
    'another host that answers with JSON',
    ['service', 'fail'],
    'is not the service',
    'correct "service.url"',
    async (shop) => shop.service(await aService({ isSigned: false, body: { status: 'ok' } })),
  ),
  row('a proxy that forbids the way', ['service', 'fail'], 'is not the service', 'curl -sv', async (shop) =>
    shop.service(await aService({ isSigned: false, status: 403, body: '<html>Blocked</html>' })),
  ),
  row('a wrong address', ['service', 'fail'], 'is not the service', 'curl -sv', async (shop) =>
    shop.service(await aService({ isSigned: false, status: 404, body: { error: 'Not Found' } })),
  ),
  row(
    'a path that the service does not have',
    ['service', 'warn'],
    'refuses to list',
    'service.paths',
    async (shop) => shop.service(await aService({ status: 404, body: { error: 'Not Found' } })),
  ),
  row(
    'a service that ignores the filters of its list of payments',
    ['service-filters', 'warn'],
    'ignores the filters',
    'requests_per_minute',
    async (shop) => {
      const payment = { id: '0199c0de-0000-7000-8000-0000000000ff', status: 'succeeded' };
      const body = { object: 'list', data: [payment], has_more: false };
      shop.service(await aService((path) => (path.includes('terminal-payments') ? { body } : null)));
    },
  ),
  row(
    'a service that refuses the filters of its list of payments',
    ['service-filters', 'warn'],
    'refuses the filters',
    'requests_per_minute',
    async (shop) =>
      shop.service(
        await aService((path) => (path.includes('status=') ? refusal(400, 'validation_error') : null)),
      ),
  ),
  row(
    'a version that ends within weeks',
    ['service-version', 'fail'],
    'ends version 2026-05-01',
    'apt-get install tilld',
    async (shop) => {
      const sunset = new Date(shop.now + 20 * DAY_MS).toUTCString();
      shop.service(
        await aService({ headers: { 'service-version': '2026-05-01', sunset, deprecation: 'true' } }),
      );
    },
  ),
  row(
    'a version that ends in half a year',
    ['service-version', 'warn'],
    'ends version',
    'apt-get install tilld',
    async (shop) => {
      const sunset = new Date(shop.now + 180 * DAY_MS).toUTCString();
      shop.service(await aService({ headers: { sunset } }));
    },
  ),
  row(
    'another version than ours',
    ['service-version', 'fail'],
    'answers in version 2027-01-01',
    'apt-get install tilld',
    async (shop) => shop.service(await aService({ headers: { 'service-version': '2027-01-01' } })),
  ),
  row(
    'a service with another time',
    ['service-clock', 'warn'],
    'ahead of this machine',
    'timedatectl',
    async (shop) =>
      shop.service(await aService({ headers: { date: new Date(shop.now + 600_000).toUTCString() } })),
  ),
  row(
    'a device that the service does not have',
    ['service-devices', 'warn'],
    'has no device',
    'tillctl config check',
    async (shop) => shop.service(await aService({ body: { object: 'list', data: [], has_more: false } })),
  ),
];

const SCOPE = {
  status: 403,
  body: {
    error: {
      type: 'authorization_error',
      code: 'insufficient_permissions',
      message: 'The API key lacks a required scope.',
      details: { required: ['payments:read'] },
    },
  },
};

function refusal(status: number, code: string) {
  return { status, body: { error: { type: 'api_error', code, message: 'Refused.' } } };
}

async function aTlsService(shop: DiagnosticContext): Promise<number> {
  const { certificatePath, keyPath } = makeCertificate(dirname(shop.books.folder));
  const pair = { cert: readFileSync(certificatePath), key: readFileSync(keyPath) };
  return listening(createServer(pair, (_request, response) => response.end('{}')));
}
