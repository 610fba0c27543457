import { describe, expect, it, onTestFinished } from 'vitest';
import { virtualZvt } from '../../../drivers/terminals/zvt/virtual.ts';
import { AppError } from '../../../src/base/errors.ts';
import { type Log, silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { startVirtualTerminal } from '../../../src/sandbox/terminal/start-virtual-terminal.ts';
import type { Link, OpenLink } from '../../../src/terminal/link.ts';
import type { DriverContext, MoneyCommand, Observer, TerminalDriver } from '../../../src/terminal/ports.ts';
import { openTcpLink } from '../../../src/transport/tcp.ts';
import { HOSTS } from '../../support/driver-packages/hosts.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { textMemory, VIRTUAL_TERMINAL } from '../../support/shop.ts';

const never = new AbortController().signal;
const SALE: MoneyCommand = {
  kind: 'sale',
  amount: { minor: 1234, currency: 'EUR' },
  attemptId: '0199c0de-0000-7000-8000-0000000000aa',
  ticket: 'A12345',
};

function contextWith(options: unknown, dial: OpenLink, log: Log = silentLog): DriverContext {
  const transcript = { record: () => undefined };
  const openBeside = dial;
  return {
    deviceId: 'counter-1',
    currency: 'EUR',
    options,
    clock: systemClock,
    log,
    transcript,
    dial,
    openBeside,
    address: { host: '192.0.2.7', port: 8443 },
  };
}

const noDial: OpenLink = () => Promise.reject(new AppError('LINK_REFUSED', 'no connection'));

/** An observer that answers, and what it was asked. */
function anObserver(stored: (callback: string) => boolean = () => true) {
  const asked: string[] = [];
  const note = (callback: string) => {
    asked.push(callback);
    return stored(callback);
  };
  const observer: Observer = {
    accepted: () => note('accepted'),
    progress: (text) => void asked.push(text),
    beforeAcknowledge: ({ verdict, amountMinor }) => note(`report ${verdict} ${amountMinor}`),
    beforeEnd: ({ kind }) => note(`end ${kind}`),
  };
  return { asked, observer };
}

/** A session of the scripted driver over a link in memory, and the terminal's side of it. */
async function scriptedSession(driver: TerminalDriver, options: object, dial = noDial, log = silentLog) {
  const { ours: till, theirs: terminal } = memoryLinkPair();
  const session = await driver.open(till, contextWith(options, dial, log), never);
  return { session, till, terminal };
}

/** A session of the ZVT driver with a virtual terminal, and every write of the driver. */
async function zvtSession(driver: TerminalDriver) {
  const terminal = await startVirtualTerminal({ ...VIRTUAL_TERMINAL, autopilotMs: 5 }, virtualZvt, {
    clock: systemClock,
    log: silentLog,
    memory: textMemory(),
  });
  onTestFinished(() => terminal.stop());
  const { hostname, port } = new URL(terminal.address.replace('tcp:', 'http:'));
  const open = openTcpLink({ host: hostname, port: Number(port), connectTimeoutMs: 2000 });
  const link = await open(never);
  onTestFinished(() => link.close());
  const written: Uint8Array[] = [];
  const watched: Link = {
    kind: link.kind,
    closed: link.closed,
    bytes: link.bytes,
    close: () => link.close(),
    abandon: () => link.abandon(),
    write: (bytes) => {
      written.push(bytes);
      return link.write(bytes);
    },
  };
  return { session: await driver.open(watched, contextWith({}, open), never), terminal, link, written };
}

async function firstByte({ bytes }: Link): Promise<number | undefined> {
  for await (const chunk of bytes) return chunk[0];
  return undefined;
}

describe.each(HOSTS)('a driver $name', ({ scripted, zvt }) => {
  it('gets its device, its currency and its options, and says what its terminal is', async () => {
    const { session } = await scriptedSession(await scripted(), {});
    expect(await session.identify(never)).toEqual({ grade: 'port', model: 'counter-1 EUR' });
    expect(session.capabilities).toMatchObject({ settleMs: 1000, identity: 'port' });
    expect(await session.lastTransaction(never)).toEqual({ kind: 'empty' });
    expect(await session.totals(never)).toBeNull();
    expect(await session.journal(never)).toEqual({ complete: true, lines: [], totals: null });
  });

  it('has the methods that it has, and no other', async () => {
    const { session } = await scriptedSession(await scripted(), {});
    const { references, ownTransaction, lateEnd, reprint } = session;
    expect(typeof references).toBe('function');
    expect([ownTransaction, lateEnd, reprint]).toEqual(Array(3).fill(undefined));
    expect(session.capabilities.reprint).toBeUndefined();
  });

  it('repeats a receipt where it can', async () => {
    const copy = { kind: 'received', text: 'BETRAG 12.34' };
    const { session } = await scriptedSession(await scripted(), { copy });
    expect(session.capabilities.reprint).toBe(true);
    expect(await session.reprint?.(never)).toEqual(copy);
  });

  it('asks the core before it goes on, and hears its answer', async () => {
    const { session } = await scriptedSession(await scripted(), {});
    const { asked, observer } = anObserver((callback) => callback !== 'report approved 1234');
    const outcome = await session.execute(SALE, observer, never);
    expect(asked).toEqual(['accepted', 'card, please', 'report approved 1234', 'end approved']);
    expect(outcome).toMatchObject({ kind: 'approved', receipts: { merchant: 'true false' } });
    expect(session.references?.()).toEqual(new Set(['A00001', 'A12345']));
  });

  it('passes bytes on in both directions, and the end of its link', async () => {
    const { session, till, terminal } = await scriptedSession(await scripted(), { readiness: 'echo' });
    const first = session.readiness(never);
    for await (const chunk of terminal.bytes) {
      await terminal.write(chunk.map((byte) => byte + 1));
      break;
    }
    expect(await first).toMatchObject({ code: 'ECHO', message: '2 3 4' });
    const { session: other, terminal: otherSide } = await scriptedSession(await scripted(), {
      readiness: 'echo',
    });
    const second = other.readiness(never);
    await otherSide.close();
    expect(await second.catch((error) => error)).toMatchObject({
      code: expect.stringMatching(/ENDED|LINK_/),
    });
    await till.close();
  });

  it('gets a further connection when it dials, and the error when there is none', async () => {
    const next = memoryLinkPair();
    const driver = await scripted();
    const { session } = await scriptedSession(driver, { readiness: 'dials' }, async () => next.ours);
    expect(await session.readiness(never)).toEqual({ kind: 'ready' });
    for await (const chunk of next.theirs.bytes) {
      expect([...chunk]).toEqual([9]);
      break;
    }
    const { session: alone } = await scriptedSession(driver, { readiness: 'dials' });
    await expect(alone.readiness(never)).rejects.toMatchObject({ code: 'LINK_REFUSED' });
  });

  it('gets a connection beside its own, which stays, and knows where its terminal is', async () => {
    const beside = memoryLinkPair();
    const driver = await scripted();
    const opened = scriptedSession(driver, { readiness: 'beside' }, async () => beside.ours);
    const { session, terminal } = await opened;
    expect(await session.readiness(never)).toMatchObject({ code: 'THERE', message: '192.0.2.7 8443' });
    expect([await firstByte(beside.theirs), await firstByte(terminal)]).toEqual([7, 8]);
  });

  it('shows the texts of an end of day, and its sums', async () => {
    const { session } = await scriptedSession(await scripted(), {});
    const shown: string[] = [];
    const closed = await session.endOfDay((text) => void shown.push(text), never);
    expect(closed).toMatchObject({ kind: 'closed', totals: { count: 1, amountMinor: -5 } });
    expect(shown).toEqual(['closing']);
  });

  it('ends a call with the reason of its signal', async () => {
    const { session } = await scriptedSession(await scripted(), { readiness: 'untilAborted' });
    const stopping = new AbortController();
    const reason = new AppError('SHUTTING_DOWN', 'tilld is shutting down');
    const asked = session.readiness(stopping.signal);
    setTimeout(() => stopping.abort(reason), 50);
    await expect(asked).rejects.toBe(reason);
  });

  it('loses its session when a call goes on after its signal was aborted', async () => {
    const { session, till } = await scriptedSession(await scripted(), { readiness: 'never' });
    await expect(session.readiness(AbortSignal.timeout(50))).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
    expect(await till.closed).toMatchObject({ reason: 'closed_by_us' });
    await expect(session.identify(never)).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
  }, 20_000);

  it('keeps its session when a call of it throws', async () => {
    const { session } = await scriptedSession(await scripted(), { readiness: 'throws', execute: 'throws' });
    await expect(session.readiness(never)).rejects.toThrow('planted');
    await expect(session.execute(SALE, anObserver().observer, never)).rejects.toThrow('planted');
    expect(await session.identify(never)).toMatchObject({ grade: 'port' });
    await session.close();
  });

  it('(ZVT) sells, and acknowledges no result that is not on disk', async () => {
    const { session, terminal, written } = await zvtSession(await zvt());
    const good = anObserver();
    expect(await session.execute(SALE, good.observer, never)).toMatchObject({
      kind: 'approved',
      report: { amountMinor: 1234, maskedPan: expect.anything() },
    });
    expect(good.asked.filter((callback) => callback.startsWith('report'))).toEqual(['report approved 1234']);
    expect(terminal.snapshot().ledger).toHaveLength(1);
    let silentFrom = -1;
    const full = anObserver((callback) => {
      if (!callback.startsWith('report')) return true;
      silentFrom = written.length;
      return false;
    });
    expect(await session.execute(SALE, full.observer, never)).toMatchObject({ kind: 'unknown' });
    expect(written.length).toBe(silentFrom);
  });
});
