import { defineTerminal } from '../../../src/driver-kit/terminal.ts';
import { capabilities, MOST_MINOR, options } from './settings.ts';

/** A made-up protocol as an example: no terminal speaks it. */
export const sample = defineTerminal({
  id: 'sample',
  name: 'sample (made up, for learning)',
  apiVersion: 1,
  specification: 'README.md of this folder',
  transports: ['tcp'],
  defaults: { tcpPort: 9500 },
  connection: 'per_exchange',
  maxAmountMinor: MOST_MINOR,
  capabilities,
  options,
  load: async () => (await import('./driver.ts')).driver,
});
