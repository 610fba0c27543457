import { describe, expect, it, onTestFinished } from 'vitest';
import { zvt } from '../../drivers/terminals/zvt/manifest.ts';
import { silentLog } from '../../src/base/log.ts';
import { makeCore } from '../../src/payment/core.ts';
import { isFinal } from '../../src/payment/machine.ts';
import { GIVE_UP_MS, PHASE_MS } from '../../src/payment/phases.ts';
import { systemIds } from '../../src/runtime/system-ids.ts';
import { SqliteIdentityStore } from '../../src/store/sqlite-identity-store.ts';
import { SqlitePaymentStore } from '../../src/store/sqlite-payment-store.ts';
import type { Device } from '../../src/terminal/device.ts';
import type { LastTransaction, Observer, Outcome, TerminalDriver } from '../../src/terminal/ports.ts';
import { TerminalRoster } from '../../src/terminal/roster.ts';
import { TerminalSupervisor } from '../../src/terminal/supervisor.ts';
import { aReport, DEVICE_ID } from '../support/attempts.ts';
import { memoryLinkPair } from '../support/memory-link.ts';
import { aMoneyDatabase } from '../support/money-database.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const DEVICE: Device = {
  id: DEVICE_ID,
  name: 'Counter 1',
  driver: 'odd',
  currency: 'EUR',
  minAmountMinor: 1,
  maxAmountMinor: 999_999,
};

/** What the driver does with a money command; the terminal behind it has stored nothing so far. */
type Execute = (observer: Observer, signal: AbortSignal) => Promise<Outcome>;

/** A driver whose next money command goes as `execute` says. */
function oddDriver(next: { execute: Execute }): TerminalDriver {
  const empty: LastTransaction = { kind: 'empty' };
  return {
    open: async () => ({
      capabilities: zvt.capabilities,
      identify: async () => ({ grade: 'serial', serial: '17F00001' }),
      readiness: async () => ({ kind: 'ready' }),
      lastTransaction: async () => empty,
      execute: (_command, observer, signal) => next.execute(observer, signal),
      abort: () => undefined,
      endOfDay: async () => ({ kind: 'refused', code: 'x', message: 'x' }),
      journal: async () => ({ complete: false, lines: [], totals: null }),
      close: async () => undefined,
    }),
  };
}

/** The real core and store around a driver that is none of ours. */
async function aShopWith(execute: Execute) {
  const next = { execute };
  const clock = new VirtualClock();
  const database = aMoneyDatabase();
  const store = new SqlitePaymentStore(database);
  const identities = new SqliteIdentityStore(database);
  const quiet = { take: () => [] };
  const late: { wake?: () => void } = {};
  const terminal = new TerminalSupervisor({
    device: DEVICE,
    driver: oddDriver(next),
    capabilities: zvt.capabilities,
    driverOptions: {},
    openLink: async () => memoryLinkPair().ours,
    transcript: { record: () => undefined },
    heartbeatMs: 15_000,
    clock,
    ids: systemIds,
    log: silentLog,
    identities: {
      get: () => identities.identityOf(DEVICE_ID),
      remember: (identity) => identities.rememberIdentity(DEVICE_ID, identity, clock.now()),
    },
    roster: new TerminalRoster(),
    onChange: () => late.wake?.(),
  });
  const core = makeCore(
    {
      store,
      terminals: identities,
      reports: null,
      limits: { waitMs: 60_000, maxAgeMs: 300_000, maxWaiting: 20 },
      recovery: { settleMs: null, readIntervalMs: 5000, askPersonAfterMs: 120_000, giveUpMs: 240_000 },
      memory: { since: 0, lost: false },
      clock,
      ids: systemIds,
      log: silentLog,
      fatal: (error) => {
        throw error;
      },
    },
    [
      {
        device: DEVICE,
        terminal,
        frames: quiet,
        log: silentLog,
        wishes: { lateApproval: 'void', partialApproval: 'void' },
      },
    ],
  );
  late.wake = () => core.lanes.wake(DEVICE_ID);
  core.lanes.start();
  onTestFinished(() => clock.runUntil(core.lanes.stop(), 60_000));
  const attempt = (id: string) => core.service.require(id);
  const until = async (condition: () => boolean, limitMs: number) => {
    for (let passed = 0; passed < limitMs && !condition(); passed += 50) await clock.advance(50);
    expect(condition()).toBe(true);
  };
  await until(() => core.lanes.get(DEVICE_ID)?.status === 'ready', 10_000);
  const sell = (minor: number) =>
    core.desk.create({
      deviceId: DEVICE_ID,
      amount: { minor, currency: 'EUR' },
      invoiceId: null,
      reference: null,
      metadata: {},
      after: null,
      caller: 'socket',
    }).attempt;
  return { clock, next, sell, attempt, until };
}

const report = aReport();
const never = new Promise<Outcome>(() => undefined);
/** What a driver has told before it hangs, phase by phase. */
const TELL: Record<keyof typeof PHASE_MS, (observer: Observer) => void> = {
  dispatched: () => undefined,
  accepted: (observer) => void observer.accepted(),
  approved: (observer) => void (observer.accepted() && observer.beforeAcknowledge(report)),
};
const PHASES = [
  ['dispatched', 'not_charged'],
  ['accepted', 'not_charged'],
  ['approved', 'reversed_by_terminal'],
] as const;

const approves: Execute = async (observer) => {
  const outcome = { kind: 'approved', report, receipts: {} } as const;
  observer.accepted();
  observer.beforeAcknowledge(report);
  observer.beforeEnd(outcome);
  return outcome;
};

describe('a driver that hangs', () => {
  it.each(PHASES)(
    'in "%s" but heeds its signal is in doubt after the time of that phase, then %s, and the lane lives on',
    async (phase, code) => {
      const shop = await aShopWith((observer, signal) => {
        TELL[phase](observer);
        return new Promise((resolve) => {
          const end = () => resolve({ kind: 'unknown', code: 'PHASE_TIMEOUT', message: 'gave up' });
          signal.addEventListener('abort', end, { once: true });
        });
      });
      const { id } = shop.sell(1234);
      await shop.until(() => shop.attempt(id).state.name === phase, 1000);
      const since = shop.clock.monotonic();
      await shop.clock.advance(PHASE_MS[phase] - 100);
      expect(shop.attempt(id).state.name).toBe(phase);
      await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 1000);
      expect(shop.clock.monotonic() - since).toBeLessThanOrEqual(PHASE_MS[phase] + 100);
      await shop.until(() => isFinal(shop.attempt(id).state), 60_000);
      expect(shop.attempt(id)).toMatchObject({ state: { name: 'error' }, reason: { code } });
      shop.next.execute = approves;
      const second = shop.sell(500);
      await shop.until(() => shop.attempt(second.id).state.name === 'succeeded', 10_000);
    },
  );

  it.each(PHASES)(
    'in "%s" and ignores its signal is left behind, and neither writes nor is allowed anything afterwards',
    async (phase) => {
      const left: { observer?: Observer } = {};
      const shop = await aShopWith((observer) => {
        TELL[phase](observer);
        left.observer = observer;
        return never;
      });
      const { id } = shop.sell(1234);
      await shop.until(() => shop.attempt(id).state.name === phase, 1000);
      await shop.clock.advance(PHASE_MS[phase] + GIVE_UP_MS - 200);
      expect(shop.attempt(id).state.name).toBe(phase);
      await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 1000);
      expect(shop.attempt(id).reason?.code).toBe('driver_error');
      const before = shop.attempt(id);
      const { observer } = left;
      expect([
        observer?.accepted(),
        observer?.beforeAcknowledge(report),
        observer?.beforeEnd({ kind: 'approved', report, receipts: {} }),
      ]).toEqual([false, false, false]);
      expect(shop.attempt(id)).toEqual(before);
      await shop.until(() => isFinal(shop.attempt(id).state), 60_000);
      shop.next.execute = approves;
      const second = shop.sell(500);
      await shop.until(() => shop.attempt(second.id).state.name === 'succeeded', 10_000);
    },
  );

  it('and throws is in doubt at once', async () => {
    const shop = await aShopWith(async () => {
      throw new Error('bug');
    });
    const { id } = shop.sell(1234);
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 1000);
    expect(shop.attempt(id).reason?.code).toBe('driver_error');
  });
});
