import { defineTerminal } from '../../../src/driver-kit/terminal.ts';
import { capabilities, MOST_MINOR, options } from './settings.ts';

/** ECR17 ("Protocollo 17"): the cash-register protocol of Italian terminals, as Nexi publishes it. */
export const ecr17 = defineTerminal({
  id: 'ecr17',
  name: 'ECR17',
  apiVersion: 1,
  specification: 'Nexi group developer portal, Traditional POS (2026-05)',
  transports: ['tcp'],
  defaults: { tcpPort: 10_000, heartbeatMs: 60_000 },
  connection: 'per_exchange',
  maxAmountMinor: MOST_MINOR,
  capabilities,
  options,
  load: async () => (await import('./driver.ts')).driver,
  loadDecoder: async () => (await import('./decode.ts')).decode,
});
