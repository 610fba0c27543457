import { defineTerminal } from '../../../src/driver-kit/terminal.ts';
import { capabilities, MOST_MINOR, options } from './settings.ts';

/** nexo Retailer, local, JSON over HTTP: the Terminal API of Adyen and of others who build on it. */
export const nexo = defineTerminal({
  id: 'nexo',
  name: 'nexo Retailer (Terminal API, local)',
  apiVersion: 1,
  specification: 'nexo Sale to POI protocol 3.1 as JSON, as published for the Terminal API (local)',
  transports: ['tcp'],
  // No usual port: behind 8443 many other things answer, tilld's own pages too, and a search would take them for terminals.
  defaults: { heartbeatMs: 15_000 },
  connection: 'per_exchange',
  maxAmountMinor: MOST_MINOR,
  capabilities,
  options,
  load: async () => (await import('./driver.ts')).driver,
  loadDecoder: async () => (await import('./decode.ts')).decode,
});
