import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { searchHidDevice } from '../../../src/agent/serial-ports.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Link, PortSearch } from '../../../src/terminal/link.ts';
import { type HidDevice, type HidModule, loadNodeHid, openHidLink } from '../../../src/transport/hid.ts';
import { listHidDevices } from '../../../src/transport/hid-list.ts';
import { OpenPorts } from '../../../src/transport/open-ports.ts';

const { signal } = new AbortController();

/** An open device as node-hid documents it; only the binary is replaced. */
class FakeDevice extends EventEmitter implements HidDevice {
  readonly written: number[][] = [];
  readonly calls: string[] = [];
  closes = 0;
  /** What the next write resolves with or rejects; undefined: the length. */
  answer: number | Error | undefined;

  async write(report: Buffer): Promise<number> {
    this.written.push([...report]);
    if (this.answer instanceof Error) throw this.answer;
    return this.answer ?? report.length;
  }

  pause(): void {
    this.calls.push('pause');
  }

  resume(): void {
    this.calls.push('resume');
  }

  async close(): Promise<void> {
    this.closes += 1;
  }
}

function withDevice(open: (path: string) => Promise<HidDevice>): () => Promise<HidModule> {
  return async () => ({ HIDAsync: { open }, getHidapiVersion: () => '0.15.0' });
}

/** A machine's `sys` and `dev` with HID devices as Linux has them. */
function machine() {
  const root = mkdtempSync(join(tmpdir(), 'tilld-hid-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folders = { sys: join(root, 'sys'), dev: join(root, 'dev') };
  for (const folder of ['sys/class/hidraw', 'dev/char']) mkdirSync(join(root, folder), { recursive: true });
  const plugIn = (
    name: string,
    port: string,
    {
      ids = ['0b00', '0072'],
      serial = '',
      descriptor = [0x06, 0x00, 0xff, 0x09, 0x01, 0xa1, 0x01],
      face = 0,
    } = {},
  ) => {
    const usb = join(folders.sys, `devices/usb1/${port}`);
    const hid = join(usb, `${port}:1.${face}`, `0003:${ids.join(':')}.000${face}`);
    const raw = join(hid, 'hidraw', name);
    mkdirSync(raw, { recursive: true });
    symlinkSync('../..', join(raw, 'device'));
    symlinkSync(raw, join(folders.sys, 'class/hidraw', name));
    for (const [file, text] of Object.entries({
      idVendor: ids[0],
      idProduct: ids[1],
      serial,
      product: 'Terminal',
    }))
      writeFileSync(join(usb, file), `${text}\n`);
    writeFileSync(join(hid, 'report_descriptor'), Uint8Array.from(descriptor));
    const path = join(folders.dev, name);
    writeFileSync(path, '');
    return path;
  };
  return { folders, plugIn };
}

async function opened(device = new FakeDevice()) {
  const { plugIn } = machine();
  const path = plugIn('hidraw0', '1-1');
  const openPorts = new OpenPorts();
  const link = await openHidLink(
    path,
    openPorts,
    withDevice(async () => device),
  )(signal);
  return { device, link, path, openPorts };
}

async function heard(link: Link, count: number): Promise<number[]> {
  const bytes: number[] = [];
  for await (const chunk of link.bytes) {
    bytes.push(...chunk);
    if (bytes.length >= count) break;
  }
  return bytes;
}

describe('a link to a HID device', () => {
  it('sends each write as one report, as the driver has padded it, and reads reports in their order', async () => {
    const { device, link } = await opened();
    expect(link.kind).toBe('hid');
    await link.write(Uint8Array.of(0x01, 0x41, 0x00, 0x00));
    await link.write(Uint8Array.of(0x00, 0x42));
    expect(device.written).toEqual([
      [0x01, 0x41, 0x00, 0x00],
      [0x00, 0x42],
    ]);
    device.emit('data', Buffer.from([0x01, 0x43, 0x00]));
    device.emit('data', Buffer.from([0x01, 0x44, 0x00]));
    expect(await heard(link, 6)).toEqual([0x01, 0x43, 0x00, 0x01, 0x44, 0x00]);
  });

  it('stops reading where the driver does not, and goes on with it', async () => {
    const { device, link } = await opened();
    const report = Buffer.alloc(1024, 0x55);
    for (let sent = 0; sent < 200 && !device.calls.includes('pause'); sent += 1) device.emit('data', report);
    expect(device.calls).toEqual(['pause']);
    await heard(link, 1024);
    await pause(10);
    expect(device.calls).toEqual(['pause', 'resume']);
  });

  it('ends as unplugged when the device is gone, and writes nothing afterwards', async () => {
    const { device, link, path } = await opened();
    rmSync(path);
    device.emit('error', new Error('could not read from HID device'));
    expect(await link.closed).toEqual({ reason: 'unplugged', detail: `${path} is gone` });
    await expect(link.write(Uint8Array.of(0, 1))).rejects.toMatchObject({
      code: 'LINK_CLOSED',
      moneyMoved: 'no',
    });
    expect(device.written).toEqual([]);
    expect(device.closes).toBe(1);
  });

  it.each([
    ['fails', new Error('Cannot write to hid device')],
    ['takes a part of the report', 3],
  ])('is lost, with an unknown outcome, when a write %s', async (_, answer) => {
    const { device, link } = await opened();
    device.answer = answer;
    await expect(link.write(Uint8Array.of(0, 1, 2, 3))).rejects.toMatchObject({
      code: 'LINK_LOST',
      moneyMoved: 'unknown',
    });
    expect(await link.closed).toMatchObject({ reason: 'error' });
  });

  it('has its device alone in this process, until it is closed', async () => {
    const { device, link, path, openPorts } = await opened();
    const again = openHidLink(
      path,
      openPorts,
      withDevice(async () => new FakeDevice()),
    );
    await expect(again(signal)).rejects.toThrow('in use for another device');
    await link.close();
    expect(await link.closed).toMatchObject({ reason: 'closed_by_us' });
    expect(device.closes).toBe(1);
    await expect(again(signal)).resolves.toMatchObject({ kind: 'hid' });
  });

  it('is refused in words where the device is missing, and gives it free again', async () => {
    const openPorts = new OpenPorts();
    const load = withDevice(() => Promise.reject(new TypeError('cannot open device with path')));
    for (let tries = 0; tries < 2; tries += 1)
      await expect(openHidLink('/dev/no-such-hidraw', openPorts, load)(signal)).rejects.toMatchObject({
        code: 'LINK_REFUSED',
        retry: 'safe',
        message:
          'cannot open /dev/no-such-hidraw: there is no such device (is the terminal plugged in and on?)',
      });
  });

  it('is refused in words by the real node-hid where there is no device, or where its libraries are missing', async () => {
    const words = await openHidLink('/dev/no-such-hidraw')(signal).catch((error: unknown) => String(error));
    expect(words).toMatch(
      /LINK_REFUSED|there is no such device|libusb is missing \(apt install libusb-1\.0-0\)/,
    );
    await expect(openHidLink('/dev/no-such-hidraw')(signal)).rejects.toMatchObject({
      code: 'LINK_REFUSED',
      moneyMoved: 'no',
      message: expect.stringMatching(
        /^cannot open \/dev\/no-such-hidraw: there is no such device|^HID devices cannot be used on this machine: the library libusb is missing/,
      ),
    });
  });
});

describe('the list of HID devices', () => {
  it('has the ids, the USB port and the usage page of each, and nothing was opened for it', async () => {
    const { folders, plugIn } = machine();
    const path = plugIn('hidraw0', '1-1.4', { serial: '80471100' });
    plugIn('hidraw1', '1-2', { ids: ['046d', 'c534'], descriptor: [0x05, 0x01, 0x09, 0x06] });
    plugIn('hidraw2', '1-3', { descriptor: [0x15, 0x00, 0x26] });
    const found = await listHidDevices(new OpenPorts(), folders);
    expect(found.find(({ path: one }) => one === path)).toEqual({
      path,
      names: [path],
      usb: { vendorId: '0b00', productId: '0072', serial: '80471100', name: 'Terminal' },
      socket: '1-1.4:1.0',
      openedBy: null,
      usagePage: 'ff00',
    });
    expect(found.map(({ usagePage }) => usagePage).sort()).toEqual(['0001', 'ff00', null]);
  });
});

describe('the search for a terminal that is a HID device', () => {
  const link = { type: 'hid', vendor: '0b00', product: '0072' } as const;
  const searchOn = (
    folders: { readonly sys: string; readonly dev: string },
    more: { readonly port?: string; readonly serial?: string; readonly usage_page?: string } = {},
  ): PortSearch => searchHidDevice({ ...link, ...more }, { open: new OpenPorts(), log: silentLog, folders });
  const pathsOf = async (search: PortSearch) => (await search.ways(false)).map(({ where }) => where);

  it('takes no keyboard and no scanner, and says what it looks for', async () => {
    const { folders, plugIn } = machine();
    plugIn('hidraw0', '1-2', { ids: ['046d', 'c534'] });
    await expect(searchOn(folders).ways(false)).rejects.toMatchObject({
      code: 'LINK_REFUSED',
      message: expect.stringContaining('there is no port with USB ids 0b00:0072'),
    });
    const path = plugIn('hidraw1', '1-3');
    expect(await pathsOf(searchOn(folders))).toEqual([path]);
  });

  it('tells two equal devices apart by the USB port, and takes none of them by the ids alone', async () => {
    const { folders, plugIn } = machine();
    plugIn('hidraw0', '1-1');
    const second = plugIn('hidraw1', '1-2');
    await expect(searchOn(folders).ways(false)).rejects.toThrow('USB port in the configuration');
    expect(await pathsOf(searchOn(folders, { port: '1-2' }))).toEqual([second]);
  });

  it('takes the interface with the usage page of the configuration', async () => {
    const { folders, plugIn } = machine();
    plugIn('hidraw0', '1-1', { descriptor: [0x05, 0x01, 0x09, 0x06] });
    const vendors = plugIn('hidraw1', '1-1', { face: 1 });
    expect(await pathsOf(searchOn(folders, { usage_page: 'ff00' }))).toEqual([vendors]);
  });
});

it('the package of HID devices is not loaded by anything but such a link', async () => {
  // Loading it needs libraries that a shop without such devices has no reason to install.
  const module = await loadNodeHid().then(
    () => 'loaded',
    (error: unknown) => error,
  );
  if (module !== 'loaded') expect(module).toMatchObject({ code: 'LINK_REFUSED', retry: 'safe' });
});
