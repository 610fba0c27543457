import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { zvt } from '../../drivers/terminals/zvt/manifest.ts';
import { createAgent } from '../../src/agent/create-agent.ts';
import { silentLog } from '../../src/base/log.ts';
import { systemIds } from '../../src/runtime/system-ids.ts';
import type { Device } from '../../src/terminal/device.ts';
import type {
  AskedReference,
  LastTransaction,
  MoneyCommand,
  Observer,
  Outcome,
  OwnTransaction,
  Readiness,
  TerminalDriver,
  Totals,
  TransactionReport,
} from '../../src/terminal/ports.ts';
import { aReport, DEVICE_ID } from '../support/attempts.ts';
import { memoryLinkPair } from '../support/memory-link.ts';
import { aFolder } from '../support/money-database.ts';
import { openedMoney } from '../support/opened-money.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const ON_A_CABLE: Device = {
  id: DEVICE_ID,
  name: 'Counter 1',
  driver: 'odd',
  currency: 'EUR',
  minAmountMinor: 1,
  maxAmountMinor: 999_999,
};

/** What the driver does with a money command. */
export type Execute = (observer: Observer, signal: AbortSignal, command: MoneyCommand) => Promise<Outcome>;

/** How the driver goes on; may be changed while the shop is open. */
export interface Conduct {
  execute: Execute;
  readiness: Readiness;
  last: LastTransaction;
  /** The sum of its day; absent: it tells none. */
  totals?: Totals;
  /** What it tells of a payment that is asked for by reference; absent: it tells its last one alone. */
  ownTransaction?: (reference: AskedReference) => OwnTransaction;
  /** What it sends unasked to the session after the one that began the payment. */
  late?: (observer: Observer) => void;
  /** Oldest first; absent: none. */
  journal?: readonly TransactionReport[];
}

const NOT_REPORTED = { kind: 'unreadable', detail: 'it tells nothing' } as const;

/** A driver that does as it is told; the terminal behind it stores nothing more than it has. */
function oddDriver(next: Conduct): TerminalDriver {
  return {
    open: async () => ({
      capabilities: { ...zvt.capabilities, ...(next.ownTransaction ? { recover: 'by_reference' } : {}) },
      ...(next.ownTransaction
        ? { ownTransaction: async (reference) => next.ownTransaction?.(reference) ?? NOT_REPORTED }
        : {}),
      identify: async () => ({ grade: 'serial', serial: '17F00001' }),
      lateEnd: async (_command, observer) => {
        next.late?.(observer);
        return null;
      },
      readiness: async () => next.readiness,
      lastTransaction: async () => next.last,
      totals: async () => next.totals ?? null,
      execute: (command, observer, signal) => next.execute(observer, signal, command),
      abort: () => undefined,
      endOfDay: async () => ({ kind: 'refused', code: 'x', message: 'x' }),
      journal: async () => ({ complete: false, lines: next.journal ?? [], totals: null }),
      close: async () => undefined,
    }),
  };
}

/** The real core and store around a driver that is none of ours. */
export async function aShopWith(
  execute: Execute,
  ownTransaction?: Conduct['ownTransaction'],
  where: Pick<Device, 'onNetwork'> = {},
) {
  const last: LastTransaction = { kind: 'found', report: aReport({ number: '0007' }) };
  const next: Conduct = {
    execute,
    readiness: { kind: 'ready' },
    last,
    ...(ownTransaction ? { ownTransaction } : {}),
  };
  const clock = new VirtualClock();
  const { money } = openedMoney(join(aFolder(), 'money.db'), clock);
  const terminal = {
    driver: oddDriver(next),
    capabilities: zvt.capabilities,
    driverOptions: {},
    openLink: async () => memoryLinkPair().ours,
    heartbeatMs: 15_000,
  };
  const agent = createAgent({
    name: 'agent-1',
    money,
    counters: [
      {
        device: { ...ON_A_CABLE, ...where },
        terminal,
        log: silentLog,
        policy: { lateApproval: 'void', partialApproval: 'void' },
      },
    ],
    service: null,
    limits: { waitMs: 60_000, maxAgeMs: 300_000, maxWaiting: 20 },
    recovery: { settleMs: null, readIntervalMs: 5000, askPersonAfterMs: 120_000, giveUpMs: 240_000 },
    clock,
    ids: systemIds,
    log: silentLog,
    fatal: (error) => {
      throw error;
    },
  });
  agent.inherit();
  agent.start();
  onTestFinished(() => clock.runUntil(agent.stop(), 60_000));
  const attempt = (id: string) => agent.writer.require(id);
  const until = async (condition: () => boolean, limitMs: number) => {
    for (let passed = 0; passed < limitMs && !condition(); passed += 50) await clock.advance(50);
    expect(condition()).toBe(true);
  };
  await until(() => agent.queues.get(DEVICE_ID)?.status === 'ready', 10_000);
  const sell = (minor: number) =>
    agent.payments.create({
      deviceId: DEVICE_ID,
      amount: { minor, currency: 'EUR' },
      invoiceId: null,
      reference: null,
      metadata: {},
      after: null,
      caller: 'socket',
    }).attempt;
  return { clock, next, sell, attempt, until, ...agent };
}
