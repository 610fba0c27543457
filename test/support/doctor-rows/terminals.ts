import { chmodSync, chownSync } from 'node:fs';
import { dirname } from 'node:path';
import { onTestFinished } from 'vitest';
import { virtualZvt } from '../../../drivers/terminals/zvt/virtual.ts';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { startVirtualTerminal } from '../../../src/sandbox/terminal/start-virtual-terminal.ts';
import { DEVICE_ID } from '../attempts.ts';
import { aListener, aProgram, type DiagnosticContext } from '../doctor-table.ts';
import { ptyForTests } from '../pty.ts';
import { textMemory, VIRTUAL_TERMINAL } from '../shop.ts';
import { needsRoot, type Row, row } from './row.ts';

/** How an ECR17 terminal answers what it does not know. */
const ECR17_REFUSAL = [0x15, 0x03, 0x69];
const NOBODY = 65_534;
const DIALOUT = 20;

/** Terminals and their ports. */
export const TERMINALS: readonly Row[] = [
  row(
    'a terminal that refuses the connection',
    ['terminal', 'fail'],
    'connection refused',
    'ping -c 3 127.0.0.1',
    (shop) => shop.devices({ type: 'tcp', host: '127.0.0.1', port: 1 }),
  ),
  row(
    'a terminal whose name nobody knows',
    ['terminal', 'fail'],
    'terminal.invalid',
    'getent hosts terminal.invalid',
    (shop) => shop.devices({ type: 'tcp', host: 'terminal.invalid', port: 20_007 }),
  ),
  row('a terminal that says nothing', ['terminal', 'fail'], 'does not answer', 'ping -c 3', async (shop) =>
    shop.devices({ type: 'tcp', host: '127.0.0.1', port: await aListener(() => undefined) }),
  ),
  row(
    'a terminal that speaks another protocol',
    ['terminal', 'fail'],
    'speaks ECR17',
    'tillctl config check',
    async (shop) => {
      const port = await aListener((socket) =>
        socket.on('data', () => socket.write(Buffer.from(ECR17_REFUSAL))),
      );
      shop.devices({ type: 'tcp', host: '127.0.0.1', port });
    },
  ),
  row(
    'another terminal at its place',
    ['terminal', 'fail'],
    'answers at the place of',
    'tillctl devices adopt',
    async (shop) => {
      await aTerminal(shop);
      shop.change(
        `INSERT OR REPLACE INTO terminals (device_id, identity, since) VALUES ('${DEVICE_ID}', '{"grade":"serial","serial":"0BADCAFE"}', 1)`,
      );
    },
  ),
  row(
    'a terminal with a payment that is open',
    ['terminal', 'warn'],
    'still open in the books',
    'systemctl start tilld',
    async (shop) => {
      await aTerminal(shop);
      shop.change(
        `UPDATE attempts SET state = 'dispatched', completed_at = NULL, device_id = '${DEVICE_ID}' WHERE amount_minor = 4200`,
      );
    },
  ),
  row('a port that is not there', ['port', 'fail'], 'there is no port', 'ls -l /dev/serial/by-id', (shop) =>
    shop.devices({ type: 'serial', path: '/dev/serial/by-id/usb-none' }),
  ),
  row('a port that is none', ['port', 'fail'], 'is no serial port', 'ls -l /dev/serial/by-id', (shop) => {
    const path = `${dirname(shop.books.folder)}/ttyACM0`;
    shop.put(path, '');
    shop.devices({ type: 'serial', path });
  }),
  row(
    'a user who is not in the group of the port',
    ['port', 'fail'],
    'belongs to the group dialout',
    'usermod -aG dialout',
    async (shop) => {
      const path = await aPort(shop);
      chownSync(path, 0, DIALOUT);
      chmodSync(path, 0o660);
      chmodSync(shop.books.folder, 0o755);
      shop.user = NOBODY;
    },
    needsRoot,
  ),
  row(
    'a port that ModemManager has open',
    ['port', 'fail'],
    'held by ModemManager',
    'systemctl disable --now ModemManager',
    async (shop) => {
      await aProgram(dirname(shop.books.folder), 'ModemManager', await aPort(shop));
    },
  ),
  row(
    'a port with a login on it',
    ['port', 'fail'],
    'held by agetty',
    'systemctl disable --now serial-getty@',
    async (shop) => {
      await aProgram(dirname(shop.books.folder), 'agetty', await aPort(shop));
    },
  ),
  row('a port that any program has open', ['port', 'fail'], 'held by cashier', 'ps -fp', async (shop) => {
    await aProgram(dirname(shop.books.folder), 'cashier', await aPort(shop));
  }),
  row(
    'a program that will try the port',
    ['probing', 'warn'],
    'ModemManager is running',
    'systemctl disable --now ModemManager',
    async (shop) => {
      shop.devices({ type: 'serial', path: '/dev/serial/by-id/usb-none' });
      await aProgram(dirname(shop.books.folder), 'ModemManager', null);
    },
  ),
  row('a port that the kernel writes to', ['console', 'fail'], 'console=ttyS1', 'update-grub', (shop) => {
    shop.devices({ type: 'serial', path: '/dev/ttyS1' });
    shop.proc({ cmdline: 'BOOT_IMAGE=/vmlinuz root=/dev/sda1 console=tty0 console=ttyS1,115200n8 quiet\n' });
  }),
  row(
    'a terminal at another speed',
    ['terminal', 'fail'],
    'Counter 1',
    '1200 bits per second',
    async (shop) => {
      const path = await aPort(shop, (bytes) => bytes.map((byte) => byte ^ 0x5a));
      shop.devices({ type: 'serial', path, baud_rate: 1200 });
    },
  ),
];

/** A virtual terminal that the shop's device leads to; gives its port. */
async function aTerminal(shop: DiagnosticContext): Promise<number> {
  const ports = { clock: systemClock, log: silentLog, memory: textMemory() };
  const running = await startVirtualTerminal(VIRTUAL_TERMINAL, virtualZvt, ports);
  onTestFinished(() => running.stop());
  const port = Number(new URL(running.address).port);
  shop.devices({ type: 'tcp', host: '127.0.0.1', port });
  return port;
}

/** A pseudo-terminal at which the shop's device hangs; what is written to it comes back as `answer` makes it. */
async function aPort(shop: DiagnosticContext, answer?: (bytes: Uint8Array) => Uint8Array): Promise<string> {
  const { pty, reason } = await ptyForTests();
  if (!pty) throw new Error(reason);
  onTestFinished(() => pty.pipe.close());
  if (answer) void echo(pty.pipe, answer);
  shop.devices({ type: 'serial', path: pty.path });
  return pty.path;
}

async function echo(
  pipe: NonNullable<Awaited<ReturnType<typeof ptyForTests>>['pty']>['pipe'],
  answer: (bytes: Uint8Array) => Uint8Array,
): Promise<void> {
  for await (const bytes of pipe.bytes) await pipe.write(answer(bytes));
}
