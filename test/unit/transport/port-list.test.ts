import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OpenPorts } from '../../../src/transport/open-ports.ts';
import { foldersOfPorts, watchFolders } from '../../../src/transport/port-hotplug.ts';
import { listPorts } from '../../../src/transport/port-list.ts';

/** A machine's `sys` and `dev` in a folder of their own. */
function machine() {
  const root = mkdtempSync(join(tmpdir(), 'tilld-ports-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folders = { sys: join(root, 'sys'), dev: join(root, 'dev') };
  for (const folder of ['sys/class/tty', 'dev/serial/by-id', 'dev/char'])
    mkdirSync(join(root, folder), { recursive: true });
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  /** A tty of a piece of hardware, both below `sys/devices`. */
  const tty = (name: string, hardware: string, uart?: string) => {
    const folder = join(folders.sys, 'devices', hardware, 'tty', name);
    mkdirSync(folder, { recursive: true });
    symlinkSync('../..', join(folder, 'device'));
    if (uart !== undefined) writeFileSync(join(folder, 'type'), `${uart}\n`);
    symlinkSync(folder, join(folders.sys, 'class/tty', name));
    writeFileSync(join(folders.dev, name), '');
  };
  const link = (name: string, target: string) =>
    symlinkSync(join(folders.dev, target), join(folders.dev, name));
  return { root, folders, write, tty, link, dev: (name: string) => join(folders.dev, name) };
}

describe('the list of ports', () => {
  it('tells a modem and an adapter with their USB ids, serial number, socket and stable name', async () => {
    const { folders, write, tty, link, dev } = machine();
    const modem = 'pci0000:00/usb1/1-1/1-1.4';
    for (const [file, text] of [
      ['idVendor', '0b00'],
      ['idProduct', '3070'],
      ['serial', '80471100'],
      ['manufacturer', 'INGENICO'],
      ['product', 'iPP3xx'],
    ])
      write(`sys/devices/${modem}/${file}`, `${text}\n`);
    tty('ttyACM0', `${modem}/1-1.4:1.0`);
    const adapter = 'pci0000:00/usb1/1-2';
    write(`sys/devices/${adapter}/idVendor`, '0403\n');
    write(`sys/devices/${adapter}/idProduct`, '6001\n');
    tty('ttyUSB0', `${adapter}/1-2:1.0/ttyUSB0`);
    link('serial/by-id/usb-INGENICO_iPP3xx_80471100-if00', 'ttyACM0');
    const ports = await listPorts(new OpenPorts(), null, folders);
    expect([...ports].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      {
        path: dev('ttyACM0'),
        names: [dev('ttyACM0'), dev('serial/by-id/usb-INGENICO_iPP3xx_80471100-if00')],
        usb: { vendorId: '0b00', productId: '3070', serial: '80471100', name: 'INGENICO iPP3xx' },
        socket: '1-1.4:1.0',
        openedBy: null,
      },
      {
        path: dev('ttyUSB0'),
        names: [dev('ttyUSB0')],
        usb: { vendorId: '0403', productId: '6001', serial: null, name: null },
        socket: '1-2:1.0',
        openedBy: null,
      },
    ]);
  });

  it('tells a UART that is there, and neither those that are not nor consoles', async () => {
    const { folders, tty, dev } = machine();
    tty('ttyS0', 'platform/serial8250', '4');
    tty('ttyS1', 'platform/serial8251', '0');
    tty('tty1', 'virtual/vc');
    const ports = await listPorts(new OpenPorts(), null, folders);
    expect(ports).toEqual([
      { path: dev('ttyS0'), names: [dev('ttyS0')], usb: null, socket: null, openedBy: null },
    ]);
  });

  it('tells what is at the path of the configuration, whatever it is, and nothing where nothing is', async () => {
    const { folders, root } = machine();
    const path = join(root, 'terminal');
    symlinkSync('/dev/null', path);
    expect(await listPorts(new OpenPorts(), path, folders)).toEqual([
      { path, names: [path, path], usb: null, socket: null, openedBy: null },
    ]);
    expect(await listPorts(new OpenPorts(), join(root, 'gone'), folders)).toEqual([]);
    expect(await listPorts(new OpenPorts(), null, { sys: '/nowhere', dev: '/nowhere' })).toEqual([]);
  });

  it('tells which ports are in use here, by whatever name they were opened', async () => {
    const { folders, tty, link, dev } = machine();
    tty('ttyACM0', 'pci0000:00/usb1/1-1/1-1:1.0');
    link('serial/by-id/usb-terminal', 'ttyACM0');
    const openPorts = new OpenPorts();
    const release = await openPorts.take(dev('serial/by-id/usb-terminal'));
    expect(await listPorts(openPorts, null, folders)).toMatchObject([{ openedBy: 'tilld itself' }]);
    await expect(openPorts.take(dev('ttyACM0'))).rejects.toMatchObject({
      code: 'LINK_REFUSED',
      retry: 'safe',
    });
    release();
    expect(await listPorts(openPorts, null, folders)).toMatchObject([{ openedBy: null }]);
  });
});

describe('the bell of ports', () => {
  it('rings when a port gets a name, and not after its end', async () => {
    const { folders, link } = machine();
    let rings = 0;
    const { promise: rung, resolve } = Promise.withResolvers<void>();
    const end = watchFolders(foldersOfPorts(folders.dev, null), () => {
      rings += 1;
      resolve();
    });
    link('char/166:0', 'ttyACM0');
    await rung;
    end();
    const before = rings;
    link('char/166:1', 'ttyACM1');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(rings).toBe(before);
  });

  it('watches the folder of a port that has its name elsewhere, and nothing that is not there', () => {
    const { folders, root } = machine();
    expect(foldersOfPorts(folders.dev, join(root, 'terminal'))).toEqual([
      join(folders.dev, 'char'),
      join(folders.dev, 'serial/by-id'),
      root,
    ]);
    expect(foldersOfPorts(folders.dev, '/nowhere/terminal')).not.toContain('/nowhere');
  });
});
