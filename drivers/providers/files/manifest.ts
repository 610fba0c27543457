import { defineProvider } from '../../../src/driver-kit/provider.ts';
import { resourcesOf, settingsSchema } from './settings.ts';

/** CSV files that some other program drops into a folder. */
export const files = defineProvider({
  id: 'files',
  title: 'CSV files in a folder',
  apiVersion: 1,
  settings: settingsSchema,
  resources: resourcesOf,
  load: async () => (await import('./connector.ts')).driver,
});
