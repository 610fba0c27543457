import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { systemIds } from '../../../../src/runtime/system-ids.ts';
import { Ledger } from '../../../../src/sandbox/service/ledger.ts';
import { startSandboxService } from '../../../../src/sandbox/service/start-sandbox-service.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';
import { KEY, OUR_ID, SETTINGS, textMemory, withSandbox } from './sandbox-at-work.ts';

describe('after a restart', () => {
  it('payments, counts, events and endpoints are as they were, and misbehaviour is over', async () => {
    const world = { memory: textMemory(), clock: new VirtualClock() };
    const seen: unknown[] = [];
    const look = async (ask: (method: string, path: string) => Promise<{ body: unknown }>) => {
      for (const path of ['terminal-payments', 'events', 'webhook-endpoints', 'webhook-deliveries']) {
        seen.push((await ask('GET', `/v2/${path}`)).body);
      }
      seen.push((await ask('GET', '/sandbox/ledger')).body);
    };
    await withSandbox(
      async ({ ask, create, service }) => {
        await create({ id: OUR_ID, metadata: { basket: [1, 2] } });
        await ask('POST', `/v2/terminal-payments/${OUR_ID}/claim`, { body: { agent: 'a' } });
        await ask('POST', `/v2/terminal-payments/${OUR_ID}/claim`, { body: { agent: 'b' } });
        await ask('POST', `/v2/terminal-payments/${OUR_ID}/result`, { body: { status: 'declined' } });
        await ask('POST', '/v2/webhook-endpoints', {
          body: { url: 'https://a.example/', events: ['invoice.paid'] },
        });
        service.control.behave({ duplicate: true });
        service.control.behave({ duplicate: false, clock_skew_ms: 5000 });
        await look(ask);
      },
      {},
      world,
    );
    await withSandbox(
      async ({ ask, service }) => {
        const before = seen.splice(0);
        await look(ask);
        expect(seen).toEqual(before);
        expect(service.control.overview()['behaviour']).toMatchObject({ clock_skew_ms: 0 });
      },
      {},
      world,
    );
  });

  it('so are the invoices, entitlements and customers that clients created', async () => {
    const world = { memory: textMemory(), clock: new VirtualClock() };
    const areas = ['customers', 'invoices'].flatMap((area) => [`${area}:read`, `${area}:write`]);
    const settings = { keys: [{ key: KEY, scopes: areas }] };
    const ids: Record<string, string> = {};
    await withSandbox(
      async ({ ask }) => {
        const customers = [{ external_id: 'c1', source_updated_at: '2026-01-05T09:00:00Z', name: 'Ada' }];
        const batch = await ask('PUT', '/v2/customers/external/batch', { body: { customers } });
        ids['customers'] = batch.body.data[0].id;
        const invoice = { customer_id: ids['customers'], currency: 'EUR', total_minor: 500 };
        ids['invoices'] = (await ask('POST', '/v2/invoices', { body: invoice })).body.data.id;
        const grant = { benefit_id: '0199c0de-0000-7000-8000-0000000000b1' };
        const path = `/v2/customers/${ids['customers']}/entitlements`;
        ids['entitlements'] = (await ask('POST', path, { body: grant })).body.data.id;
      },
      settings,
      world,
    );
    await withSandbox(
      async ({ ask }) => {
        for (const [list, id] of Object.entries(ids))
          expect((await ask('GET', `/v2/${list}/${id}`)).status, list).toBe(200);
      },
      settings,
      world,
    );
  });

  it('a change is in the memory before its answer leaves', async () => {
    await withSandbox(async ({ create, memory, service }) => {
      service.control.behave({ answer_lost: { times: 1 } });
      await expect(create({ id: OUR_ID })).rejects.toThrow('fetch failed');
      expect(memory.load()).toContain(OUR_ID);
    });
  });
});

describe('a memory', () => {
  it('of a release that knew no refunds is read: its payments are sales, and can be given back', async () => {
    const memory = textMemory();
    await withSandbox(
      async ({ ask, create }) => {
        await create({ id: OUR_ID });
        await ask('POST', `/v2/terminal-payments/${OUR_ID}/result`, { body: { status: 'succeeded' } });
      },
      {},
      { memory },
    );
    const text = memory.load() ?? '';
    const kept = JSON.parse(text);
    for (const payment of kept.payments) {
      for (const name of ['type', 'parentId']) delete payment[name];
      for (const name of ['refund', 'void']) delete payment.calls[name];
    }
    memory.save(JSON.stringify(kept));
    await withSandbox(
      async ({ ask, ledgerLine }) => {
        expect(ledgerLine(OUR_ID)).toMatchObject({ type: 'sale', status: 'succeeded' });
        expect((await ask('POST', `/v2/terminal-payments/${OUR_ID}/refund`)).status).toBe(201);
      },
      {},
      { memory },
    );
  });

  it('of a release that knew fewer fields of webhooks and no keys is read', async () => {
    const memory = textMemory();
    const world = { memory, clock: new VirtualClock() };
    await withSandbox(
      async ({ ask, create }) => {
        const body = { url: 'https://till.example/', events: ['terminal_payment.requested'] };
        await ask('POST', '/v2/webhook-endpoints', { body });
        await create();
      },
      {},
      world,
    );
    const kept = JSON.parse(memory.load() ?? '');
    for (const name of ['apiKeys', 'keyEvents']) delete kept[name];
    for (const name of ['status', 'updatedAt']) delete kept.endpoints[0][name];
    for (const name of ['eventType', 'deliveredAt']) delete kept.deliveries[0][name];
    memory.save(JSON.stringify(kept));
    await withSandbox(
      async ({ ask }) => {
        const [endpoint] = (await ask('GET', '/v2/webhook-endpoints')).body.data;
        expect(endpoint).toMatchObject({ status: 'enabled', updated_at: endpoint.created_at });
        const [delivery] = (await ask('GET', '/v2/webhook-deliveries')).body.data;
        expect(delivery).toMatchObject({ event_type: 'terminal_payment.requested', delivered_at: null });
      },
      {},
      world,
    );
  });

  it.each(['{', '[]', '{"format":2}', '{"format":1,"payments":[{}]}'])(
    'that holds %s is refused in words',
    async (text) => {
      const memory = { load: () => text, save: () => undefined };
      const ports = { clock: new VirtualClock(), ids: systemIds, log: silentLog, memory, terminals: [] };
      await expect(startSandboxService(SETTINGS, ports)).rejects.toMatchObject({
        code: 'SANDBOX_MEMORY_UNREADABLE',
      });
    },
  );

  it('that cannot be written makes the change a 500, and the same key does not do it twice', async () => {
    let full = true;
    const memory = {
      load: () => null,
      save: () => {
        if (full) throw new Error('ENOSPC');
      },
    };
    await withSandbox(
      async ({ create, service }) => {
        expect((await create({}, 'k1')).status).toBe(500);
        full = false;
        expect((await create({}, 'k1')).status).toBe(201);
        expect(service.control.ledger()).toHaveLength(1);
      },
      {},
      { memory },
    );
  });

  it('stays bounded: the oldest finished payment gives way, an open one stays', () => {
    const ledger = new Ledger(textMemory());
    const calls = { applied: 1, replayed: 0, refused: 0 };
    for (let count = 0; count <= 2000; count += 1) {
      const id = String(count);
      const completedAt = count === 0 ? null : count;
      ledger.payments.set(id, {
        id,
        type: 'sale',
        parentId: null,
        invoiceId: null,
        deviceId: 'd',
        status: completedAt === null ? 'requested' : 'declined',
        amountMinor: 1,
        currency: 'EUR',
        reference: null,
        result: {},
        createdAt: count,
        completedAt,
        metadata: {},
        agent: null,
        askedBy: 'client',
        asked: { id: null, metadata: null },
        calls: { create: calls, claim: calls, result: calls, cancel: calls, refund: calls, void: calls },
      });
    }
    ledger.commit();
    expect([ledger.payments.size, ledger.forgotten]).toEqual([2000, 1]);
    expect([ledger.payments.has('0'), ledger.payments.has('1')]).toEqual([true, false]);
  });
});

it('an address that is taken is refused in words', async () => {
  await withSandbox(async ({ service }) => {
    const listen = { host: '127.0.0.1', port: Number(new URL(service.url).port) };
    const world = {
      clock: new VirtualClock(),
      ids: systemIds,
      log: silentLog,
      memory: textMemory(),
      terminals: [],
    };
    await expect(startSandboxService({ ...SETTINGS, listen }, world)).rejects.toMatchObject({
      code: 'SANDBOX_LISTEN_FAILED',
    });
  });
});

it('stop may be called twice and leaves no timer', async () => {
  const clock = new VirtualClock();
  await withSandbox(
    async ({ service, create, ask }) => {
      const body = { url: 'http://127.0.0.1:9/', events: ['terminal_payment.requested'] };
      await ask('POST', '/v2/webhook-endpoints', { body });
      await create();
      service.control.behave({ slow_ms: 1000 });
      const hanging = create().catch(() => 'gone');
      while (!clock.pending.includes('sandbox slow')) await clock.settle();
      await service.stop();
      await hanging;
      expect(clock.pending).toEqual([]);
    },
    {},
    { clock },
  );
});
