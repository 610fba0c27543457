import { afterEach, describe, expect, it } from 'vitest';
import type { VirtualTerminal } from '../../src/sandbox/terminal/virtual-terminal.ts';
import type { PreferredPort } from '../../src/terminal/port-facts.ts';
import { TerminalRegistry } from '../../src/terminal/terminal-registry.ts';
import { OpenPorts } from '../../src/transport/open-ports.ts';
import { ptyForTests } from '../support/pty.ts';
import { Bus, type Plugged } from './bus.ts';
import { aTerminal, Counter } from './counter.ts';
import { FAMILIES } from './family.ts';

const { pty, reason } = await ptyForTests();
await pty?.pipe.close();
/** Two devices that the bus cannot distinguish: a whole series has this serial number. */
const DEVICE = { vendorId: '0b00', productId: '3070', serial: '0001', name: 'Terminal' } as const;
const LIMIT_MS = 60_000;
const ends: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function twoCounters(preferredOf: (socket: number, bus: Bus) => PreferredPort) {
  const bus = new Bus();
  ends.push(() => bus.remove());
  const { zvt: family } = FAMILIES;
  if (!family) throw new Error('no family');
  const shared = { family, bus, openPorts: new OpenPorts(), registry: new TerminalRegistry() };
  const counters = [1, 2].map(
    (socket) => new Counter({ ...shared, name: `Counter ${socket}`, preferred: preferredOf(socket, bus) }),
  );
  const terminals = [aTerminal(family, 'first', '17F00001'), aTerminal(family, 'second', '17F00002')];
  for (const { supervisor } of counters) ends.push(() => supervisor.stop());
  for (const terminal of terminals) ends.push(() => terminal.stop());
  return { bus, counters, terminals };
}

/** Plugs each terminal into a socket; the numbers of the ports are those of the order, not of the sockets. */
async function plugIn(bus: Bus, terminals: readonly VirtualTerminal[], sockets: readonly number[]) {
  const cables: Plugged[] = [];
  for (const [number, socket] of sockets.entries()) {
    const cable = await bus.plugIn(DEVICE, number, socket);
    terminals[number]?.attach(cable.pipe);
    cables.push(cable);
    ends.push(() => cable.pull());
  }
  return cables;
}

const serialsOf = (counters: readonly Counter[]) =>
  counters.map(({ supervisor }) => supervisor.identity?.serial);

describe.skipIf(!pty)(`two devices with the same USB data${pty ? '' : ` (skipped: ${reason})`}`, () => {
  it.each<[string, (socket: number, bus: Bus) => PreferredPort]>([
    [
      'by "usb" with a port',
      (socket) => ({ kind: 'usb', vendorId: '0b00', productId: '3070', serial: null, plug: `1-${socket}` }),
    ],
    ['by a path under /dev/serial/by-path', (socket, bus) => ({ kind: 'path', path: bus.placeName(socket) })],
  ])(
    'are told apart %s, and when they are exchanged each counter stays with its terminal',
    async (_, preferredOf) => {
      const { bus, counters, terminals } = twoCounters(preferredOf);
      // The first terminal gets the lower number, and is in the second socket.
      const cables = await plugIn(bus, terminals, [2, 1]);
      for (const { supervisor } of counters) supervisor.start();
      for (const counter of counters) await counter.until(['up'], LIMIT_MS);
      expect(serialsOf(counters)).toEqual(['17F00002', '17F00001']);

      for (const cable of cables) await cable.pull();
      for (const counter of counters) await counter.until(['down', 'wrong_terminal'], LIMIT_MS);
      await plugIn(bus, terminals, [1, 2]);
      for (const counter of counters) await counter.until(['up'], LIMIT_MS);
      expect(serialsOf(counters)).toEqual(['17F00002', '17F00001']);
      expect(await Promise.all(counters.map((counter) => counter.isUsable()))).toEqual([true, true]);
    },
    LIMIT_MS * 2,
  );

  it('are not connected by their ids alone: there would be a choice', async () => {
    const ids = { vendorId: '0b00', productId: '3070', serial: null, plug: null };
    const { bus, counters, terminals } = twoCounters(() => ({ kind: 'usb', ...ids }));
    await plugIn(bus, terminals, [1, 2]);
    const [counter] = counters;
    await expect(counter?.supervisor.use(async () => undefined)).rejects.toThrow(
      'give its path, USB serial number or USB port in the configuration',
    );
    expect(terminals.map((terminal) => terminal.snapshot().ledger)).toEqual([[], []]);
  });
});
