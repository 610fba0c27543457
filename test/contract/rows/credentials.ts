import { hold } from '../breach.ts';
import { meets } from '../expect.ts';
import { CREDENTIAL_HEADERS, KEY_PREFIXES } from '../interface.ts';
import { askAs, type Group, type Row } from '../row.ts';
import { UNKNOWN_KEY } from '../sides/keys.ts';
import type { Side } from '../sides/side.ts';
import { PAYMENTS } from './sales.ts';

const SECTION = 'Authentication: 1, 3, 4';
const DEVICES = '/v2/terminal-devices?limit=1';
const [apiKey, serviceKey, authorization] = CREDENTIAL_HEADERS;
type Headers = Readonly<Record<string, string>>;

export const credentialGroup: Group = {
  name: 'credentials',
  rows: [
    accepted('x-api-key', 'the key in x-api-key', (key) => ({ [apiKey]: key }), apiKey),
    accepted(
      'x-service-key',
      'the key in the older x-service-key',
      (key) => ({ [serviceKey]: key }),
      serviceKey,
    ),
    accepted(
      'bearer',
      'the key as Authorization: Bearer',
      (key) => ({ [authorization]: `Bearer ${key}` }),
      authorization,
    ),
    accepted(
      'bearer-small',
      'the scheme in small letters',
      (key) => ({ [authorization]: `bearer ${key}` }),
      authorization,
    ),
    accepted(
      'twice-the-same',
      'the same key in two headers',
      (key) => ({ [apiKey]: key, [authorization]: `Bearer ${key}` }),
      apiKey,
    ),
    accepted('capitals', 'header names in capitals', (key) => ({ 'X-API-KEY': key }), apiKey),
    refused('none', 'no header at all', 'authentication_failed', () => ({})),
    refused('empty', 'an empty x-api-key', 'authentication_failed', () => ({ [apiKey]: '' })),
    refused('basic', 'another scheme than Bearer', 'authentication_failed', (side) => ({
      [authorization]: `Basic ${btoa(`till:${side.keyOf('full')}`)}`,
    })),
    refused('bearer-alone', 'Bearer without a key', 'authentication_failed', () => ({
      [authorization]: 'Bearer',
    })),
    refused('key-without-scheme', 'Authorization without a scheme', 'authentication_failed', (side) => ({
      [authorization]: side.keyOf('full'),
    })),
    refused('malformed', 'what has not the form of a key', 'invalid_api_key', () => ({
      [apiKey]: 'a-word-of-no-key',
    })),
    refused('unknown', 'a key that nobody made', 'invalid_api_key', () => ({ [apiKey]: UNKNOWN_KEY })),
    refused('almost', 'a key with one character changed', 'invalid_api_key', (side) => ({
      [apiKey]: `${side.keyOf('full').slice(0, -1)}_`,
    })),
    refused('longer', 'a key with one character more', 'invalid_api_key', (side) => ({
      [apiKey]: `${side.keyOf('full')}0`,
    })),
    refused('live', 'the same key with the prefix of the other environment', 'invalid_api_key', (side) => ({
      [apiKey]: side.keyOf('full').replace(KEY_PREFIXES.sandbox, KEY_PREFIXES.live),
    })),
    refused('two-that-differ', 'two keys that differ', 'authentication_failed', (side) => ({
      [apiKey]: side.keyOf('full'),
      [authorization]: `Bearer ${side.keyOf('second')}`,
    })),
    refused('expired', 'a key whose time is over', 'expired_api_key', (side) => ({
      [apiKey]: side.keyOf('expired'),
    })),
    refused('revoked', 'a key that was revoked', 'api_key_revoked', (side) => ({
      [apiKey]: side.keyOf('revoked'),
    })),
    inQueryRow(),
    beforeAllElseRow(),
    expiresRow(),
    addressRow(),
    allowedAddressRow(),
  ],
};

function accepted(id: string, what: string, headers: (key: string) => Headers, header: string): Row {
  return {
    id: `credential/${id}`,
    section: SECTION,
    what: `${what} is accepted`,
    covers: [`header:${header}`],
    run: async (side) =>
      meets(await side.send({ path: DEVICES, headers: headers(side.keyOf('full')) }), { status: 200 }),
  };
}

function refused(id: string, what: string, code: string, headers: (side: Side) => Headers): Row {
  return {
    id: `credential/${id}`,
    section: 'Errors: 401 codes',
    what: `${what} is 401 ${code} with the challenge`,
    covers: [`code:401 ${code}`, 'header:WWW-Authenticate', 'type:authentication_error', 'status:401'],
    run: async (side) => isRefused(side, code, headers(side)),
  };
}

async function isRefused(side: Side, code: string, headers: Headers, path = DEVICES): Promise<void> {
  meets(await side.send({ path, headers }), { status: 401, error: { type: 'authentication_error', code } });
}

function inQueryRow(): Row {
  return {
    id: 'credential/in-query',
    section: SECTION,
    what: 'a key in the query is no credential, and is not echoed',
    covers: ['code:401 authentication_failed'],
    run: async (side) => {
      for (const name of ['x-api-key', 'api_key', 'key'])
        await isRefused(
          side,
          'authentication_failed',
          {},
          `/v2/terminal-devices?${name}=${side.keyOf('full')}`,
        );
    },
  };
}

function beforeAllElseRow(): Row {
  return {
    id: 'credential/first',
    section: SECTION,
    what: 'who has no valid key learns nothing else: not what is missing in the body, not whether the id is there',
    covers: ['status:401'],
    run: async (side) => {
      const headers = { [apiKey]: UNKNOWN_KEY };
      const error = { type: 'authentication_error', code: 'invalid_api_key' } as const;
      for (const asked of [
        { method: 'POST', path: PAYMENTS, body: '{"broken' },
        { method: 'POST', path: PAYMENTS, body: { surprise: true } },
        { path: `${PAYMENTS}/not-a-uuid` },
        { path: `${PAYMENTS}?limit=0` },
      ] as const)
        meets(await side.send({ ...asked, headers }), { status: 401, error });
    },
  };
}

function expiresRow(): Row {
  return {
    id: 'credential/expires',
    section: 'Errors: 401 codes',
    what: 'a key is valid until the moment that it expires',
    covers: ['code:401 expired_api_key'],
    run: async (side) => {
      await askAs(side, 'expires-soon', { path: DEVICES }, { status: 200 });
      await side.pass(3_600_000);
      await isRefused(side, 'expired_api_key', { [apiKey]: side.keyOf('expires-soon') });
    },
  };
}

function addressRow(): Row {
  return {
    id: 'credential/address',
    section: 'Authentication: 8',
    what: 'a key from an address that its allow-list does not hold is 403 ip_not_allowed',
    covers: ['code:403 ip_not_allowed', 'status:403'],
    run: async (side) => {
      const error = { type: 'authorization_error', code: 'ip_not_allowed' } as const;
      const answer = await askAs(side, 'elsewhere', { path: DEVICES }, { status: 403, error });
      hold(!/203\.0\.113|2001:db8/.test(answer.text), () => 'the refusal lists the allowed addresses');
    },
  };
}

function allowedAddressRow(): Row {
  return {
    id: 'credential/address-allowed',
    section: 'Authentication: 8',
    what: 'a key from an address in a range of its allow-list is accepted',
    covers: ['code:403 ip_not_allowed'],
    run: async (side) => void (await askAs(side, 'here', { path: DEVICES }, { status: 200 })),
  };
}
