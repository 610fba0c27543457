import type { VirtualDialect } from '../../../src/sandbox/terminal/dialect.ts';
import { ZvtFirmware } from './virtual-firmware.ts';
import { defaultOptions, type ZvtVirtualOptions } from './virtual-options.ts';

/**
 * A virtual ZVT terminal; `changes` are its differences from the usual one.
 * @see PA00P015 rev. 13.08 (commands), PA00P016 rev. 04 (transport)
 */
export function zvtDialect(changes: Partial<ZvtVirtualOptions> = {}): VirtualDialect {
  const options = { ...defaultOptions, ...changes };
  return {
    protocol: 'zvt',
    storesDeclined: options.storesDeclined,
    powerUp: (device) => new ZvtFirmware(device, options),
  };
}

/** The ZVT side of a virtual terminal: raw packets over TCP, framed ones over serial. */
export const virtualZvt: VirtualDialect = zvtDialect();
