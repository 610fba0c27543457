import { z } from 'zod';
import { CapabilitiesShape } from './terminal-values.ts';

/** The version of the interface between tilld and drivers. */
const API_VERSION = 1;

const hex = z.string().regex(/^[0-9a-f]{4}$/);

/** `tilld` in the `package.json` of a driver package: the driver's manifest as data. It is read without running any code of the package. */
const DriverSection = z.strictObject({
  apiVersion: z.literal(
    API_VERSION,
    `must be ${API_VERSION}: the package was made for another tilld; install the version of the package for this one`,
  ),
  id: z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/),
  name: z.string().min(1).max(64),
  specification: z.string().min(1).max(200),
  transports: z.array(z.enum(['serial', 'tcp', 'hid'])).min(1),
  defaults: z
    .strictObject({
      tcpPort: z.int().min(1).max(65_535).exactOptional(),
      baudRate: z.int().min(300).max(921_600).exactOptional(),
      stopBits: z.literal([1, 2]).exactOptional(),
      heartbeatMs: z.int().min(250).max(600_000).exactOptional(),
    })
    .default({}),
  connection: z.enum(['kept', 'per_exchange']).exactOptional(),
  usbFingerprints: z
    .array(z.strictObject({ vendorId: hex, productId: hex, note: z.string().max(200) }))
    .max(64)
    .exactOptional(),
  minAmountMinor: z.int().min(1).exactOptional(),
  maxAmountMinor: z.int().min(1),
  capabilities: CapabilitiesShape,
});

const PackageJson = z.object({
  type: z.literal('module', 'must be "module": a driver package consists of ES modules'),
  main: z.string().min(1).max(200),
  tilld: DriverSection,
});

export type DriverSection = z.output<typeof DriverSection>;

/** What is read of the `package.json` of a driver package. @throws what is wrong with it */
export function readPackageJson(document: unknown): z.output<typeof PackageJson> {
  const { success, data, error } = PackageJson.safeParse(document);
  if (success) return data;
  const [issue] = error.issues;
  throw new Error(`package.json: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is invalid'}`);
}
