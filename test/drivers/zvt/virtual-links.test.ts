import { afterEach, describe, expect, it } from 'vitest';
import { zvtDialect } from '../../../drivers/terminals/zvt/virtual.ts';
import type { ZvtVirtualOptions } from '../../../drivers/terminals/zvt/virtual-options.ts';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import type { VirtualTerminalSettings } from '../../../src/sandbox/controllable-terminal.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../../../src/sandbox/terminal/start-virtual-terminal.ts';
import type { Link } from '../../../src/terminal/link.ts';
import { openSerialLink } from '../../../src/transport/serial.ts';
import { openTcpLink } from '../../../src/transport/tcp.ts';
import { ptyForTests } from '../../support/pty.ts';
import { framed, memory, RawTill, virtualSettings } from './raw-till.ts';
import { commands, REGISTER_WITHOUT_PAPER, REPEAT, SALE } from './virtual-counter.ts';

const never = new AbortController().signal;
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
const running: RunningVirtualTerminal[] = [];
const links: Link[] = [];

afterEach(async () => {
  for (const link of links.splice(0)) await link.close();
  for (const terminal of running.splice(0)) await terminal.stop();
});

async function start(settings: Partial<VirtualTerminalSettings>, options: Partial<ZvtVirtualOptions> = {}) {
  const dialect = zvtDialect({ hostMs: 5, ...options });
  const ports = { clock: systemClock, log: silentLog, memory: memory() };
  const defaults = { autopilot: 'approve', autopilotMs: 20 } as const;
  const terminal = await startVirtualTerminal(virtualSettings({ ...defaults, ...settings }), dialect, ports);
  running.push(terminal);
  return terminal;
}

async function overTcp(terminal: RunningVirtualTerminal): Promise<RawTill> {
  const port = Number(new URL(terminal.address).port);
  const link = await openTcpLink({ host: '127.0.0.1', port, connectTimeoutMs: 1000 })(never);
  links.push(link);
  return new RawTill(link, pause);
}

async function overSerial(terminal: RunningVirtualTerminal): Promise<{ link: Link; till: RawTill }> {
  const path = terminal.address;
  const link = await openSerialLink({ path, baudRate: 9600, dataBits: 8, stopBits: 2, parity: 'none' })(
    never,
  );
  links.push(link);
  return { link, till: new RawTill(link, pause, true) };
}

describe('a virtual ZVT terminal on a TCP port', () => {
  it('takes a payment in bare packets', async () => {
    const terminal = await start({});
    const till = await overTcp(terminal);
    await till.converse(REGISTER_WITHOUT_PAPER);
    expect(commands(await till.converse(SALE))).toBe('8000 04FF 04FF 04FF 040F 060F');
    expect(terminal.snapshot()).toMatchObject({ address: terminal.address, ledger: [{ amountMinor: 1234 }] });
  });

  it('goes on when the connection is cut, and tells the next one', async () => {
    const terminal = await start({
      missingAcknowledgement: 'keep',
      faults: [{ when: 'customer', do: 'cut' }],
    });
    const till = await overTcp(terminal);
    await till.converse(REGISTER_WITHOUT_PAPER);
    await expect(till.converse(SALE)).rejects.toThrow('the connection ended');
    while (terminal.snapshot().ledger.length === 0 || terminal.snapshot().busy) await pause();
    const again = await overTcp(terminal);
    expect((await again.converse(REPEAT))[1]).toContain('04000000001234');
  });

  it('is not there while it has no power, and comes back at the same port, unregistered', async () => {
    const terminal = await start({ faults: [{ when: 'customer', do: 'power_loss', ms: 150 }] });
    const till = await overTcp(terminal);
    await till.converse(REGISTER_WITHOUT_PAPER);
    await expect(till.converse(SALE)).rejects.toThrow('the connection ended');
    await expect(overTcp(terminal)).rejects.toMatchObject({ code: 'LINK_REFUSED' });
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(await (await overTcp(terminal)).converse(SALE)).toEqual(['846B00']);
  });

  it('refuses a port that is taken, in words', async () => {
    const first = await start({});
    const port = Number(new URL(first.address).port);
    await expect(start({ port })).rejects.toMatchObject({ code: 'SANDBOX_PORT_TAKEN' });
  });

  it('can be stopped twice', async () => {
    const terminal = await start({});
    await terminal.stop();
    await terminal.stop();
    await expect(overTcp(terminal)).rejects.toMatchObject({ code: 'LINK_REFUSED' });
  });
});

const { pty, reason } = await ptyForTests();
await pty?.pipe.close();
const title = `a virtual ZVT terminal on a pty${pty ? '' : ` (skipped: ${reason})`}`;

describe.skipIf(!pty)(title, () => {
  it('takes a payment in frames and acknowledges each', async () => {
    const terminal = await start({ over: 'pty' });
    const { till } = await overSerial(terminal);
    await till.converse(REGISTER_WITHOUT_PAPER);
    await till.sendRaw('10 02 06 01 07 04 00 00 00 00 10 10 10 10 10 03 F3 04');
    expect(commands(await till.listenToEnd())).toBe('8000 04FF 04FF 04FF 040F 060F');
    await pause();
    expect(till.heard.filter((packet) => packet === 'ACK').length).toBeGreaterThanOrEqual(7);
    expect(terminal.snapshot().ledger).toMatchObject([{ amountMinor: 1010, result: 'approved' }]);
  });

  it('answers with the frame of the specification', async () => {
    const terminal = await start({ over: 'pty' });
    const line = {
      path: terminal.address,
      baudRate: 9600,
      dataBits: 8,
      stopBits: 2,
      parity: 'none',
    } as const;
    const link = await openSerialLink(line)(never);
    links.push(link);
    await link.write(framed(Uint8Array.of(0x05, 0x01, 0x00)));
    let heard = '';
    for await (const chunk of link.bytes) {
      heard += Buffer.from(chunk).toString('hex');
      if (heard.length >= 2 + 18) break;
    }
    expect(heard).toBe(`06${'100280000010'}03f51f`);
  });

  it('answers NAK to a wrong checksum and to a frame that stops in the middle, and acts on neither', async () => {
    const terminal = await start({ over: 'pty' }, { t1Ms: 40 });
    const { till } = await overSerial(terminal);
    await till.sendRaw('10 02 06 01 07 04 00 00 00 00 10 10 10 10 10 03 F3 05');
    expect(await till.next()).toBe('NAK');
    await till.sendRaw('10 02 06 01 07 04');
    expect(await till.next()).toBe('NAK');
    expect(terminal.snapshot()).toMatchObject({ busy: false, ledger: [] });
    expect((await till.converse(REGISTER_WITHOUT_PAPER)).at(-1)).toMatch(/^060F/);
  });

  it('sends an unacknowledged frame three times in all, then holds the result for undelivered', async () => {
    const terminal = await start({ over: 'pty' }, { t2Ms: 30 });
    const { till } = await overSerial(terminal);
    await till.converse('06 00 06 12 34 56 30 09 78');
    await till.send(SALE);
    expect(await till.packet()).toBe('800000');
    till.acknowledges = false;
    while (!terminal.snapshot().ledger[0]?.reversed) await pause();
    while (terminal.snapshot().busy) await pause();
    const results = () => till.heard.filter((packet) => packet.startsWith('040F')).length;
    // What the terminal has written may be on its way to the till for a moment.
    for (let looks = 0; results() < 3 && looks < 100; looks += 1) await pause();
    expect(results()).toBe(3);
  });

  it('repeats at once on NAK', async () => {
    const terminal = await start({ over: 'pty' });
    const { till } = await overSerial(terminal);
    till.acknowledges = false;
    await till.send('06 06 00');
    expect([await till.next(), await till.next()]).toEqual(['ACK', '848300']);
    await till.sendRaw('15');
    expect(await till.next()).toBe('848300');
    await till.sendRaw('06');
  });

  it('is unplugged by a cut and comes back at the same path', async () => {
    const terminal = await start({ over: 'pty', faults: [{ when: 'customer', do: 'cut' }] });
    const { till, link } = await overSerial(terminal);
    await till.converse(REGISTER_WITHOUT_PAPER);
    await expect(till.converse(SALE)).rejects.toThrow('the connection ended');
    expect((await link.closed).reason).toBe('unplugged');
    await new Promise((resolve) => setTimeout(resolve, 400));
    const again = await overSerial(terminal);
    expect((await again.till.converse(REPEAT)).at(-1)).toBe('060F00');
  });

  it('goes on when a till closes the port, and talks to the next one that opens it', async () => {
    const terminal = await start(
      { over: 'pty', autopilot: 'off', missingAcknowledgement: 'keep' },
      { t2Ms: 150 },
    );
    const { till, link } = await overSerial(terminal);
    await till.converse('06 00 06 12 34 56 30 09 78');
    await till.send(SALE);
    await till.packet();
    await link.close();
    const again = await overSerial(terminal);
    await again.till.send(REPEAT);
    expect(await again.till.packet()).toBe('849C00');
    await again.link.close();
    terminal.press('approve');
    while (terminal.snapshot().ledger.length === 0 || terminal.snapshot().busy) await pause();
    await pause();
    const last = await overSerial(terminal);
    expect((await last.till.converse(REPEAT))[1]).toContain('04000000001234');
  });
});
