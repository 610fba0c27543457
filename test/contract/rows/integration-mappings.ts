import { randomUUID } from 'node:crypto';
import { hold } from '../breach.ts';
import { MAPPING_FIELDS, PROVIDERS } from '../interface.ts';
import { ask, type Row } from '../row.ts';
import { FlatWords, Mapping, pageOf } from '../shapes.ts';
import {
  activated,
  done,
  hasIssue,
  integration,
  mappingsOf,
  post,
  put,
  replaced,
  row,
} from './integration-asks.ts';

const A = 'provider_a';
const D = 'provider_d';
const T = 'terminal';
const PATH = 'product-mappings';
/** The package that a provider lists. */
const LISTED = '1';
const PRODUCT = '0198d000-0000-7000-8000-000000000001';
const MOST = 5000;
const ON = [`PUT ${PATH}`, 'mappings', ...MAPPING_FIELDS];
const WHOLE = {
  externalId: 'p-1',
  internalId: PRODUCT,
  ignored: false,
  metadata: { name: 'Haircut', type: 'package', charge_type: 'once' },
  priceOverride: 4500,
};

/** Entries that are refused, and where in them the issue stands. */
const WRONG: readonly (readonly [what: string, entry: unknown, path: readonly string[]])[] = [
  ['without an id', {}, ['externalId']],
  ['an empty id', { externalId: '' }, ['externalId']],
  ['an id of 257 characters', { externalId: 'x'.repeat(257) }, ['externalId']],
  ['a product that is no UUID', { externalId: 'p', internalId: 'no uuid' }, ['internalId']],
  ['ignored in words', { externalId: 'p', ignored: 'yes' }, ['ignored']],
  ['a negative price', { externalId: 'p', priceOverride: -1 }, ['priceOverride']],
  ['half a cent', { externalId: 'p', priceOverride: 1.5 }, ['priceOverride']],
  ['metadata that nobody knows', { externalId: 'p', metadata: { colour: 'red' } }, ['metadata', 'colour']],
  ['a field that nobody knows', { externalId: 'p', colour: 'red' }, ['colour']],
];

/** Which product a package is. */
export function mappingRows(): readonly Row[] {
  return [
    ...PROVIDERS.map((provider) =>
      row(
        `mappings-${provider}`,
        `${provider} has mappings, ordered by the id of their package`,
        [...ON, `GET ${PATH}`],
        async (side) => {
          await replaced(side, provider, [
            { externalId: 'b' },
            { externalId: 'a', ignored: true },
            { externalId: 'B' },
          ]);
          const all = (await mappingsOf(side, provider)).filter(({ externalId }) => externalId !== LISTED);
          hold(all.map(({ externalId }) => externalId).join() === 'B,a,b', () => JSON.stringify(all));
          hold(
            all.every(({ product, internalId }) => product === null && internalId === null),
            () => 'one has a product',
          );
        },
      ),
    ),
    {
      ...row(
        'mapping-unmapped',
        'a package that the provider lists and that is not mapped is listed without a product',
        ['POST sync', `GET ${PATH}`, 'mappings'],
        async (side) => {
          await replaced(side, T, []);
          await activated(side, T);
          await ask(side, post(integration(T, 'sync')), { status: 202 });
          await side.until('the package is listed', async () => (await mappingsOf(side, T)).length === 1);
          const [one] = await mappingsOf(side, T);
          const isUnmapped = one?.externalId === LISTED && one.internalId === null && one.product === null;
          hold(isUnmapped, () => JSON.stringify(one));
        },
      ),
      exempt: {
        sandbox:
          'behind the stand-in there is no provider that lists packages: “product nullable when unmapped”',
      },
    },
    row(
      'mapping-whole',
      'a mapping is given back as it was put, with its product',
      [...ON, `GET ${PATH}`],
      async (side) => {
        await replaced(side, A, [{ ...WHOLE, internalId: PRODUCT.toUpperCase() }]);
        const [one] = await mappingsOf(side, A);
        const { product, ...rest } = one ?? { product: null };
        hold(product?.id === PRODUCT, () => JSON.stringify(one));
        hold(JSON.stringify(rest) === JSON.stringify(WHOLE), () => JSON.stringify(rest));
      },
    ),
    row(
      'mappings-replaced',
      'a set takes the place of the one before: what is absent is deleted',
      ON,
      async (side) => {
        await replaced(side, A, [{ externalId: 'old' }, { externalId: 'both', ignored: true }]);
        await replaced(side, A, [{ externalId: 'new' }, { externalId: 'both' }]);
        const all = await mappingsOf(side, A);
        hold(all.map(({ externalId }) => externalId).join() === 'both,new', () => JSON.stringify(all));
        hold(all[0]?.ignored === false, () => 'what was not said again is still so');
        await replaced(side, A, []);
        hold((await mappingsOf(side, A)).length === 0, () => 'an empty set is no set');
      },
    ),
    row('mappings-apart', 'every provider has mappings of its own', ON, async (side) => {
      await replaced(side, A, [{ externalId: 'of a' }]);
      await replaced(side, 'provider_b', [{ externalId: 'of b' }]);
      hold((await mappingsOf(side, A))[0]?.externalId === 'of a', () => 'they are of another provider');
    }),
    row('mappings-kept', 'mappings are kept through a restart', ON, async (side) => {
      await replaced(side, A, [WHOLE]);
      await side.restart();
      const [one] = await mappingsOf(side, A);
      hold(one?.externalId === 'p-1' && one.priceOverride === 4500, () => JSON.stringify(one));
    }),
    row(
      'mappings-older',
      'under 2026-01-15 mappings come with their pagination',
      [`GET ${PATH}`],
      async (side) => {
        const headers = { 'Service-Version': '2026-01-15' };
        await ask(side, { path: integration(A, PATH), headers }, { status: 200, body: pageOf(Mapping) });
      },
    ),
    ...WRONG.map(([what, entry, path]) => wrongRow(what, entry, path)),
    row(
      'mapped-twice',
      'a package that is named twice is 400, and the set before stays',
      ON,
      async (side) => {
        await staysAfter(side, [{ externalId: 'p' }, { externalId: 'p' }], ['mappings', 1, 'externalId']);
      },
    ),
    row('mappings-most', `a set holds ${MOST} mappings, and one more is 400`, ON, async (side) => {
      const many = Array.from({ length: MOST }, (_, index) => ({ externalId: `p-${index}` }));
      await replaced(side, A, many);
      hold((await mappingsOf(side, A)).length === MOST, () => 'some are missing');
      await hasIssue(side, put(integration(A, PATH), { mappings: [...many, { externalId: 'more' }] }), [
        'mappings',
      ]);
      hold((await mappingsOf(side, A)).length === MOST, () => 'the set before is gone');
    }),
    row(
      'mappings-once',
      'a set under an Idempotency-Key is answered again with its first answer',
      ON,
      async (side) => {
        const headers = { 'Idempotency-Key': randomUUID() };
        const asked = { ...put(integration(A, PATH), { mappings: [{ externalId: 'once' }] }), headers };
        const first = await ask(side, asked, { status: 200 });
        await replaced(side, A, []);
        const again = await ask(side, asked, { status: 200 });
        hold(again.text === first.text, () => again.text);
        hold((await mappingsOf(side, A)).length === 0, () => 'it was done again');
      },
    ),
    ...zeroMoneyRows(),
    removeRow(),
  ];
}

function wrongRow(what: string, entry: unknown, path: readonly string[]): Row {
  return row(
    `mapping: ${what}`,
    `a set with an entry with ${what} is 400, and the set before stays`,
    ON,
    async (side) => {
      await staysAfter(side, [{ externalId: 'good' }, entry], ['mappings', 1, ...path]);
    },
  );
}

async function staysAfter(
  side: Parameters<Row['run']>[0],
  mappings: readonly unknown[],
  path: readonly (string | number)[],
): Promise<void> {
  await replaced(side, A, [{ externalId: 'before' }]);
  await hasIssue(side, put(integration(A, PATH), { mappings }), path);
  const all = await mappingsOf(side, A);
  hold(all.map(({ externalId }) => externalId).join() === 'before', () => JSON.stringify(all));
}

function zeroMoneyRows(): readonly Row[] {
  const refused = [
    { externalId: 'm', priceOverride: 100 },
    { externalId: 'm', metadata: { charge_type: 'once' } },
  ];
  const taken = [
    { externalId: 'm-1', priceOverride: 0, metadata: { charge_type: 'membership' } },
    { externalId: 'm-2', metadata: { charge_type: 'free' } },
    { externalId: 'm-3', priceOverride: null },
  ];
  return [
    ...refused.map((entry) =>
      row(
        `zero-money ${JSON.stringify(entry)}`,
        `provider_d refuses ${JSON.stringify(entry)}: it has memberships without money`,
        [...ON, D],
        async (side) => {
          await hasIssue(side, put(integration(D, PATH), { mappings: [{ externalId: 'ok' }, entry] }), [
            'mappings',
            1,
          ]);
          await replaced(side, A, [entry]);
        },
      ),
    ),
    row('zero-money', 'provider_d takes memberships without money', [...ON, D], async (side) =>
      replaced(side, D, taken),
    ),
  ];
}

function removeRow(): Row {
  const flat = { status: 404, flat: null, body: FlatWords };
  const what =
    'one mapping is removed, whatever is in its id; one that is not there is 404, flat, words and at most a request id';
  return row('mapping-remove', what, [`DELETE ${PATH}/{externalId}`], async (side) => {
    const odd = `a/b ?${'ü'.repeat(251)}`;
    await replaced(side, A, [{ externalId: 'p' }, { externalId: odd }]);
    const remove = (id: string) =>
      ({ method: 'DELETE', path: integration(A, `${PATH}/${encodeURIComponent(id)}`) }) as const;
    await done(side, remove(odd));
    hold((await mappingsOf(side, A)).length === 1, () => 'another one is gone, too');
    await ask(side, remove(odd), flat);
    await done(side, remove('p'));
  });
}
