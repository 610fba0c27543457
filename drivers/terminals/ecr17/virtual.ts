import type { VirtualDevice, VirtualDialect } from '../../../src/sandbox/terminal/dialect.ts';
import { Ecr17Firmware } from './virtual-firmware.ts';
import { defaultOptions, type Ecr17VirtualOptions } from './virtual-options.ts';

/** A virtual ECR17 terminal; `changes` are its differences from the usual one. */
export function ecr17Dialect(changes: Partial<Ecr17VirtualOptions> = {}): VirtualDialect {
  const options = { ...defaultOptions, ...changes };
  const kept = new WeakMap<VirtualDevice['ledger'], Set<number>>();
  return {
    protocol: 'ecr17',
    storesDeclined: options.savesKo,
    powerUp: (device) => {
      const paidWithP = kept.get(device.ledger) ?? new Set();
      kept.set(device.ledger, paidWithP);
      return new Ecr17Firmware(device, options, paidWithP);
    },
  };
}
