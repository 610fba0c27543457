import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { hold } from '../breach.ts';
import { CREDENTIAL_FIELDS, PROVIDERS } from '../interface.ts';
import { ask, type Row } from '../row.ts';
import { dataOf, Integration } from '../shapes.ts';
import {
  activated,
  CREDENTIALS,
  done,
  integration,
  keepsSecret,
  mappingsOf,
  NOT_ACTIVE,
  post,
  put,
  replaced,
  row,
  snapshotOf,
} from './integration-asks.ts';

const A = 'provider_a';
const B = 'provider_b';
const Tested = z.strictObject({ valid: z.boolean(), error: z.string() });
const BAD_CREDENTIALS: readonly (readonly [string, object])[] = [
  ['an empty key', { apiKey: '' }],
  ['a key of 4,097 characters', { apiKey: 'k'.repeat(4097) }],
  ['a key with a line break', { apiKey: 'key\nkey' }],
  ['no key', { apiKey: undefined }],
  ['an address without encryption', { baseUrl: 'http://provider.example' }],
  ['an address with a password', { baseUrl: 'https://user:word@provider.example' }],
  ['an address that is none', { baseUrl: 'provider' }],
  ['an address of 2,049 characters', { baseUrl: `https://provider.example/${'a'.repeat(2024)}` }],
  ['a name of 101 characters', { appName: 'n'.repeat(101) }],
  ['a mail address without @', { appEmail: 'ops' }],
  ['a field that nobody knows', { password: 'x' }],
];

/** Switching an integration on and off, and its credential. */
export function lifecycleRows(): readonly Row[] {
  return [
    ...PROVIDERS.map(activateRow),
    row(
      'activate-again',
      'an integration that is active is activated again without harm',
      ['POST activate'],
      async (side) => {
        const before = await activated(side, A);
        const answer = await ask(side, post(integration(A, 'activate'), {}), {
          status: 200,
          body: dataOf(Integration),
        });
        hold(
          JSON.stringify(answer.json) === JSON.stringify({ data: before }),
          () => `it became ${answer.text}`,
        );
      },
    ),
    deactivateRow(),
    row(
      'rotate',
      'a credential is replaced, and the integration stays as it is',
      ['POST rotate', 'apiKey'],
      async (side) => {
        const before = await activated(side, A);
        const credentials = { ...CREDENTIALS, apiKey: `${CREDENTIALS.apiKey}_new` };
        const answer = await ask(side, post(integration(A, 'rotate'), { credentials }), {
          status: 200,
          body: dataOf(Integration),
        });
        keepsSecret(answer);
        hold(
          JSON.stringify(answer.json) === JSON.stringify({ data: before }),
          () => `it became ${answer.text}`,
        );
      },
    ),
    ...PROVIDERS.map(testRow),
    testedAloneRow(),
    ...BAD_CREDENTIALS.flatMap(([what, change]) =>
      ['activate', 'rotate', 'test'].map((on) => badRow(on, what, change)),
    ),
    ...['rotate', 'test'].map((on) =>
      row(
        `${on}-without`,
        `${on} without a credential is 400`,
        [`POST ${on}`, 'credentials'],
        async (side) => {
          await ask(side, post(integration(A, on), {}), { status: 400 });
          await ask(side, post(integration(A, on)), { status: 400 });
        },
      ),
    ),
    resumeRow(),
  ];
}

function activateRow(provider: (typeof PROVIDERS)[number]): Row {
  const what = `${provider} is activated with a credential, which no answer shows`;
  return row(`activate-${provider}`, what, ['POST activate', ...CREDENTIAL_FIELDS], async (side) => {
    const asked = post(integration(provider, 'activate'), { credentials: CREDENTIALS });
    keepsSecret(await ask(side, asked, { status: 200, body: dataOf(Integration) }));
    const answer = await ask(side, { path: integration(provider) }, { status: 200 });
    keepsSecret(answer);
    const { active, configured } = await snapshotOf(side, provider);
    hold(active && configured, () => `active ${active}, configured ${configured}`);
  });
}

function deactivateRow(): Row {
  const what =
    'an integration that is deactivated keeps its mappings and its credential: it is activated again without one';
  return row('deactivate', what, ['POST deactivate', 'POST activate'], async (side) => {
    await activated(side, B);
    await replaced(side, B, [{ externalId: 'kept' }]);
    const off = await ask(side, post(integration(B, 'deactivate')), {
      status: 200,
      body: dataOf(Integration),
    });
    const { active, next_sync_at } = dataOf(Integration).parse(off.json).data;
    hold(!active && next_sync_at === null, () => off.text);
    await ask(side, post(integration(B, 'sync')), NOT_ACTIVE);
    await ask(side, post(integration(B, 'deactivate')), { status: 200 });
    const [first] = await mappingsOf(side, B);
    hold(first?.externalId === 'kept', () => 'its mapping is gone');
    await ask(side, post(integration(B, 'activate'), {}), { status: 200 });
    hold((await snapshotOf(side, B)).active, () => 'it is not active');
  });
}

function testRow(provider: (typeof PROVIDERS)[number]): Row {
  const what = `${provider} tests a credential, and a failure has words`;
  return row(`test-${provider}`, what, ['POST test', 'credentials'], async (side) => {
    const path = integration(provider, 'test');
    const good = await ask(side, post(path, { credentials: CREDENTIALS }), { status: 200, body: Tested });
    hold(good.text === '{"valid":true,"error":""}', () => good.text);
    const bad = await ask(side, post(path, { credentials: { apiKey: 'bad key' } }), {
      status: 200,
      body: Tested,
    });
    const { valid, error } = Tested.parse(bad.json);
    hold(!valid && error !== '', () => bad.text);
  });
}

function testedAloneRow(): Row {
  return row(
    'test-keeps-nothing',
    'a test changes nothing of the integration',
    ['POST test'],
    async (side) => {
      const before = await snapshotOf(side, 'provider_d');
      await ask(side, post(integration('provider_d', 'test'), { credentials: CREDENTIALS }), { status: 200 });
      const after = await snapshotOf(side, 'provider_d');
      hold(JSON.stringify(after) === JSON.stringify(before), () => JSON.stringify(after));
    },
  );
}

function badRow(on: string, what: string, change: object): Row {
  return row(`${on}: ${what}`, `${on} with ${what} is 400`, [`POST ${on}`, 'credentials'], async (side) => {
    const credentials = { ...CREDENTIALS, ...change };
    keepsSecret(await ask(side, post(integration(A, on), { credentials }), { status: 400 }));
  });
}

function resumeRow(): Row {
  const what =
    'a sync is resumed: the counter is 0, nothing is paused, and a sync is queued; of an integration that is not active 400';
  return row('resume', what, ['POST resume-sync'], async (side) => {
    await activated(side, A);
    await side.pass(60_000);
    const answer = await ask(side, post(integration(A, 'resume-sync')), { status: 202 });
    hold(answer.text === '{"success":true}', () => answer.text);
    const { error_count, paused_reason, last_sync_at } = await snapshotOf(side, A);
    hold(error_count === 0 && paused_reason === null, () => `${error_count} ${paused_reason}`);
    hold(Date.parse(last_sync_at ?? '') === side.now(), () => `the last sync is of ${last_sync_at}`);
    await ask(side, post(integration(A, 'deactivate')), { status: 200 });
    await ask(side, post(integration(A, 'resume-sync')), NOT_ACTIVE);
  });
}

/** Asking for a sync. */
export function syncRows(): readonly Row[] {
  const ON = ['POST sync', 'fullResync'];
  const sayings = [
    ['', undefined, false],
    ['', {}, false],
    ['', { fullResync: false }, false],
    ['', { fullResync: true }, true],
    ['?fullResync=true', undefined, true],
    ['?fullResync=false', {}, false],
    ['?fullResync=true', { fullResync: true }, true],
  ] as const;
  const wrong = [
    ['?fullResync=true', { fullResync: false }],
    ['?fullResync=maybe', undefined],
    ['?fullResync=', undefined],
    ['?fullResync=true&fullResync=true', undefined],
    ['', { fullResync: 'true' }],
    ['', { fullResync: 1 }],
    ['', { full: true }],
  ] as const;
  return [
    ...sayings.map(([query, body, fullResync]) =>
      row(
        `sync${query} ${JSON.stringify(body)}`,
        `a sync with ${query} and ${JSON.stringify(body)} is queued`,
        ON,
        async (side) => {
          await activated(side, A);
          const answer = await ask(side, post(`${integration(A, 'sync')}${query}`, body), { status: 202 });
          hold(answer.text === JSON.stringify({ success: true, fullResync }), () => answer.text);
        },
      ),
    ),
    ...wrong.map(([query, body]) =>
      row(
        `sync${query} ${JSON.stringify(body)} refused`,
        `a sync with ${query} and ${JSON.stringify(body)} is 400`,
        ON,
        async (side) => {
          await activated(side, A);
          await ask(side, post(`${integration(A, 'sync')}${query}`, body), { status: 400 });
        },
      ),
    ),
    row(
      'sync-times',
      'a sync moves its instants, and a look at the snapshot does not',
      ['POST sync', 'GET .'],
      async (side) => {
        await activated(side, 'terminal');
        await side.pass(60_000);
        await ask(side, post(integration('terminal', 'sync')), { status: 202 });
        const at = side.now();
        await side.pass(1000);
        const { last_sync_at, next_sync_at, sync_interval_s } = await snapshotOf(side, 'terminal');
        hold(Date.parse(last_sync_at ?? '') === at, () => `the last one is of ${last_sync_at}`);
        const due = at + sync_interval_s * 1000;
        // Some wait up to a tenth of the interval more, so that not all of them begin in the same second.
        const next = Date.parse(next_sync_at ?? '');
        const isDue = next >= due && next <= due + sync_interval_s * 100;
        hold(isDue, () => `the next one is of ${next_sync_at}`);
      },
    ),
    row(
      'sync-off',
      'an integration that is toggled off is synced when it is asked for: the toggle stops the schedule',
      ['POST sync', 'PUT sync-toggle', 'enabled'],
      async (side) => {
        await activated(side, B);
        await done(side, put(integration(B, 'sync-toggle'), { enabled: false }));
        hold((await snapshotOf(side, B)).next_sync_at === null, () => 'it is still scheduled');
        await ask(side, post(integration(B, 'sync')), { status: 202 });
        await done(side, put(integration(B, 'sync-toggle'), { enabled: true }));
      },
    ),
    row(
      'sync-once',
      'a sync under an Idempotency-Key is answered again with its first answer',
      ['POST sync'],
      async (side) => {
        await activated(side, A);
        const asked = {
          ...post(integration(A, 'sync'), { fullResync: true }),
          headers: { 'Idempotency-Key': randomUUID() },
        };
        const first = await ask(side, asked, { status: 202 });
        const again = await ask(side, asked, { status: 202 });
        hold(again.text === first.text, () => again.text);
      },
    ),
  ];
}
