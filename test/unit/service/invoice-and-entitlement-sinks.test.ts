import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject, SourceRecord } from '../../../src/integration/connector.ts';
import type { SinkWrite } from '../../../src/integration/ports.ts';
import { type ServiceSink, sinkRefusal } from '../../../src/service/sync-sink/service-sink.ts';
import { DEVICE_ID } from '../../support/attempts.ts';
import {
  allOf,
  aMapping,
  anIntegration,
  aService,
  RECORDS,
  type ServiceAtWork,
} from '../../support/service-sinks.ts';

const never = new AbortController().signal;
const AT = Date.parse('2026-10-01T09:00:00Z');
const BENEFIT = '0199c0de-000c-7000-8000-000000000001';

const invoice = (more: JsonObject = {}): JsonObject => ({
  number: 'R-1',
  customer_external_id: 'c1',
  status: 'open',
  currency: 'eur',
  total_minor: 1_500,
  ...more,
});
const membership = (more: JsonObject = {}): JsonObject => ({
  customer_external_id: 'c1',
  product_external_id: 'gold',
  status: 'active',
  ...more,
});

/** What a record becomes, written as a run writes it. */
async function bring(
  { sink, map }: ServiceSink,
  id: string,
  fields: JsonObject,
  updatedAt = AT,
): Promise<string> {
  const record: SourceRecord = { id, updatedAt, deleted: false, fields };
  const mapped = map(record);
  if (mapped.kind !== 'write') return mapped.kind === 'park' ? `parked: ${mapped.reason}` : 'ignored';
  return write({ sink }, { op: 'put', id, updatedAt, body: mapped.body });
}

async function write({ sink }: Pick<ServiceSink, 'sink'>, one: SinkWrite): Promise<string> {
  if (sink.kind === 'local') throw new Error('it is no remote sink');
  const [result] = await sink.write([one], never);
  return result?.outcome ?? 'nothing';
}

async function listed(at: ServiceAtWork, path: string): Promise<readonly Record<string, unknown>[]> {
  const call = { method: 'GET', path, query: { limit: '100' }, reads: RECORDS } as const;
  return allOf(await at.line.ask(call, never)).filter((one) => JSON.stringify(one).includes('tilld'));
}
const linesOf = (at: ServiceAtWork, method: string) =>
  at.exchanges.map(({ line }) => line).filter((line) => line.startsWith(method));

/** A part of an invoice is paid at a terminal, and the service knows. */
async function payAt(at: ServiceAtWork, invoiceId: string, amountMinor: number): Promise<void> {
  const reads = z.looseObject({ data: z.looseObject({ id: z.string() }) });
  const sale = { device_id: DEVICE_ID, amount_minor: amountMinor, currency: 'EUR', invoice_id: invoiceId };
  const path = '/terminal-payments';
  const created = await at.line.ask({ method: 'POST', path, key: randomUUID(), body: sale, reads }, never);
  if (created.answer.kind !== 'applied') throw new Error(`not created: ${JSON.stringify(created.answer)}`);
  const result = { status: 'succeeded', completed_at: new Date(AT).toISOString() };
  const ended = await at.line.ask(
    {
      method: 'POST',
      path: `${path}/${created.answer.value.data.id}/result`,
      key: randomUUID(),
      body: result,
      reads,
    },
    never,
  );
  if (ended.answer.kind !== 'applied') throw new Error(`no result: ${JSON.stringify(ended.answer)}`);
}

describe('invoices of a provider', () => {
  it('are made once, whatever is repeated, after a kill as well', async () => {
    const at = await aService();
    const first = at.sink(anIntegration(), 'invoices');
    expect(await bring(first, 'i1', invoice())).toBe('created');
    expect(await bring(first, 'i1', invoice())).toBe('updated');
    expect(await bring(at.sink(anIntegration(), 'invoices'), 'i1', invoice())).toBe('updated');
    expect(linesOf(at, 'POST')).toEqual(['POST /invoices']);
    expect(await listed(at, '/invoices')).toMatchObject([
      { number: 'R-1', total_minor: 1_500, currency: 'EUR', status: 'draft' },
    ]);
  });

  it('are found again behind hundreds of others, and those of another integration with the same number are others', async () => {
    const at = await aService({ catalogue: { invoices: 230 } });
    const other = anIntegration({ name: 'provider_b', id: '0199c0de-0a11-7000-8000-000000000002' });
    expect(await bring(at.sink(anIntegration(), 'invoices'), 'i1', invoice())).toBe('created');
    expect(await bring(at.sink(other, 'invoices'), 'i1', invoice())).toBe('created');
    expect(await bring(at.sink(anIntegration(), 'invoices'), 'i1', invoice())).toBe('updated');
    expect(linesOf(at, 'POST')).toHaveLength(2);
    expect(linesOf(at, 'GET').length).toBeGreaterThan(6);
  });

  it('are made once where the answer was lost, though nobody remembers the key', async () => {
    const at = await aService();
    at.service.control.behave({ answer_lost: { times: 1, only: 'POST /v2/invoices' } });
    const sink = at.sink(anIntegration(), 'invoices');
    await expect(bring(sink, 'i1', invoice())).rejects.toMatchObject({ code: 'SINK_UNAVAILABLE' });
    expect(await bring(sink, 'i1', invoice({ total_minor: 1_600 }), AT + 1)).toBe('updated');
    expect(await listed(at, '/invoices')).toMatchObject([{ total_minor: 1_600 }]);
  });

  it('change with the source, never backwards', async () => {
    const at = await aService();
    const sink = at.sink(anIntegration(), 'invoices');
    await bring(sink, 'i1', invoice());
    expect(await bring(sink, 'i1', invoice({ total_minor: 2_000 }), AT + 5)).toBe('updated');
    expect(await bring(sink, 'i1', invoice({ total_minor: 1_000 }), AT + 4)).toBe('stale');
    expect(await listed(at, '/invoices')).toMatchObject([{ total_minor: 2_000 }]);
  });

  it('that are paid at the provider are never open here, and what was open is voided', async () => {
    const at = await aService();
    const sink = at.sink(anIntegration(), 'invoices');
    expect(await bring(sink, 'paid before', invoice({ status: 'paid' }))).toBe('updated');
    expect(await listed(at, '/invoices')).toEqual([]);
    await bring(sink, 'i1', invoice());
    expect(await bring(sink, 'i1', invoice({ status: 'paid' }), AT + 1)).toBe('updated');
    expect(await bring(sink, 'i1', invoice({ status: 'paid' }), AT + 1)).toBe('updated');
    expect(await bring(at.sink(anIntegration(), 'invoices'), 'i1', invoice(), AT + 2)).toBe('stale');
    expect(await listed(at, '/invoices')).toMatchObject([{ status: 'void' }]);
  });

  it('that are gone at the provider are voided, once', async () => {
    const at = await aService();
    const sink = at.sink(anIntegration(), 'invoices');
    await bring(sink, 'i1', invoice());
    expect(await write(sink, { op: 'remove', id: 'i1' })).toBe('removed');
    expect(await write(sink, { op: 'remove', id: 'i1' })).toBe('removed');
    expect(linesOf(at, 'POST').filter((line) => line.endsWith('/void'))).toHaveLength(1);
  });

  it('are finalised and sent where the integration says so, once, and finished after a kill in between', async () => {
    const at = await aService();
    await bring(at.sink(anIntegration(), 'invoices'), 'i1', invoice());
    const sending = at.sink(anIntegration({ autoSend: true }), 'invoices');
    await bring(sending, 'i1', invoice());
    await bring(sending, 'i1', invoice());
    expect(linesOf(at, 'POST').map((line) => line.split('/').at(-1))).toEqual([
      'invoices',
      'finalize',
      'send',
    ]);
    expect(await listed(at, '/invoices')).toMatchObject([{ status: 'open', sent_at: expect.any(String) }]);
  });

  it('are not made one after the other at a service that could not find them again', async () => {
    const at = await aService({ keepsMetadata: false });
    const sink = at.sink(anIntegration(), 'invoices');
    await expect(bring(sink, 'i1', invoice())).rejects.toMatchObject({ code: 'SINK_REFUSED' });
    await expect(bring(at.sink(anIntegration(), 'invoices'), 'i1', invoice())).rejects.toMatchObject({
      code: 'SINK_REFUSED',
    });
    const all = at.exchanges.filter(({ line }) => line === 'POST /invoices').map(({ got }) => got.data.id);
    expect(new Set(all).size).toBe(1);
  });

  it('whose customer the service no longer has are refused one by one: the others are brought', async () => {
    const at = await aService();
    const sink = at.sink(anIntegration(), 'invoices');
    at.service.control.behave({ status: { code: 404, times: 1, only: 'POST /v2/invoices' } });
    expect(await bring(sink, 'i1', invoice())).toBe('rejected');
    expect(await bring(sink, 'i2', invoice({ number: 'R-2' }))).toBe('created');
  });

  it('of which a part was paid are in order where the service has the same due, and rejected where it has another', async () => {
    const at = await aService({ devices: [{ id: DEVICE_ID, name: 'Counter 1' }] });
    const sink = at.sink(anIntegration({ autoSend: true }), 'invoices');
    expect(await bring(sink, 'i1', invoice({ amount_due_minor: 500 }))).toBe('rejected');
    expect(linesOf(at, 'POST')).toEqual([]);
    await bring(sink, 'i1', invoice());
    const [stored] = await listed(at, '/invoices');
    await payAt(at, String(stored?.['id']), 1_000);
    const due = (minor: number) => invoice({ amount_due_minor: minor });
    expect(await bring(sink, 'i1', due(700), AT + 1)).toBe('rejected');
    expect(await bring(sink, 'i1', due(500), AT + 2)).toBe('updated');
    expect(await listed(at, '/invoices')).toMatchObject([{ amount_due_minor: 500 }]);
    expect(linesOf(at, 'PATCH')).toEqual([]);
  });

  it.each<[fields: JsonObject, fate: string]>([
    [{ status: 'draft' }, 'ignored'],
    [{ status: 'who knows' }, 'parked: it is not known'],
    [{ amount_due_minor: 1_501 }, 'parked: its "amount_due_minor" is more than its total'],
    [{ amount_due_minor: -1 }, 'parked: its "amount_due_minor" is below zero'],
    [{ total_minor: 15.5 }, 'parked: its "total_minor" is not a whole number'],
    [{ total_minor: null }, 'parked: it has no "total_minor"'],
    [{ total_minor: -1 }, 'parked: its "total_minor" is below zero'],
    [{ currency: '€' }, 'parked: its "currency" is not'],
    [{ customer_external_id: null }, 'parked: it has no "customer_external_id"'],
    [{ lines: [{ product_external_id: 'p9' }] }, 'parked: its product p9 has no mapping yet'],
    [{ lines: 'many' }, 'parked: its "lines" are not a list'],
    [{ lines: [{ product_external_id: 'no', unit_amount_minor: 5 }] }, 'created'],
  ])('with %j: %s', async (more, fate) => {
    const at = await aService();
    const sink = at.sink(anIntegration({ requiresMappings: true }), 'invoices', () => [
      aMapping('no', null, true),
    ]);
    expect(await bring(sink, 'i1', invoice(more))).toContain(fate);
    if (!fate.startsWith('created')) expect(at.exchanges).toEqual([]);
  });

  it('that many are made go on where they were broken off', async () => {
    const at = await aService();
    const { sink, map } = at.sink(anIntegration(), 'invoices');
    if (sink.kind === 'local') throw new Error('it is no remote sink');
    const batch = Array.from({ length: 45 }, (_, no): SinkWrite => {
      const mapped = map({
        id: `i${no}`,
        updatedAt: AT,
        deleted: false,
        fields: invoice({ number: `R-${no}` }),
      });
      if (mapped.kind !== 'write') throw new Error('it was not written');
      return { op: 'put', id: `i${no}`, updatedAt: AT, body: mapped.body };
    });
    let breaks = 0;
    const all = async (): Promise<number> => {
      try {
        return (await sink.write(batch, never)).length;
      } catch (error) {
        expect(error).toMatchObject({ code: 'SINK_RATE_LIMITED', context: { retryAfterMs: 1 } });
        breaks += 1;
        return all();
      }
    };
    expect([await all(), breaks]).toEqual([45, 2]);
    expect(linesOf(at, 'POST')).toHaveLength(45);
  });
});

describe('memberships of provider_d', () => {
  const integration = anIntegration({ name: 'provider_d', id: '0199c0de-0a11-7000-8000-000000000004' });
  const mappings = () => [aMapping('gold', BENEFIT)];

  it('are granted once, and revoked when they end or are gone', async () => {
    const at = await aService();
    const sink = at.sink(integration, 'memberships', mappings);
    expect(await bring(sink, 'm1', membership())).toBe('created');
    expect(await bring(at.sink(integration, 'memberships', mappings), 'm1', membership())).toBe('updated');
    await bring(sink, 'm2', membership());
    expect(await bring(sink, 'm1', membership({ status: 'expired' }), AT + 1)).toBe('updated');
    expect(await write(at.sink(integration, 'memberships', mappings), { op: 'remove', id: 'm2' })).toBe(
      'removed',
    );
    expect(await listed(at, '/entitlements')).toMatchObject([
      { status: 'revoked', benefit_id: BENEFIT },
      { status: 'revoked' },
    ]);
    expect(await bring(sink, 'm1', membership(), AT + 2)).toBe('updated');
    expect((await listed(at, '/entitlements')).filter(({ status }) => status === 'active')).toHaveLength(1);
  });

  it('that change are granted anew, and the old one is revoked', async () => {
    const at = await aService();
    const sink = at.sink(integration, 'memberships', mappings);
    await bring(sink, 'm1', membership());
    await bring(sink, 'm1', membership({ expires_at: '2027-01-01T00:00:00Z' }), AT + 1);
    expect((await listed(at, '/entitlements')).map(({ status, expires_at }) => [status, expires_at])).toEqual(
      [
        ['revoked', undefined],
        ['active', '2027-01-01T00:00:00Z'],
      ],
    );
  });

  it.each<JsonObject>([{ amount_minor: 1 }, { charge_type: 'subscription' }])(
    'that have %j are refused',
    async (more) => {
      const at = await aService();
      expect(await bring(at.sink(integration, 'memberships', mappings), 'm1', membership(more))).toContain(
        'without money',
      );
      expect(
        await bring(at.sink(integration, 'products', mappings), 'gold', { name: 'Gold', ...more }),
      ).toContain('without money');
      expect(at.exchanges).toEqual([]);
    },
  );

  it('without a mapping wait for one, and invoices of provider_d have no place at all', async () => {
    const at = await aService();
    expect(
      at
        .sink(integration, 'memberships')
        .map({ id: 'm1', updatedAt: AT, deleted: false, fields: membership() }),
    ).toMatchObject({
      kind: 'park',
      needs: 'gold',
    });
    for (const [of, resource] of [
      ['provider_d', 'invoices'],
      ['provider_a', 'memberships'],
      ['provider_a', 'toString'],
    ] as const)
      expect(sinkRefusal(of, resource)).toContain('the service has no place');
    expect(sinkRefusal('provider_a', 'invoices')).toBeNull();
  });
});
