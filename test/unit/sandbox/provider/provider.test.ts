import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import type { Memory } from '../../../../src/sandbox/controllable-terminal.ts';
import { startSandboxProvider } from '../../../../src/sandbox/provider/start-sandbox-provider.ts';
import { textMemory } from '../../../support/shop.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';

const KEY = 'a key';
const EVERY_MS = 20_000;

async function aProvider(memory: Memory = textMemory(), clock = new VirtualClock()) {
  const settings = { listen: { host: '127.0.0.1', port: 0 }, key: KEY };
  const provider = await startSandboxProvider(settings, { clock, log: silentLog, memory });
  onTestFinished(() => provider.stop());
  const ask = async (path: string, key = KEY) => {
    const answer = await fetch(provider.url + path, { headers: { authorization: `Bearer ${key}` } });
    return { status: answer.status, body: await answer.json() };
  };
  const all = async (list: string, query = '') => {
    const rows: { id: string; changed_at: string }[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await ask(`/${list}?per_page=100&page=${page}${query}`);
      rows.push(...body.data);
      if (page >= body.pages) return rows;
    }
  };
  return { provider, memory, clock, ask, all };
}

describe('the provider of the demo', () => {
  it('has 200 customers, 40 products and 120 invoices, each of a customer and a total that it has', async () => {
    const { all, ask } = await aProvider();
    const customers = new Set((await all('customers')).map(({ id }) => id));
    const invoices = (await all('invoices')) as unknown as readonly {
      id: string;
      number: string;
      customer_id: string;
      total: string;
      lines: readonly { amount: string }[];
    }[];
    expect([customers.size, (await all('products')).length, invoices.length]).toEqual([200, 40, 120]);
    expect(new Set(invoices.map(({ number }) => number)).size).toBe(120);
    for (const { customer_id: customer, total, lines } of invoices) {
      expect(customers).toContain(customer);
      const sum = lines.reduce((cents, { amount }) => cents + Math.round(Number(amount) * 100), 0);
      expect(total).toBe((sum / 100).toFixed(2));
    }
    const [first] = invoices;
    expect((await ask(`/invoices/${first?.id}`)).body).toEqual(first);
  });

  it('changes one record every 20 s, and says which have changed since', async () => {
    const { clock, all } = await aProvider();
    const before = new Date(clock.now() + 1).toISOString();
    await clock.advance(3 * EVERY_MS);
    const changed = await Promise.all(
      ['customers', 'products', 'invoices'].map((list) => all(list, `&changed_since=${before}`)),
    );
    expect(changed.map((rows) => rows.length)).toEqual([1, 1, 1]);
    expect(await all('invoices')).toHaveLength(121);
  });

  it('has the same records after a restart', async () => {
    const { memory, clock, provider, all } = await aProvider();
    await clock.advance(7 * EVERY_MS);
    const before = [await all('customers'), await all('products'), await all('invoices')];
    await provider.stop();
    const again = await aProvider(memory, clock);
    expect([await again.all('customers'), await again.all('products'), await again.all('invoices')]).toEqual(
      before,
    );
  });

  it('refuses another key, an unknown record, a page that is none, and a memory that is not its own', async () => {
    const { ask } = await aProvider();
    expect((await ask('/customers', 'another')).status).toBe(401);
    expect((await ask('/customers/C-0')).status).toBe(404);
    expect((await ask('/customers?page=0')).status).toBe(400);
    expect((await ask('/customers?changed_since=yesterday')).status).toBe(400);
    const broken = { load: () => '{"begun":', save: () => undefined };
    await expect(aProvider(broken)).rejects.toMatchObject({ code: 'SANDBOX_MEMORY_UNREADABLE' });
  });
});
