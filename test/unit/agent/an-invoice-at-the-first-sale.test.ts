import { expect, it } from 'vitest';
import { invoiceSource } from '../../../src/agent/invoices.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { LinkView } from '../../../src/service/service-health.ts';

it.each<[LinkView, boolean]>([
  [{ state: 'online', reason: null }, true],
  [{ state: 'offline', reason: null }, true],
  [{ state: 'offline', reason: 'key' }, false],
])(
  'the service is asked about an invoice where it is reached, or nothing is known yet: %j',
  (view, isAsked) => {
    const connection = { health: { view }, invoices: {} } as unknown as Parameters<
      typeof invoiceSource
    >[0]['connection'];
    const source = invoiceSource({ mirror: null, connection, confirmsCreates: true, log: silentLog });
    expect(source.isOnline()).toBe(isAsked);
  },
);

it('no service is never asked', () => {
  expect(
    invoiceSource({ mirror: null, connection: null, confirmsCreates: true, log: silentLog }).isOnline(),
  ).toBe(false);
});
