import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BytePipe } from '../../src/sandbox/terminal/byte-pipe.ts';
import { openPty } from '../../src/sandbox/terminal/pty.ts';
import type { DeviceFolders } from '../../src/transport/sysfs.ts';

/** A USB device that shows one serial port. */
export interface UsbDevice {
  readonly vendorId: string;
  readonly productId: string;
  readonly serial: string;
  readonly name: string;
}

/** A cable that is plugged in: a pty behind the names that a kernel and udev give to a USB port. */
export interface Plugged {
  /** `/dev/ttyACM3`, in the folder of this bus. */
  readonly path: string;
  /** The device's side of the cable. */
  readonly pipe: BytePipe;
  /** Pulls the cable: the pty hangs up, then its names go. */
  pull(): Promise<void>;
}

/**
 * A USB bus of ptys: `sys` and `dev` trees in a folder of their own, with the files and links that Linux and udev make.
 * The line, the hang-up and the descriptors are real; only who tells of USB ids is ours.
 */
export class Bus {
  readonly #root = mkdtempSync(join(tmpdir(), 'tilld-bus-'));
  readonly folders: DeviceFolders = { sys: join(this.#root, 'sys'), dev: join(this.#root, 'dev') };

  constructor() {
    for (const folder of ['sys/class/tty', 'dev/char', 'dev/serial/by-id', 'dev/serial/by-path'])
      mkdirSync(join(this.#root, folder), { recursive: true });
  }

  pathOf(number: number): string {
    return join(this.folders.dev, `ttyACM${number}`);
  }

  /** The name under `/dev/serial/by-id`. */
  stableName({ name, serial }: UsbDevice): string {
    return join(this.folders.dev, 'serial/by-id', `usb-${name.replaceAll(' ', '_')}_${serial}-if00`);
  }

  /** The name under `/dev/serial/by-path` of what is plugged into a socket. */
  placeName(socket: number): string {
    return join(this.folders.dev, `serial/by-path/pci-0000:00:14.0-usb-0:${socket}:1.0`);
  }

  /** `socket`: the USB port `1-SOCKET`. Of two devices with the same serial number the last one has the stable name, as with udev. */
  async plugIn(device: UsbDevice, number: number, socket = number): Promise<Plugged> {
    const pty = await openPty();
    const path = this.pathOf(number);
    const usb = this.#hardware(device, number, socket);
    symlinkSync(pty.path, path);
    rmSync(this.stableName(device), { force: true });
    symlinkSync(path, this.stableName(device));
    symlinkSync(path, this.placeName(socket));
    const inClass = join(this.folders.sys, 'class/tty', `ttyACM${number}`);
    symlinkSync(join(usb, `1-${socket}:1.0`, 'tty', `ttyACM${number}`), inClass);
    // As udev does last: whoever waits for a port wakes up here.
    const char = join(this.folders.dev, 'char', `166:${number}`);
    symlinkSync(path, char);
    const names = [char, this.stableName(device), this.placeName(socket), path, inClass, usb];
    const pull = async () => {
      const hungUp = pty.pipe.close();
      for (const name of names) rmSync(name, { recursive: true, force: true });
      await hungUp;
    };
    return { path, pipe: pty.pipe, pull };
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** The folder of a USB device in sysfs. */
  #hardware({ vendorId, productId, serial, name }: UsbDevice, number: number, socket: number): string {
    const usb = join(this.folders.sys, `devices/pci0000:00/usb1/1-${socket}`);
    const tty = join(usb, `1-${socket}:1.0`, 'tty', `ttyACM${number}`);
    mkdirSync(tty, { recursive: true });
    symlinkSync('../..', join(tty, 'device'));
    const facts = { idVendor: vendorId, idProduct: productId, serial, product: name };
    for (const [file, text] of Object.entries(facts)) writeFileSync(join(usb, file), `${text}\n`);
    return usb;
  }
}
