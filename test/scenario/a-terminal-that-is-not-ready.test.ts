import { describe, expect, it } from 'vitest';
import { readinessOf } from '../../drivers/terminals/zvt/terminal-status.ts';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';
import { aReport, DEVICE_ID } from '../support/attempts.ts';
import { aShopWith } from './odd-driver.ts';

/** Status bytes of a ZVT terminal, and who must act. */
const TABLE = [
  ['end of day wanted, or the day is open too long', 'F0', 'person', /end-of-day/],
  ['memory full', 'B1', 'person', /end-of-day/],
  ['journal full', 'B2', 'person', /end-of-day/],
  ['registration lost', '6B', 'person', /registration/],
  ['clock wrong', '62', 'person', /clock/],
  ['update running', 'E0', 'wait', /maintenance/],
  ['paper out', 'CC', 'person', /paper/],
  ['card in the reader', 'DC', 'wait', /take it out/],
  ['card left in', 'E1', 'person', /take it out/],
  ['keys to load', 'F6', 'person', /personalisation/],
  ['to be initialised', '51', 'person', /initialis/],
  ['busy, or with another till', '9C', 'wait', /one moment/],
  ['not ready yet', 'A0', 'wait', /one moment/],
] as const;

describe('a terminal that is not ready for a sale', () => {
  it.each(TABLE)('%s (%s) is to be mended by: %s', (_what, status, kind, words) => {
    expect(readinessOf(status)).toMatchObject({ kind, message: expect.stringMatching(words) });
  });

  it.each(TABLE)(
    '%s: nothing is sent, nobody is in doubt, and the request ends with the words',
    async (_what, status, _kind, words) => {
      let sent = 0;
      const shop = await aShopWith(async () => {
        sent += 1;
        return { kind: 'unknown', code: 'x', message: 'x' };
      });
      shop.next.readiness = readinessOf(status);
      const { id } = shop.sell(1234);
      await shop.until(() => shop.payments.get(id).progress !== null, 5000);
      expect(shop.payments.get(id).progress).toMatch(words);
      await shop.until(() => isFinal(shop.attempt(id).state), 70_000);
      expect(shop.attempt(id)).toMatchObject({
        state: { name: 'cancelled' },
        reason: { code: 'expired', message: expect.stringMatching(words) },
        dispatchedAt: null,
        inDoubtSince: null,
      });
      expect(sent).toBe(0);
    },
  );

  it('is connected, and says what it needs from a person, until it is done', async () => {
    const shop = await aShopWith(async () => ({ kind: 'unknown', code: 'x', message: 'x' }));
    const view = () => shop.queues.get(DEVICE_ID);
    const needs = { status: 'offline', needs: 'terminal_printer', isConnected: true };
    shop.next.readiness = readinessOf('CC');
    await shop.until(() => view()?.status === 'offline', 60_000);
    expect(view()).toMatchObject({ ...needs, statusReason: expect.stringMatching(/paper/) });
    expect(() => shop.sell(1234)).toThrow(expect.objectContaining({ code: 'TERMINAL_NOT_READY' }));
    shop.next.readiness = readinessOf('00');
    await shop.until(() => view()?.status === 'ready', 60_000);
    expect(view()).toMatchObject({ needs: null, isConnected: true });
  });

  it('is closed where its full journal is what it needs a close for', async () => {
    const shop = await aShopWith(async () => ({ kind: 'unknown', code: 'x', message: 'x' }));
    shop.next.readiness = readinessOf('B2');
    await shop.until(() => shop.queues.get(DEVICE_ID)?.needs === 'terminal_journal_full', 60_000);
    const { id } = shop.operations.endOfDay({ deviceId: DEVICE_ID, caller: 'socket', force: null });
    await shop.until(() => shop.operations.settlement(id).completedAt !== null, 10_000);
    // The words are the terminal's own: it was asked.
    expect(shop.operations.settlement(id)).toMatchObject({ status: 'refused', reason: { code: 'x' } });
  });

  it('and refuses a sale because of its paper: the payment says so, and that nothing was charged', async () => {
    const report = aReport({ verdict: 'refused', noPaper: true, text: 'sin papel' });
    const shop = await aShopWith(async () => ({ kind: 'declined', report, receipts: {} }));
    const { id } = shop.sell(1234);
    await shop.until(() => isFinal(shop.attempt(id).state), 70_000);
    expect(shop.attempt(id)).toMatchObject({
      state: { name: 'declined' },
      reason: { code: 'no_paper', message: expect.stringMatching(/Put in a new roll/) },
    });
    expect(shop.payments.get(id).charged).toBe('no');
  });
});
