import type { VirtualDevice, VirtualDialect } from '../../../src/sandbox/terminal/dialect.ts';
import { ConcertFirmware } from './virtual-firmware.ts';
import { type ConcertVirtualOptions, defaultOptions } from './virtual-options.ts';
import { LastPayment } from './virtual-payment.ts';

/** A virtual Concert terminal; `changes` are its differences from the usual one. */
export function concertDialect(changes: Partial<ConcertVirtualOptions> = {}): VirtualDialect {
  const options = { ...defaultOptions, ...changes };
  const kept = new WeakMap<VirtualDevice['ledger'], LastPayment>();
  return {
    protocol: 'concert',
    storesDeclined: false,
    powerUp: (device) => {
      const last = kept.get(device.ledger) ?? new LastPayment();
      kept.set(device.ledger, last);
      return new ConcertFirmware(device, options, last);
    },
  };
}
