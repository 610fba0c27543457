import { defineTerminal } from '../../../src/driver-kit/terminal.ts';
import { capabilities, LEAST_MINOR, MOST_MINOR, options } from './settings.ts';

/** Transbank POS Integrado: card terminals of Chile on a serial line or a USB cable. */
export const transbank = defineTerminal({
  id: 'transbank',
  name: 'Transbank POS Integrado',
  apiVersion: 1,
  specification: 'transbankdevelopers.cl/referencia/posintegrado, as of commit daa8ed2 of its source',
  transports: ['serial'],
  defaults: { baudRate: 115_200, stopBits: 1 },
  usbFingerprints: [
    { vendorId: '11ca', productId: '0222', note: 'Verifone VX520c; the maker of the protocol looks for it' },
    {
      vendorId: '0b00',
      productId: '0054',
      note: 'Ingenico Desk/3500; the maker of the protocol looks for it',
    },
  ],
  minAmountMinor: LEAST_MINOR,
  maxAmountMinor: MOST_MINOR,
  capabilities,
  options,
  load: async () => (await import('./driver.ts')).driver,
  loadDecoder: async () => (await import('./decode.ts')).decode,
});
