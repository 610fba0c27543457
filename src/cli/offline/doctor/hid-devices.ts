import { accessSync, constants } from 'node:fs';
import { messageOf } from '../../../base/errors.ts';
import type { Config } from '../../../config/schema.ts';
import { loadNodeHid } from '../../../transport/hid.ts';
import { type HidFacts, listHidDevices } from '../../../transport/hid-list.ts';
import { OpenPorts } from '../../../transport/open-ports.ts';
import { type CheckResult, fail, ok } from './check-result.ts';
import type { Machine } from './machine.ts';

type Device = Config['devices'][number];
type Hid = Extract<Device['link'], { type: 'hid' }>;

const ID = 'port';
const WHY = 'nothing can be sold through it';

/** Each terminal that is a HID device: it is plugged in, this user may open it, and the package for such devices works. Nothing is opened. */
export async function hidFindings(
  devices: readonly Device[],
  machine: Pick<Machine, 'sys' | 'dev'>,
  load: () => Promise<unknown> = loadNodeHid,
): Promise<readonly CheckResult[]> {
  const wanted = devices.flatMap(({ name, link }) => (link.type === 'hid' ? [{ name, link }] : []));
  if (wanted.length === 0) return [];
  const lack = await load().then(() => null, messageOf);
  const found = await listHidDevices(new OpenPorts(), machine);
  return wanted.map(({ name, link }) =>
    lack === null
      ? deviceFinding(
          name,
          link,
          found.find((one) => isMeant(one, link)),
        )
      : fail(ID, {
          what: `${name}: ${lack}`,
          why: WHY,
          fix: 'sudo apt-get install libusb-1.0-0 libudev1, then: systemctl restart tilld',
        }),
  );
}

function isMeant({ usb, socket, usagePage }: HidFacts, link: Hid): boolean {
  return (
    usb?.vendorId === link.vendor &&
    usb.productId === link.product &&
    (link.serial === undefined || usb.serial === link.serial) &&
    (link.port === undefined || socket?.split(':')[0] === link.port) &&
    (link.usage_page === undefined || usagePage === link.usage_page)
  );
}

function deviceFinding(name: string, link: Hid, found: HidFacts | undefined): CheckResult {
  const ids = `${link.vendor}:${link.product}`;
  if (!found)
    return fail(ID, {
      what: `${name}: there is no HID device ${ids} as the configuration describes it`,
      why: `${WHY}: the cable is out, the terminal is off, or it is in another USB port`,
      fix: `plug it in and switch it on, then: lsusb -d ${ids}`,
    });
  try {
    accessSync(found.path, constants.R_OK | constants.W_OK);
    return ok(ID, `${name}: ${found.path} is there and may be used`);
  } catch {
    return fail(ID, {
      what: `${name}: ${found.path} may not be used by this user`,
      why: WHY,
      fix: `write a udev rule as /usr/lib/udev/rules.d/70-tilld.rules shows for HID devices, then: udevadm control --reload && udevadm trigger`,
    });
  }
}
