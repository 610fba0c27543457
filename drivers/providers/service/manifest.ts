import { defineProvider } from '../../../src/driver-kit/provider.ts';

/** The billing service itself as a mirrored source: staff can select an invoice while the shop is offline. */
export const service = defineProvider({
  id: 'service',
  title: 'Billing service',
  apiVersion: 1,
  reads: 'http',
  load: async () => (await import('./connector.ts')).driver,
});
