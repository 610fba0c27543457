import { distance } from 'fastest-levenshtein';
import { describe, expect, it } from 'vitest';
import { unmappedPackages, waitingForMappings } from '../../../src/integration/mapping/external-packages.ts';
import { mapInvoice } from '../../../src/integration/mapping/invoice.ts';
import { mapProduct } from '../../../src/integration/mapping/product.ts';
import { suggestionsFor } from '../../../src/integration/mapping/suggestions.ts';
import { labelOf } from '../../../src/integration/page/package-label.ts';
import { SqliteMirrorReader } from '../../../src/store/mirror/sqlite-mirror-reader.ts';
import { aProviderShop, aResource, INTEGRATION, notingRoute } from '../../support/provider-shop.ts';

const MINUTE = 60_000;
const OURS = [
  { id: 'cut', name: 'Haircut', codes: ['HC-100'] },
  { id: 'colour', name: 'Colour', codes: ['CO-200'] },
];

async function aShop(requiresMappings: boolean) {
  const rules = {
    provider: INTEGRATION,
    requiresMappings,
    managedBy: 'local',
    mappingOf: () => undefined,
  } as const;
  const shop = await aProviderShop({
    resources: {
      products: aResource('products', { name: 'title' }),
      invoices: aResource('invoices', {
        status: '"open"',
        total_minor: '100',
        currency: '"EUR"',
        customer_external_id: '"c-1"',
        lines: '[{"product_external_id": package, "description": text}]',
      }),
    },
    routes: {
      products: notingRoute((record) => mapProduct(rules, record)),
      invoices: notingRoute((record) => mapInvoice(rules, record)),
    },
  });
  const updated_at = Date.now() - MINUTE;
  shop.server.rows.set('products', [
    { id: 'x1', title: 'Hair cut', updated_at },
    { id: 'x2', title: 'Farbe', sku: 'co200', updated_at },
  ]);
  shop.server.rows.set('invoices', [{ id: 'i1', package: 'x9', text: 'Colour', updated_at }]);
  await shop.start();
  const listed = new SqliteMirrorReader(shop.mirror)
    .list({ integration: INTEGRATION, resource: 'products' }, null, 100)
    .map(({ id, body }) => ({ externalId: id, ...labelOf(body) }));
  const waiting = waitingForMappings(shop.runner, INTEGRATION);
  const open = listed.map(({ externalId }) => ({
    externalId,
    internalId: null,
    ignored: false,
    metadata: {},
    priceOverride: null,
  }));
  const suggested = unmappedPackages(open, listed, waiting).map((one) => [
    one.externalId,
    one.name,
    ...suggestionsFor(one, OURS, distance).map(({ product, by }) => `${product.id} by ${by}`),
  ]);
  return { listed, waiting, suggested };
}

describe('packages that the service takes', () => {
  it('keep their names and codes here, where they wait for no mapping', async () => {
    const { listed, suggested } = await aShop(false);
    expect(listed).toEqual([
      { externalId: 'x1', name: 'Hair cut', codes: [] },
      { externalId: 'x2', name: 'Farbe', codes: ['co200'] },
    ]);
    expect(suggested).toEqual([
      ['x1', 'Hair cut', 'cut by name'],
      ['x2', 'Farbe', 'colour by code'],
    ]);
  });

  it('have those of the records that wait for their mapping', async () => {
    const { listed, suggested } = await aShop(true);
    expect(listed).toEqual([]);
    expect(suggested).toEqual([
      ['x1', 'Hair cut', 'cut by name'],
      ['x2', 'Farbe', 'colour by code'],
      ['x9', 'Colour', 'colour by name'],
    ]);
  });
});
