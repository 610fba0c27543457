import { defineTerminal, publishedUsbIds } from '../../../src/driver-kit/terminal.ts';
import { capabilities, MOST_MINOR, options } from './settings.ts';

/** Concert / Caisse-AP: the cash-register protocol of France, in both of its formats. */
export const concert = defineTerminal({
  id: 'concert',
  name: 'Concert / Caisse-AP',
  apiVersion: 1,
  specification:
    'Association du Paiement: Concert V2 (E+), Caisse-AP 3.00 to 3.20, as published by implementers',
  transports: ['serial', 'tcp'],
  defaults: { tcpPort: 8888, baudRate: 9600, stopBits: 1, heartbeatMs: 15_000 },
  connection: 'per_exchange',
  usbFingerprints: [...publishedUsbIds.ingenico, ...publishedUsbIds.verifone, ...publishedUsbIds.pax],
  maxAmountMinor: MOST_MINOR,
  capabilities,
  options,
  withdrawnOptions: {
    void: 'has no effect any more, and can be removed: a cancellation of Concert names no payment, so tilld sends none. Refund the payment instead',
  },
  load: async () => (await import('./driver.ts')).driver,
  loadDecoder: async () => (await import('./decode.ts')).decode,
});
