import { defineProvider } from '../../../src/driver-kit/provider.ts';

/** CSV files that another program writes into a folder. */
export const files = defineProvider({
  id: 'files',
  title: 'CSV files in a folder',
  apiVersion: 1,
  reads: 'files',
  load: async () => (await import('./connector.ts')).driver,
});
