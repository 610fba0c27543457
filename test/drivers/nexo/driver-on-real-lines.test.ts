import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { nexoDialect } from '../../../drivers/terminals/nexo/virtual.ts';
import type { NexoVirtualOptions } from '../../../drivers/terminals/nexo/virtual-options.ts';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../../../src/sandbox/terminal/start-virtual-terminal.ts';
import type { TerminalSession } from '../../../src/terminal/ports.ts';
import { openTcpLink } from '../../../src/transport/tcp.ts';
import { makeCertificate } from '../../security/certificate.ts';
import { aFolder } from '../../support/money-database.ts';
import { money, openOver, POI_ID, RecordingObserver, signal, voidOf } from './rig.ts';

const running: { stop(): unknown }[] = [];
afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.stop();
});

async function start(
  options: Partial<NexoVirtualOptions>,
): Promise<RunningVirtualTerminal & { readonly port: number }> {
  let text: string | null = null;
  const memory = {
    load: () => text,
    save: (next: string) => {
      text = next;
    },
  };
  const terminal = await startVirtualTerminal(
    {
      name: 'counter',
      protocol: 'nexo',
      over: 'tcp',
      port: 0,
      currency: 'EUR',
      serial: POI_ID,
      terminalId: '52500038',
      autopilot: 'approve',
      autopilotMs: 5,
      missingAcknowledgement: 'keep',
      faults: [],
    },
    nexoDialect({ hostMs: 5, ...options }),
    { clock: systemClock, log: silentLog, memory },
  );
  running.push(terminal);
  return Object.assign(terminal, { port: Number(new URL(terminal.address).port) });
}

const SHARED = { keyIdentifier: 'counter', keyVersion: 7, passphrase: 'secret' };
const SHARED_HERE = { key_identifier: 'counter', key_version: 7, passphrase: 'secret' };

async function session(
  port: number,
  more: Record<string, unknown> = {},
  tls?: { fingerprint: string },
): Promise<TerminalSession> {
  const way = openTcpLink({ host: '127.0.0.1', port, connectTimeoutMs: 1000, ...(tls ? { tls } : {}) });
  const opened = await openOver(way, more);
  running.push({ stop: () => opened.close() });
  return opened;
}

/** A short day: ready, sale, refund, sale and its void, totals, end of day. */
async function aDay(terminal: RunningVirtualTerminal, till: TerminalSession) {
  const books = new RecordingObserver();
  expect(await till.identify(signal)).toMatchObject({ grade: 'serial', serial: POI_ID });
  expect(await till.readiness(signal)).toEqual({ kind: 'ready' });
  expect(await till.lastTransaction(signal)).toEqual({ kind: 'empty' });
  const sold = money('sale', 1250);
  expect(await till.execute(sold, books, signal)).toMatchObject({
    kind: 'approved',
    report: { reference: sold.attemptId, amountMinor: 1250, entryMode: 'contactless' },
    receipts: { customer: expect.stringContaining('12.5 EUR'), merchant: expect.stringContaining('SALE') },
  });
  expect(await till.execute(money('refund', 300), books, signal)).toMatchObject({
    kind: 'approved',
    report: { kind: 'refund' },
  });
  const second = await till.execute(money('sale', 500), books, signal);
  const undo = voidOf(second);
  expect(await till.execute(undo, books, signal)).toMatchObject({
    kind: 'approved',
    report: { kind: 'void', amountMinor: 500 },
  });
  expect(await till.ownTransaction?.(sold, signal)).toMatchObject({
    kind: 'found',
    report: { reference: sold.attemptId },
  });
  expect(await till.ownTransaction?.({ ...undo, sale: sold }, signal)).toMatchObject({
    kind: 'found',
    report: { kind: 'void' },
  });
  expect(await till.ownTransaction?.(money('sale'), signal)).toMatchObject({ kind: 'never_seen' });
  expect(await till.totals(signal)).toEqual({ count: 2, amountMinor: 950, currency: 'EUR' });
  expect(await till.endOfDay(() => undefined, signal)).toMatchObject({
    kind: 'closed',
    totals: { amountMinor: 950 },
  });
  expect(await till.totals(signal)).toEqual({ count: 0, amountMinor: 0, currency: 'EUR' });
  expect(terminal.snapshot().ledger.map(({ kind, reversed }) => [kind, reversed])).toEqual([
    ['sale', false],
    ['refund', false],
    ['sale', true],
    ['void', false],
  ]);
}

describe('over TCP', () => {
  it.each<[Partial<NexoVirtualOptions>, Record<string, unknown>]>([
    [{}, {}],
    [{ chunked: true }, {}],
    [
      { security: { keyIdentifier: 'counter', keyVersion: 7, passphrase: 'secret' } },
      { security: { key_identifier: 'counter', key_version: 7, passphrase: 'secret' } },
    ],
    [{ repeatsSaleData: false, path: '/terminal' }, { path: '/terminal' }],
    [{ needsLogin: true }, { login: true, sale_id: 'Till.1' }],
  ])('a day with %j', async (options, device) => {
    const terminal = await start(options);
    const till = await session(terminal.port, device);
    if (options.repeatsSaleData === false) {
      const sold = money('sale');
      expect(await till.execute(sold, new RecordingObserver(), signal)).toMatchObject({
        kind: 'approved',
        report: { reference: sold.ticket },
      });
      return;
    }
    await aDay(terminal, till);
  });

  it.each<[string, Partial<NexoVirtualOptions>, Record<string, unknown>, unknown]>([
    [
      'out of paper',
      { printer: 'PaperOut' },
      {},
      { kind: 'person', message: expect.stringContaining('paper') },
    ],
    ['at another path', { path: '/other' }, {}, null],
  ])('a terminal that is %s', async (_title, options, device, readiness) => {
    const terminal = await start(options);
    if (readiness === null) {
      await expect(session(terminal.port, device)).rejects.toMatchObject({
        code: 'TERMINAL_WRONG_PROTOCOL',
        message: expect.stringContaining('"path"'),
      });
      return;
    }
    expect(await (await session(terminal.port, device)).readiness(signal)).toMatchObject(readiness as object);
  });

  it('does not know a payment under another SaleID, and shows that its last one is another', async () => {
    const terminal = await start({});
    const sold = money('sale', 1250);
    const till = await session(terminal.port, { sale_id: 'before' });
    expect(await till.execute(sold, new RecordingObserver(), signal)).toMatchObject({ kind: 'approved' });
    const renamed = await session(terminal.port, { sale_id: 'after' });
    expect(await renamed.ownTransaction?.(sold, signal)).toMatchObject({
      kind: 'never_seen',
      last: { kind: 'found', report: { amountMinor: 1250, reference: sold.attemptId } },
    });
  });

  it('a terminal with another key is no terminal of this device, and nothing of a payment is in clear', async () => {
    const key = { keyIdentifier: 'counter', keyVersion: 1, passphrase: 'secret' };
    const terminal = await start({ security: key });
    const security = { key_identifier: 'counter', key_version: 1, passphrase: 'other' };
    for (const device of [{ security }, {}])
      await expect(session(terminal.port, device)).rejects.toMatchObject({ code: 'TERMINAL_WRONG_PROTOCOL' });
  });

  it.each<[string, number, Partial<NexoVirtualOptions>, Record<string, unknown>]>([
    ['as soon as it was asked for', 0, {}, {}],
    ['while the customer is waited for', 200, {}, {}],
    ['while the customer is waited for, encrypted', 200, { security: SHARED }, { security: SHARED_HERE }],
  ])('a payment is stopped %s, and no other till can stop it', async (_when, ms, options, device) => {
    const terminal = await start(options);
    terminal.setAutopilot('off');
    const till = await session(terminal.port, device);
    const other = await session(terminal.port, { ...device, sale_id: 'other' });
    const command = money('sale');
    const paying = till.execute(command, new RecordingObserver(), signal);
    if (ms > 0) await expect.poll(() => terminal.snapshot().screen).toContain('Present card');
    other.abort();
    till.abort();
    expect(await paying).toMatchObject({ kind: 'aborted', report: { reference: command.attemptId } });
    expect(await till.ownTransaction?.(command, signal)).toMatchObject({
      kind: 'found',
      report: { verdict: 'aborted' },
    });
    till.abort();
    terminal.setAutopilot('approve');
    expect(await till.execute(money('sale'), new RecordingObserver(), signal)).toMatchObject({
      kind: 'approved',
    });
  });

  it('a void asks its customer for nothing: what is shown is a reversal', async () => {
    const terminal = await start({ hostMs: 300 });
    const till = await session(terminal.port);
    const sold = await till.execute(money('sale'), new RecordingObserver(), signal);
    const undoing = till.execute(voidOf(sold), new RecordingObserver(), signal);
    await expect.poll(() => terminal.snapshot().screen).toBe('Reversal: 1250');
    expect(await undoing).toMatchObject({ kind: 'approved' });
  });

  it.each(['condition', 'status'] as const)(
    'is busy while a customer pays, by its %s; its payment is in progress, and another till waits',
    async (busyIs) => {
      const terminal = await start({ busyIs });
      terminal.setAutopilot('off');
      const [till, other] = [
        await session(terminal.port),
        await session(terminal.port, { sale_id: 'other' }),
      ];
      const command = money('sale');
      const paying = till.execute(command, new RecordingObserver(), signal);
      await expect.poll(() => terminal.snapshot().busy).toBe(true);
      expect(await other.readiness(signal)).toMatchObject({ kind: 'wait', code: 'TERMINAL_BUSY' });
      expect(await other.execute(money('sale', 100), new RecordingObserver(), signal)).toMatchObject({
        kind: 'not_started',
        code: 'TERMINAL_BUSY',
      });
      await expect(other.lastTransaction(signal)).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
      terminal.press('approve');
      expect(await paying).toMatchObject({ kind: 'approved' });
      expect(terminal.snapshot().ledger.map(({ amountMinor }) => amountMinor)).toEqual([1250]);
    },
  );
});

describe('over TLS', () => {
  it('a day with a terminal whose certificate is pinned', async () => {
    const terminal = await start({});
    const { front, fingerprint } = await tlsBefore(terminal.port);
    const till = await session((front.address() as AddressInfo).port, {}, { fingerprint });
    await aDay(terminal, till);
  });
});

/** TLS in front of a virtual terminal, by Node's own server. */
async function tlsBefore(port: number): Promise<{ readonly front: TlsServer; readonly fingerprint: string }> {
  const { certificatePath, keyPath } = makeCertificate(aFolder());
  const cert = readFileSync(certificatePath);
  const fingerprint = new X509Certificate(cert).fingerprint256;
  const front = createTlsServer({ key: readFileSync(keyPath), cert }, (secure) => {
    const inner = connect(port, '127.0.0.1');
    secure.pipe(inner).pipe(secure);
    for (const side of [secure, inner])
      side.on('error', () => {
        secure.destroy();
        inner.destroy();
      });
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  running.push({ stop: () => front.close() });
  return { front, fingerprint };
}
