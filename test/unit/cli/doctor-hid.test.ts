import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hidFindings } from '../../../src/cli/offline/doctor/hid-devices.ts';
import type { Config } from '../../../src/config/schema.ts';

type Device = Config['devices'][number];

const works = async () => undefined;

/** A machine with the HID device 0b00:0072 in the USB port 1-1. */
function machine() {
  const root = mkdtempSync(join(tmpdir(), 'tilld-hid-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const raw = join(root, 'sys/devices/usb1/1-1/1-1:1.0/0003:0B00:0072.0001/hidraw/hidraw0');
  for (const folder of [raw, join(root, 'sys/class/hidraw'), join(root, 'dev')])
    mkdirSync(folder, { recursive: true });
  symlinkSync('../..', join(raw, 'device'));
  symlinkSync(raw, join(root, 'sys/class/hidraw/hidraw0'));
  writeFileSync(join(root, 'sys/devices/usb1/1-1/idVendor'), '0b00\n');
  writeFileSync(join(root, 'sys/devices/usb1/1-1/idProduct'), '0072\n');
  writeFileSync(join(root, 'dev/hidraw0'), '');
  return { sys: join(root, 'sys'), dev: join(root, 'dev') };
}

const terminal = (more: object = {}) =>
  [
    { name: 'Counter 1', link: { type: 'hid', vendor: '0b00', product: '0072', ...more } },
  ] as unknown as Device[];

it('a terminal that is a HID device is found without opening it', async () => {
  const here = machine();
  expect(await hidFindings(terminal({ port: '1-1' }), here, works)).toMatchObject([
    { id: 'port', level: 'ok', what: `Counter 1: ${here.dev}/hidraw0 is there and may be used` },
  ]);
});

it.each([
  ['in another USB port', { port: '1-2' }],
  ['with another serial number', { serial: '80471234' }],
  ['of another product', { product: '0073' }],
])('one that is not plugged in as the configuration says (%s) is missing', async (_, more) => {
  expect(await hidFindings(terminal(more), machine(), works)).toMatchObject([
    { id: 'port', level: 'fail', what: expect.stringContaining('there is no HID device') },
  ]);
});

it('libraries that are missing are named with the command that installs them', async () => {
  const lacks = () => Promise.reject(new Error('the library libusb is missing'));
  expect(await hidFindings(terminal(), machine(), lacks)).toMatchObject([
    {
      level: 'fail',
      what: 'Counter 1: the library libusb is missing',
      fix: expect.stringContaining('apt-get install libusb-1.0-0'),
    },
  ]);
});

it('a shop without such terminals does not load the package', async () => {
  const load = () => Promise.reject(new Error('loaded'));
  expect(await hidFindings([], machine(), load)).toEqual([]);
});
