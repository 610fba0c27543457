import { type Attack, refused } from '../attack.ts';
import { PAYMENTS, request } from '../request.ts';

const PATH = 'path tricks';
const NOWHERE = { status: 404, code: 'unknown route' } as const;
const NO_ID = { status: 400, code: 'validation_error' } as const;

/** Other ways to write an address; only the one of the interface leads anywhere. */
export const PATHS: readonly Attack[] = [
  ...[
    '/v2/../v2/terminal-devices',
    '/v2/./terminal-devices',
    '//v2/terminal-devices',
    '/v2//terminal-devices',
    '/v2/terminal-devices/',
    '/v2/%2e%2e/v2/terminal-devices',
    '/v2%2fterminal-devices',
    '/v2/terminal-devices%2f',
    '/v2/terminal-devices;x',
    '/v2;x=y/terminal-devices',
    '/V2/terminal-devices',
    '/v2/Terminal-Devices',
    '/v2/%74erminal-devices',
    '/v2/terminal-devices%00',
    '/v2/terminal-devices%20',
    '/v2/terminal-devices%0d%0ax-api-key:%20a',
    '/v2/terminal-devices.json',
    '/v2/terminal\\devices',
    '/v2/..%c0%afv2/terminal-devices',
    '/%c0%ae%c0%ae/v2/terminal-devices',
    '/v2/%zz',
    '/v2/%',
    '/../../../../etc/passwd',
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/.git/config',
    '/.tilld/money.db',
    '/v2',
    '/console',
    '/console/',
    '/console/app',
    '/console/../../etc/passwd',
    '/console/..%2fmain.ts',
    '/console/vendor/../../../package.json',
    '/console/app/main.js%00',
    '/index.html',
    '/v1/terminal-devices',
    '/v2/__proto__',
    '/v2/constructor',
    '/v2/terminal-devices#fragment',
  ].map((target) => refused(PATH, target, NOWHERE, (field) => request(field, { target }))),
  ...[
    '__proto__',
    'constructor',
    'toString',
    '%00',
    '%2e%2e',
    '..',
    '%c0%ae',
    'a%2fb',
    "'%20OR%201=1--",
    '$%7bjndi:ldap%7d',
    '%F0%9F%92%B3',
  ].map((id) =>
    refused(PATH, `${PAYMENTS}/${id}`, id === '%c0%ae' ? NOWHERE : NO_ID, (field) =>
      request(field, { target: `${PAYMENTS}/${id}` }),
    ),
  ),
  refused(PATH, 'an id of 12,000 letters', NO_ID, (field) =>
    request(field, { target: `${PAYMENTS}/${'a'.repeat(12_000)}` }),
  ),
  ...['terminal-devices', '\\v2\\terminal-devices', ''].map((target) =>
    refused(PATH, `"${target}" without a slash`, { status: 400, closes: true }, (field) =>
      request(field, { target }),
    ),
  ),
  refused(PATH, 'a device named __proto__', NO_ID, (field) =>
    request(field, { target: '/v2/terminal-devices/__proto__' }),
  ),
  refused(PATH, 'PUT where only GET and POST are', NOWHERE, (field) =>
    request(field, { method: 'PUT', target: PAYMENTS, body: '{}' }),
  ),
];
