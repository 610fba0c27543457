import { defineProvider } from '../../../src/driver-kit/provider.ts';

/** Any source with a REST interface, described by a recipe: how it is requested and what its answers mean. */
export const rest = defineProvider({
  id: 'rest',
  title: 'REST interface, by a recipe',
  apiVersion: 1,
  reads: 'http',
  load: async () => (await import('./connector.ts')).driver,
});
