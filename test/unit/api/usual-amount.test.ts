import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderUsualAmount } from '../../../src/api/render/usual-amount.ts';
import type { Device } from '../../../src/terminal/device.ts';
import { DEVICE_ID } from './memory-payments.ts';
import { ask, KEYS, startShop } from './shop.ts';

const COUNTER: Device = {
  id: DEVICE_ID,
  name: 'Counter 1',
  driver: 'zvt',
  currency: 'EUR',
  minAmountMinor: 1,
  maxAmountMinor: 500_000,
};

let started: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  started = await startShop();
});
afterAll(() => started.api.stop());

const read = (id = DEVICE_ID) =>
  ask(started.api.url, { path: `/v2/terminal-devices/${id}/usual-amount`, key: KEYS.reader });

it('claims nothing of a device without sales, and is 404 for one that is not there', async () => {
  const { status, json } = await read();
  expect(status).toBe(200);
  expect(json.data).toMatchObject({
    object: 'usual_amount',
    device_id: DEVICE_ID,
    sales: 0,
    at_most_minor: null,
  });
  expect((await read('0198c5a0-aaaa-7000-8000-0000000000ff')).status).toBe(404);
});

it.each([
  [49, null],
  [50, 48],
  [100, 95],
  [101, 96],
])('is the least amount that 19 of 20 of %d sales do not exceed', (count, most) => {
  const amounts = Array.from({ length: count }, (_, index) => count - index);
  const { at_most_minor: atMost, sales } = renderUsualAmount(COUNTER, amounts);
  expect([sales, atMost]).toEqual([count, most]);
  if (most !== null) {
    const share = (bound: number) => amounts.filter((minor) => minor <= bound).length / count;
    expect(share(most)).toBeGreaterThanOrEqual(0.95);
    expect(share(most - 1)).toBeLessThan(0.95);
  }
});
