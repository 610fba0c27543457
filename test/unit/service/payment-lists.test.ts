import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { createHttpClient } from '../../../src/net/http-client.ts';
import { Budget } from '../../../src/outbox/budget.ts';
import { PaymentLists } from '../../../src/service/payment-lists.ts';
import { type PaymentFilter, ServiceClient } from '../../../src/service/service-client.ts';
import { readableLog } from '../outbox/sender-harness.ts';
import { type AtWork, DEVICE, KEY, OTHER_DEVICE, withSandbox } from '../sandbox/service/sandbox-at-work.ts';

const signal = new AbortController().signal;
const PER_MINUTE = { perMinute: 6_000, burst: 200 };

/** The lists over a real service, what was asked of it, and what was logged. */
function listsOf(at: AtWork, limits = PER_MINUTE) {
  const http = createHttpClient({ baseUrl: `${at.service.url}/v2`, log: silentLog });
  const real = new ServiceClient({ http, log: silentLog, credential: () => KEY });
  const asked: PaymentFilter[] = [];
  const client = {
    listPayments: (filter: PaymentFilter, stop: AbortSignal) => {
      asked.push(filter);
      return real.listPayments(filter, stop);
    },
  };
  const { log, lines } = readableLog();
  const lists = new PaymentLists({ client, budget: new Budget(at.clock, limits), log }, [DEVICE]);
  const ids = async (list: 'requested' | 'newest' | 'cancelled') => {
    const { answer } = await lists[list](signal);
    return answer.kind === 'applied' ? answer.value.items.map(({ id }) => id) : answer.kind;
  };
  return { ids, asked, lines, close: () => http.close() };
}

/** Work for this device, and 230 newer payments: those of another device, and some of this one that were cancelled. */
async function filled(at: AtWork): Promise<{ readonly work: string; readonly cancelled: readonly string[] }> {
  const { body } = await at.create();
  const cancelled: string[] = [];
  for (let count = 0; count < 230; count += 1) {
    const isOurs = count % 100 === 7;
    // The request quota of the key.
    if (count % 100 === 0) await at.clock.advance(60_000);
    const created = await at.create({ device_id: isOurs ? DEVICE : OTHER_DEVICE });
    if (!isOurs) continue;
    await at.ask('POST', `/v2/terminal-payments/${created.body.data.id}/cancel`);
    cancelled.push(created.body.data.id);
  }
  return { work: body.data.id, cancelled: cancelled.toReversed() };
}

describe("the service's lists of payments", () => {
  it.each(['honoured', 'ignored', 'refused'] as const)(
    'hold the same where the filters are %s',
    async (filters) => {
      await withSandbox(async (at) => {
        const { work, cancelled } = await filled(at);
        await at.ask('POST', '/sandbox/behaviour', { body: { payment_filters: filters } });
        const { ids, asked, lines, close } = listsOf(at);
        expect(await ids('requested')).toEqual([work]);
        expect(await ids('cancelled')).toEqual(cancelled);
        expect(await ids('newest')).toEqual([...cancelled, work]);
        const filtered = asked.filter(({ deviceIds }) => deviceIds !== undefined);
        expect(filtered).toHaveLength(filters === 'honoured' ? 3 : 1);
        expect(lines).toHaveLength(filters === 'honoured' ? 0 : 1);
        await close();
      });
    },
  );

  it('are read no further than the request quota allows', async () => {
    await withSandbox(async (at) => {
      await filled(at);
      await at.ask('POST', '/sandbox/behaviour', { body: { payment_filters: 'ignored' } });
      const { ids, asked, close } = listsOf(at, { perMinute: 60, burst: 4 });
      expect(await ids('requested')).toEqual([]);
      expect(asked).toHaveLength(2);
      await close();
    });
  });

  it('are as refused as before where the service refuses its whole list, too', async () => {
    await withSandbox(async (at) => {
      await at.ask('POST', '/sandbox/behaviour', { body: { status: { code: 400, times: 2 } } });
      const { ids, lines, close } = listsOf(at);
      expect(await ids('requested')).toBe('refused');
      expect(await ids('requested')).toEqual([]);
      expect(lines).toEqual([]);
      await close();
    });
  });
});
