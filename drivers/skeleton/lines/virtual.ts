import type { VirtualDialect } from '../../../src/sandbox/terminal/dialect.ts';
import { SampleFirmware } from '../sample/virtual-firmware.ts';
import { VirtualLine } from './virtual-line.ts';

/** A virtual terminal of this made-up family. */
export function sampleDialect(): VirtualDialect {
  return {
    protocol: 'sample',
    storesDeclined: false,
    powerUp: (device) => new SampleFirmware(device, (wire) => new VirtualLine(wire, device.clock)),
  };
}
