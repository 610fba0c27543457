import { expect, it } from 'vitest';
import { playInvoices } from './rounds.ts';

/** `npm run crash:invoice -- --rounds 200` is the whole of it; here are a few places out of each part of the way. */
it('an invoice goes from its provider to the till and back once, though the daemon is killed on the way', {
  timeout: 300_000,
}, async () => {
  const { rounds, kills, missed, failures } = await playInvoices(8, 3, 7);
  expect(failures).toEqual([]);
  expect(kills + missed).toBe(rounds);
  expect(kills).toBeGreaterThanOrEqual(5);
});
