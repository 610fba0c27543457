import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { InvoiceCopy, InvoiceRecord, InvoiceSource } from '../../../src/payment/invoice/bill.ts';
import { InvoiceLookup } from '../../../src/payment/invoice/invoice-lookup.ts';
import type { ReportState } from '../../../src/payment/ports.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const COPY: InvoiceCopy = { status: 'open', dueMinor: 500, totalMinor: 500, currency: 'EUR', copied: null };
const PAID: InvoiceRecord = { copy: { ...COPY, status: 'paid', dueMinor: 0 }, payments: [] };
const CREATE: ReportState = {
  kind: 'create',
  state: 'pending',
  tries: 0,
  createdAt: 0,
  doneAt: null,
  doneIn: null,
  lastError: null,
};

function anInvoiceLookup(
  { ask = async () => PAID, ...source }: Partial<InvoiceSource> = {},
  reports: () => readonly ReportState[] = () => [],
) {
  const clock = new VirtualClock();
  const asked: number[] = [];
  const lookup = new InvoiceLookup({
    source: {
      copyOf: () => COPY,
      confirmsCreates: true,
      isOnline: () => true,
      ...source,
      ask: (invoiceId, signal) => {
        asked.push(clock.monotonic());
        return ask(invoiceId, signal);
      },
    },
    store: {
      possibleDuplicates: () => [],
      correctionOf: () => null,
      childrenOf: () => [],
      reportsOf: reports,
      placeInOrder: () => null,
    },
    isOurs: () => false,
    clock,
    log: silentLog,
  });
  return { clock, lookup, asked };
}

/** Never answers; heeds the signal. */
const silence = (_: string, signal: AbortSignal) =>
  new Promise<null>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('what is known of an invoice', () => {
  it('is what the service answered lately, else what the mirror holds', async () => {
    const { clock, lookup } = anInvoiceLookup();
    expect(lookup.billOf('i1')?.status).toBe('open');
    await lookup.ask('i1');
    expect(lookup.billOf('i1')?.status).toBe('paid');
    await clock.advance(5_001);
    expect(lookup.billOf('i1')?.status).toBe('open');
  });

  it('is nothing but our books where neither tells', () => {
    expect(anInvoiceLookup({ copyOf: () => null }).lookup.billOf('i1')).toBeNull();
  });

  it('is asked for within a second, and a service that is silent or fails stops nothing', async () => {
    const { clock, lookup } = anInvoiceLookup({ ask: silence });
    const from = clock.monotonic();
    await clock.runUntil(lookup.ask('i1'));
    expect(clock.monotonic() - from).toBeLessThanOrEqual(1000);
    expect(lookup.billOf('i1')?.status).toBe('open');
    const failing = anInvoiceLookup({ ask: () => Promise.reject(new Error('broken')) });
    await failing.lookup.ask('i1');
    expect(failing.lookup.billOf('i1')?.status).toBe('open');
  });

  it('is not asked for at all without a line, and without an invoice', async () => {
    const offline = anInvoiceLookup({ isOnline: () => false, ask: async () => PAID });
    await offline.lookup.ask('i1');
    const online = anInvoiceLookup({ ask: async () => PAID });
    await online.lookup.ask(null);
    expect([offline.asked, online.asked]).toEqual([[], []]);
  });

  it('is asked for behind our own create, for which it waits 400 ms at most', async () => {
    let state: ReportState['state'] = 'pending';
    const setup = anInvoiceLookup({ ask: async () => PAID }, () => [{ ...CREATE, state }]);
    const from = setup.clock.monotonic();
    setup.clock.timer('listed', 120, () => {
      state = 'done';
    });
    await setup.clock.runUntil(setup.lookup.ask('i1', 'a1'));
    expect((setup.asked[0] ?? 0) - from).toBe(150);
    const untold = anInvoiceLookup({ ask: async () => PAID }, () => [CREATE]);
    const start = untold.clock.monotonic();
    await untold.clock.runUntil(untold.lookup.ask('i1', 'a1'));
    expect((untold.asked[0] ?? 0) - start).toBe(400);
  });
});
