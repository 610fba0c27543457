import type { VirtualDialect } from '../../../src/sandbox/terminal/dialect.ts';
import { LessonFirmware } from './virtual-firmware.ts';
import { VirtualLine } from './virtual-line.ts';

/** A virtual terminal of this made-up family. */
export function lessonDialect(): VirtualDialect {
  return {
    protocol: 'lesson',
    storesDeclined: false,
    powerUp: (device) => new LessonFirmware(device, (wire) => new VirtualLine(wire, device.clock)),
  };
}
