import { z } from 'zod';
import { isLoopbackName } from './loopback-name.ts';

const Printable = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\x20-\x7e]+$/, 'must be printable characters');
const ExternalId = z.string().min(1).max(256);

const CREDENTIALS = {
  apiKey: Printable(512),
  baseUrl: z
    .string()
    .max(2048)
    .refine(isBase, 'must be https (http on loopback only), without a password')
    .optional(),
  appName: z.string().max(100).optional(),
  appEmail: z.string().max(254).includes('@').optional(),
};
const MAPPING = {
  externalId: ExternalId,
  internalId: z.uuid().nullish(),
  ignored: z.boolean().optional(),
  priceOverride: z.int().min(0).nullish(),
};
const MAPPING_METADATA = {
  name: z.string().max(256).optional(),
  type: z.string().max(64).optional(),
  charge_type: z.string().max(64).optional(),
};
const CUSTOMER = {
  external_id: ExternalId,
  source_updated_at: z.iso.datetime({ offset: true }),
  email: z.string().max(254).nullish(),
  name: z.string().max(256).nullish(),
  phone: z.string().max(64).nullish(),
  company_name: z.string().max(256).nullish(),
  metadata: z.record(z.string(), z.unknown()).optional(),
};

/** The bodies of the integration operations and of the customers' batch; `strict`: unknown fields are refused. */
export function integrationBodies(strict: boolean) {
  const object = <T extends z.ZodRawShape>(fields: T) => (strict ? z.strictObject(fields) : z.object(fields));
  const credentials = object(CREDENTIALS);
  const isChange = (body: object) => Object.keys(body).length > 0;
  const mapping = object({ ...MAPPING, metadata: object(MAPPING_METADATA).optional() });
  return {
    none: object({}),
    activate: object({ credentials: credentials.optional() }),
    credentials: object({ credentials }),
    sync: object({ fullResync: z.boolean().optional() }),
    toggle: object({ enabled: z.boolean() }),
    lookback: object({ invoiceLookbackDays: z.int().min(1).max(3650) }),
    policy: object({
      productMappingMode: z
        .string()
        .regex(/^[a-z_]{1,64}$/, 'must be small letters and underscores')
        .optional(),
      requireProductMappings: z.boolean().optional(),
    }).refine(isChange, 'Send productMappingMode, requireProductMappings, or both.'),
    mappings: object({ mappings: z.array(mapping).max(5000) }),
    customers: object({ customers: z.array(object(CUSTOMER)).min(1).max(100) }),
  };
}
export type IntegrationBodies = ReturnType<typeof integrationBodies>;
/** One customer of a batch. */
export type CustomerInput = z.infer<IntegrationBodies['customers']>['customers'][number];

function isBase(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname));
}
