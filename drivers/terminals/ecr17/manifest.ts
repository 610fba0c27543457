import { defineTerminal, publishedUsbIds } from '../../../src/driver-kit/terminal.ts';
import { capabilities, MOST_MINOR, options } from './settings.ts';

/** ECR17 ("Protocollo 17"): the cash-register protocol of Italian terminals, as Nexi publishes it. */
export const ecr17 = defineTerminal({
  id: 'ecr17',
  name: 'ECR17',
  apiVersion: 1,
  specification: 'Nexi group developer portal, Traditional POS (2026-05)',
  transports: ['serial', 'tcp'],
  // Of the line nothing is published (?): the usual one of such terminals. A USB port has no rate.
  defaults: { tcpPort: 10_000, baudRate: 9600, stopBits: 1, heartbeatMs: 60_000 },
  connection: 'per_exchange',
  usbFingerprints: [
    ...publishedUsbIds.ingenico,
    ...publishedUsbIds.verifone,
    ...publishedUsbIds.pax,
    ...publishedUsbIds.castles,
  ],
  maxAmountMinor: MOST_MINOR,
  capabilities,
  options,
  load: async () => (await import('./driver.ts')).driver,
  loadDecoder: async () => (await import('./decode.ts')).decode,
});
