import { defineTerminal, publishedUsbIds } from '../../../src/driver-kit/terminal.ts';
import { capabilities } from './capabilities.ts';
import { options } from './settings.ts';

const NO_RESERVATIONS =
  'has no effect any more, and can be removed: tilld reserves no money. Reserve and book at the terminal itself';

/** ZVT: the cash-register protocol of Germany, Austria and Switzerland. */
export const zvt = defineTerminal({
  id: 'zvt',
  name: 'ZVT',
  apiVersion: 1,
  specification: 'PA00P015 rev. 13.08, PA00P016 rev. 04',
  transports: ['serial', 'tcp'],
  defaults: { tcpPort: 20_007, baudRate: 9600, stopBits: 2 },
  usbFingerprints: [...publishedUsbIds.ingenico, ...publishedUsbIds.verifone, ...publishedUsbIds.pax],
  maxAmountMinor: 999_999_999_999,
  capabilities,
  options,
  withdrawnOptions: {
    preauthorisation: NO_RESERVATIONS,
    'quirks.capture': NO_RESERVATIONS,
  },
  load: async () => (await import('./driver.ts')).driver,
  loadDecoder: async () => (await import('./decode.ts')).decode,
});
