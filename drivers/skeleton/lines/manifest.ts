import { defineTerminal } from '../../../src/driver-kit/terminal.ts';
import { capabilities, MOST_MINOR, options } from '../sample/settings.ts';

/** A made-up protocol as an example: no terminal speaks it. */
export const sample = defineTerminal({
  id: 'sample',
  name: 'sample (made up, for learning)',
  apiVersion: 1,
  specification: 'README.md of this folder',
  transports: ['serial', 'tcp'],
  defaults: { tcpPort: 9500, baudRate: 9600, stopBits: 1 },
  maxAmountMinor: MOST_MINOR,
  capabilities,
  options,
  load: async () => (await import('./driver.ts')).driver,
  loadDecoder: async () => (await import('./decode.ts')).decode,
});
