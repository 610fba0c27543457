import { defineProvider } from '../../../src/driver-kit/provider.ts';

/** The shop's terminals as a source: their journals and batch totals, compared with our journal. */
export const terminal = defineProvider({
  id: 'terminal',
  title: 'Terminal journals and totals',
  apiVersion: 1,
  reads: 'terminals',
  load: async () => (await import('./connector.ts')).driver,
});
