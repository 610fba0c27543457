import { defineProvider } from '../../../src/driver-kit/provider.ts';

/** The terminals of the shop as a source: their journals and the totals of their days, held against our books. */
export const terminal = defineProvider({
  id: 'terminal',
  title: 'Terminal journals and totals',
  apiVersion: 1,
  reads: 'terminals',
  load: async () => (await import('./connector.ts')).driver,
});
