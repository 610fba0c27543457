import { describe, expect, it } from 'vitest';
import type { JsonObject, SourceRecord } from '../../../src/integration/connector.ts';
import type { SinkWrite } from '../../../src/integration/ports.ts';
import { snapshotsOver } from '../../../src/service/integration-snapshots.ts';
import { sourceOverLine } from '../../../src/service/sync-source.ts';
import { aMapping, anIntegration, aService, type ServiceAtWork } from '../../support/service-sinks.ts';

const never = new AbortController().signal;
const AT = Date.parse('2026-10-01T09:00:00Z');
const BENEFIT = '0199c0de-000c-7000-8000-000000000001';
const FOREIGN = [
  'page',
  'redirect',
  'json',
  'empty',
  'forbidden',
  'not_found',
  'conflict',
  'version',
] as const;

const INVOICE = {
  number: 'R-1',
  customer_external_id: 'c1',
  status: 'open',
  currency: 'eur',
  total_minor: 5,
};
const MEMBERSHIP = { customer_external_id: 'c1', product_external_id: 'gold', status: 'active' };

/** The sink of a stream with one record for it. */
function bringing(at: ServiceAtWork, resource: string, fields: JsonObject): () => Promise<unknown> {
  const name = resource === 'memberships' ? 'provider_d' : 'provider_a';
  const { sink, map } = at.sink(anIntegration({ name, autoSend: true }), resource, () => [
    aMapping('gold', BENEFIT),
  ]);
  const record: SourceRecord = { id: 'r1', updatedAt: AT, deleted: false, fields };
  const mapped = map(record);
  if (mapped.kind !== 'write' || sink.kind === 'local') throw new Error(`no write of ${resource}`);
  const write: SinkWrite = { op: 'put', id: 'r1', updatedAt: AT, body: mapped.body };
  return () => sink.write([write], never);
}

/** Which requests another host answers, and how the sync that sends them begins. */
const SYNCS: readonly (readonly [string, string, (at: ServiceAtWork) => () => Promise<unknown>])[] = [
  ['customers', 'PUT /v2/customers', (at) => bringing(at, 'customers', { name: 'One' })],
  ['products', '/product-mappings', (at) => bringing(at, 'products', { name: 'One' })],
  ['the replacing of mappings', 'PUT /v2/integrations', (at) => bringing(at, 'products', { name: 'One' })],
  ['the list of invoices', 'GET /v2/invoices', (at) => bringing(at, 'invoices', INVOICE)],
  ['the customer of an invoice', 'PUT /v2/customers', (at) => bringing(at, 'invoices', INVOICE)],
  ['the making of an invoice', 'POST /v2/invoices', (at) => bringing(at, 'invoices', INVOICE)],
  ['the finalising of an invoice', '/finalize', (at) => bringing(at, 'invoices', INVOICE)],
  ['the sending of an invoice', '/send', (at) => bringing(at, 'invoices', INVOICE)],
  ['a grant', 'POST /v2/customers', (at) => bringing(at, 'memberships', MEMBERSHIP)],
  [
    'settings of an integration',
    'GET /v2/integrations',
    (at) => () => snapshotsOver(at.line).settings('provider_a', never),
  ],
  [
    'mappings of an integration',
    '/product-mappings',
    (at) => () => snapshotsOver(at.line).mappings('provider_a', never),
  ],
];

describe.each(SYNCS)('An answer that is not the service’s, to %s,', (_, only, begin) => {
  it.each(FOREIGN)(
    'is no answer (%s): the run waits, and goes on once it is the service again',
    async (answer) => {
      const at = await aService();
      const run = begin(at);
      at.service.control.behave({ foreign: { answer, only } });
      await expect(run()).rejects.toMatchObject({ code: 'SINK_LINE_DOWN' });
      at.service.control.behaveWell();
      await expect(run()).resolves.toBeDefined();
      const made = at.exchanges.filter(
        ({ line, status }) => /^POST \/(invoices|customers.*)$/.test(line) && status === 201,
      );
      expect(made.length).toBeLessThanOrEqual(1);
    },
  );
});

describe('An answer that is not the service’s, to a list that is mirrored,', () => {
  it.each(FOREIGN)('is no page of it (%s)', async (answer) => {
    const at = await aService();
    at.service.control.behave({ foreign: { answer } });
    const http = sourceOverLine(at.line);
    await expect(http({ path: '/invoices' }, never)).rejects.toMatchObject({ code: 'SOURCE_LINE_DOWN' });
    at.service.control.behaveWell();
    expect(await http({ path: '/invoices' }, never)).toMatchObject({ status: 200 });
  });
});
