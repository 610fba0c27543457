import type { VirtualDialect } from '../../../src/sandbox/terminal/dialect.ts';
import { Ecr17Firmware } from './virtual-firmware.ts';
import { defaultOptions, type Ecr17VirtualOptions } from './virtual-options.ts';

/** A virtual ECR17 terminal; `changes` are its differences from the usual one. */
export function ecr17Dialect(changes: Partial<Ecr17VirtualOptions> = {}): VirtualDialect {
  const options = { ...defaultOptions, ...changes };
  return {
    protocol: 'ecr17',
    storesDeclined: options.savesKo,
    powerUp: (device) => new Ecr17Firmware(device, options),
  };
}
