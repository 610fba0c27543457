import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { driver } from '../../../drivers/terminals/zvt/driver.ts';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import type { Link } from '../../../src/terminal/link.ts';
import type { MoneyCommand, Observer, Outcome } from '../../../src/terminal/ports.ts';
import { openSerialLink } from '../../../src/transport/serial.ts';
import { openTcpLink } from '../../../src/transport/tcp.ts';
import { noDial } from '../../support/no-dial.ts';
import { ptyForTests } from '../../support/pty.ts';
import { command, documentOf } from './command-line.ts';
import { BIN, recordsOf, Simulator } from './simulator.ts';

const folder = mkdtempSync(join(tmpdir(), 'tillctl-simulate-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { signal } = new AbortController();
const SALE: MoneyCommand = {
  kind: 'sale',
  attemptId: 'a',
  ticket: 'A00001',
  amount: { minor: 1234, currency: 'EUR' },
};
const TAKES_ALL: Observer = {
  accepted: () => true,
  progress: () => undefined,
  beforeAcknowledge: () => true,
  beforeEnd: () => true,
};

/** The real driver on a link; `paying` runs while the sale does. */
async function sell(link: Link, paying: () => void): Promise<Outcome> {
  const session = await driver.open(
    link,
    {
      deviceId: 'device',
      currency: 'EUR',
      clock: systemClock,
      log: silentLog,
      transcript: { record: () => undefined },
      dial: noDial,
      openBeside: noDial,
      options: { password: '123456' },
    },
    signal,
  );
  onTestFinished(() => session.close());
  const outcome = session.execute(SALE, TAKES_ALL, signal);
  paying();
  return outcome;
}

async function overTcp(port: number | undefined): Promise<Link> {
  return openTcpLink({ host: '127.0.0.1', port: port ?? 0, connectTimeoutMs: 5000 })(signal);
}

describe('tillctl simulate-terminal', { timeout: 120_000 }, () => {
  it('sells to a real driver when its customer is told to approve, and its ledger shows it', async () => {
    const simulator = new Simulator('--listen', 'tcp:0', '--autopilot', 'off', '--option', 'host_ms=5');
    await simulator.says('screen: ready');
    const port = Number(/tcp:\/\/127\.0\.0\.1:(\d+)/.exec(simulator.printed.out)?.[1]);
    const outcome = await sell(await overTcp(port), () => simulator.type('approve'));
    expect(outcome).toMatchObject({ kind: 'approved', report: { amountMinor: 1234 } });
    simulator.type('ledger');
    await simulator.says(/0001\s+sale\s+12\.34 EUR\s+approved/);
    expect(simulator.printed.err).toBe('');
    expect(await simulator.end('SIGINT')).toBe(0);
  });

  it('strikes with the trouble that was ordered, and charges all the same', async () => {
    const file = join(folder, 'ledger.json');
    const simulator = new Simulator(
      ...['--listen', 'tcp:127.0.0.1:0', '--json', '--ledger', file],
      ...['--autopilot-ms', '10', '--fault', 'result_acknowledged:cut', '--option', 'host_ms=5'],
    );
    const { port } = await simulator.announced();
    expect(await sell(await overTcp(port), () => undefined)).toMatchObject({ kind: 'unknown' });
    await simulator.says('fault strikes');
    expect(recordsOf(readFileSync(file, 'utf8'))).toMatchObject([
      { kind: 'sale', amountMinor: 1234, result: 'approved' },
    ]);
    expect(await simulator.end('SIGTERM')).toBe(0);
    const again = new Simulator('--listen', 'tcp:0', '--ledger', file);
    again.type('ledger');
    await again.says(/0001\s+sale\s+12\.34 EUR\s+approved/);
  });

  it('prints one document with --json and nothing else there, whatever happens', async () => {
    const simulator = new Simulator(
      '--listen',
      'tcp:0',
      '--json',
      '--currency',
      'CHF',
      '--serial',
      '00C0FFEE',
    );
    const announced = await simulator.announced();
    expect(announced).toMatchObject({
      protocol: 'zvt',
      over: 'tcp',
      address: `tcp://127.0.0.1:${announced.port}`,
      currency: 'CHF',
      serial: '00C0FFEE',
      autopilot: 'approve',
      missing_acknowledgement: 'keep',
    });
    for (const line of ['sale 7', 'ledger', 'nonsense', 'end-of-day', 'void']) simulator.type(line);
    await simulator.says('no payment that it could take back');
    expect(documentOf(simulator.printed.out)).toBeDefined();
  });

  it('lives on when its input ends, and ends with it only where that was asked for', async () => {
    const stays = new Simulator('--listen', 'tcp:0', '--json');
    stays.closeInput();
    const { port } = await stays.announced();
    expect(await sell(await overTcp(port), () => undefined)).toMatchObject({ kind: 'approved' });
    const goes = new Simulator('--listen', 'tcp:0', '--end-with-input');
    goes.type('sale 1.00');
    goes.closeInput();
    expect(await goes.ended).toBe(0);
    expect(goes.printed.out).toContain('sale 1.00 EUR approved, receipt 0001');
  });

  it('lets other machines in only when it is told so, through a door of its own', async () => {
    const simulator = new Simulator('--listen', 'tcp:0.0.0.0:0', '--beyond-loopback', '--json');
    const { address, port } = await simulator.announced();
    expect(address).toBe(`tcp://0.0.0.0:${port}`);
    expect(await sell(await overTcp(port), () => undefined)).toMatchObject({ kind: 'approved' });
    simulator.type('quit');
    expect(await simulator.ended).toBe(0);
  });
});

describe('tillctl simulate-terminal refuses with exit 2, in words,', () => {
  const listen = ['--listen', 'tcp:0'];
  const zvt = ['--protocol', 'zvt'];

  it.each([
    ['a protocol that brings no virtual terminal', ['--protocol', 'morse', ...listen], 'zvt'],
    ['an address of other machines', [...zvt, '--listen', 'tcp:192.168.1.5:20007'], '--beyond-loopback'],
    ['an address that it does not listen on', [...zvt, '--listen', 'tcp:[::1]:0'], '127.0.0.1 only'],
    ['a place that is none', [...zvt, '--listen', 'udp:1'], 'tcp:PORT'],
    ['a port that is none', [...zvt, '--listen', 'tcp:70000'], 'tcp:PORT'],
    ['a fault that is none', [...zvt, ...listen, '--fault', 'result:explode'], 'silence'],
    ['a fault with a length that is none', [...zvt, ...listen, '--fault', 'result:cut:x'], 'whole number'],
    ['a habit that is none', [...zvt, ...listen, '--option', 'mood=bad'], 'customer_timeout_ms'],
    ['a habit that cannot be so', [...zvt, ...listen, '--option', 'voids=maybe'], 'voids'],
    ['a customer who does something else', [...zvt, ...listen, '--autopilot', 'dance'], 'walk_away'],
    ['a currency that is none', [...zvt, ...listen, '--currency', 'EURO'], 'EURO'],
    ['a serial number that is none', [...zvt, ...listen, '--serial', 'xyz'], '8 hex digits'],
  ])('%s', async (_what, words, expected) => {
    const ran = await command(['simulate-terminal', ...words, '--json']);
    expect(ran.exit).toBe(2);
    expect(documentOf(ran.out)).toMatchObject({
      error: { code: 'usage', message: expect.stringContaining(expected) },
    });
    expect(ran.err).toContain(expected);
  });

  it('a port that somebody has', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const ran = await command(['simulate-terminal', ...zvt, '--listen', `tcp:${port}`]);
    expect([ran.exit, ran.out]).toEqual([2, '']);
    expect(ran.err).toContain(`cannot listen on tcp://127.0.0.1:${port}`);
  });

  it('a ledger that cannot be read', async () => {
    const ran = await command(['simulate-terminal', ...zvt, ...listen, '--ledger', folder]);
    expect(ran.exit).toBe(2);
  });
});

const { pty, reason } = await ptyForTests();
await pty?.pipe.close();

describe.skipIf(!pty)(
  `tillctl simulate-terminal on a pty${pty ? '' : ` (skipped: ${reason})`}`,
  { timeout: 120_000 },
  () => {
    it('sells to a real driver on its cable, at the place that was named', async () => {
      const path = join(folder, 'ttyTerminal');
      const simulator = new Simulator('--listen', `pty:${path}`, '--json', '--autopilot-ms', '10');
      expect(await simulator.announced()).toMatchObject({ over: 'pty', address: path });
      const line = { path, baudRate: 9600, dataBits: 8, stopBits: 2, parity: 'none' } as const;
      const outcome = await sell(await openSerialLink(line)(signal), () => undefined);
      expect(outcome).toMatchObject({ kind: 'approved', report: { amountMinor: 1234 } });
      expect(await simulator.end('SIGTERM')).toBe(0);
    });
  },
);

const terminalDevice = await import('@lydell/node-pty').catch(() => undefined);

describe.skipIf(!terminalDevice)('the keys of tillctl simulate-terminal', { timeout: 120_000 }, () => {
  it('are single keys in front of a person, and nothing happens by itself there', async () => {
    const printed = { text: '' };
    const argv = [BIN, 'simulate-terminal', '--protocol', 'zvt', '--listen', 'tcp:0'];
    const child = terminalDevice?.spawn(process.execPath, argv, {
      cwd: '/',
      env: { PATH: process.env['PATH'] },
    });
    child?.onData((text) => {
      printed.text += text;
    });
    const ended = new Promise<number>((resolve) => child?.onExit(({ exitCode }) => resolve(exitCode)));
    onTestFinished(() => child?.kill());
    const says = (words: string) =>
      vi.waitFor(() => expect(printed.text).toContain(words), { timeout: 60_000, interval: 20 });
    await says('the customer waits for a key');
    await says('a approve');
    child?.write('s12.34\r');
    await says('sale 12.34 EUR approved, receipt 0001');
    child?.write('l');
    await says('by hand');
    child?.write('\u0003');
    expect(await ended).toBe(0);
  });
});
