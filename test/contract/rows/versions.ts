import { hold } from '../breach.ts';
import { CURRENT, RESOLUTION, VERSIONS } from '../interface.ts';
import { ask, askAs, type Group, type Row } from '../row.ts';
import type { Side } from '../sides/side.ts';
import { PAYMENTS } from './sales.ts';

const SECTION = 'Versioning: 2, 3, 5';
const DEVICES = '/v2/terminal-devices';
const OLDER = '2026-01-15';
/** The code of this 400 is not shown: each side's own. */
const UNSUPPORTED = { local: 'invalid_request_error', sandbox: 'validation_error' } as const;

// That the answer tells its version, with both dates of a deprecated one, is a law of every answer (laws.ts): here are the requests.
export const versionGroup: Group = {
  name: 'versions',
  rows: [
    row(
      'none',
      `without a version it is ${CURRENT}`,
      async (side) =>
        void (await ask(side, { path: DEVICES }, { status: 200, headers: { 'service-version': CURRENT } })),
    ),
    ...RESOLUTION.map(([asked, version]) => resolutionRow('header', asked, version)),
    ...RESOLUTION.map(([asked, version]) => resolutionRow('query', asked, version)),
    row('header-wins', 'the header wins over the query', async (side) => {
      for (const [header, query] of [
        [CURRENT, OLDER],
        [OLDER, CURRENT],
        [CURRENT, 'latest'],
      ] as const) {
        const asked = { path: `${DEVICES}?version=${query}`, headers: { 'Service-Version': header } };
        await ask(side, asked, { status: 200, headers: { 'service-version': header } });
      }
    }),
    row('header-wins-badly', 'a header that cannot be is refused, whatever the query says', async (side) => {
      await ask(
        side,
        { path: `${DEVICES}?version=${CURRENT}`, headers: { 'Service-Version': 'latest' } },
        unsupported(side),
      );
    }),
    ...VERSIONS.flatMap(({ version }) => echoRows(version)),
    sunsetRow(),
  ],
};

function row(
  id: string,
  what: string,
  run: Row['run'],
  covers: readonly string[] = ['header:Service-Version'],
): Row {
  return { id: `version/${id}`, section: SECTION, what, covers, run };
}

function resolutionRow(by: 'header' | 'query', asked: string, version: string | null): Row {
  const what =
    version === null
      ? `"${asked}" in the ${by} is 400 and names Service-Version`
      : `"${asked}" in the ${by} resolves to ${version}`;
  return row(
    `${by}-${asked || 'empty'}`,
    what,
    async (side) => {
      const request =
        by === 'header'
          ? { path: DEVICES, headers: { 'Service-Version': asked } }
          : { path: `${DEVICES}?version=${encodeURIComponent(asked)}` };
      await ask(
        side,
        request,
        version === null ? unsupported(side) : { status: 200, headers: { 'service-version': version } },
      );
    },
    [`version:${version ?? 'none'}`, 'header:Service-Version'],
  );
}

function unsupported(side: Side) {
  const error = {
    type: 'invalid_request_error',
    code: UNSUPPORTED[side.name],
    param: 'Service-Version',
  } as const;
  return { status: 400, error, headers: { 'service-version': CURRENT } } as const;
}

/** Answers of every kind, each with the version that was asked for. */
function echoRows(version: string): readonly Row[] {
  const headers = { 'Service-Version': version };
  const covers = [`version:${version}`, 'header:Service-Version', 'header:Sunset', 'header:Deprecation'];
  const kinds: Readonly<Record<string, (side: Side) => Promise<number>>> = {
    '400': (side) => statusOf(side, { method: 'POST', path: PAYMENTS, headers, body: {} }),
    '401': async (side) => (await side.send({ path: DEVICES, headers })).status,
    '403': async (side) =>
      (await askAs(side, 'only webhooks:read', { path: DEVICES, headers }, { status: 403 })).status,
    '404': (side) => statusOf(side, { path: `${PAYMENTS}/0198c5a0-0000-7000-8000-00000000dead`, headers }),
    '404 of an unknown route': (side) => statusOf(side, { path: '/v2/nothing-here', headers }),
    '404 of an unknown method': (side) => statusOf(side, { method: 'PUT', path: DEVICES, headers }),
    '400 of a malformed Idempotency-Key': (side) =>
      statusOf(side, {
        method: 'POST',
        path: PAYMENTS,
        headers: { ...headers, 'Idempotency-Key': 'k'.repeat(256) },
        body: {},
      }),
    '500': (side) => {
      side.failNext('broken');
      return statusOf(side, { path: PAYMENTS, headers });
    },
  };
  return Object.entries(kinds).map(([kind, status]) =>
    row(
      `echo-${version}-${kind.replaceAll(' ', '-')}`,
      `a ${kind} under ${version} tells its version`,
      async (side) => {
        const given = await status(side);
        hold(kind.startsWith(String(given)), () => `it gave ${given}`);
      },
      covers,
    ),
  );
}

async function statusOf(side: Side, asked: Parameters<Side['send']>[0]): Promise<number> {
  const headers = { 'x-api-key': side.keyOf('full'), ...asked.headers };
  return (await side.send({ ...asked, headers })).status;
}

/** Decided where the interface is silent: a sunset date switches nothing off. Last of its group: the clock does not go back. */
function sunsetRow(): Row {
  return row(
    'after-sunset',
    `${OLDER} is still served after its sunset, with both headers`,
    async (side) => {
      side.jump(Date.parse('2026-11-16T00:00:00Z') - side.now());
      await ask(side, { path: DEVICES, headers: { 'Service-Version': OLDER } }, { status: 200 });
    },
    ['header:Sunset', 'header:Deprecation'],
  );
}
