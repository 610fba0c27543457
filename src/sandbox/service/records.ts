import { z } from 'zod';
import { ApiKeyRecord, KeyEventRecord } from './api-key-records.ts';
import { IntegrationRecord } from './integration-records.ts';

const Instant = z.int();
const Text = z.string().nullable();
const Free = z.record(z.string(), z.unknown());
const Calls = z.object({ applied: z.int(), replayed: z.int(), refused: z.int() }).readonly();
/** Default counts of records stored before refunds and voids existed. */
const Since = Calls.default({ applied: 0, replayed: 0, refused: 0 });

/** A sale, or a refund or void of one. */
export const PaymentType = z.enum(['sale', 'refund', 'void']);
export type PaymentType = z.infer<typeof PaymentType>;

/** States of a terminal payment at the service. */
export const PaymentStatus = z.enum([
  'requested',
  'in_progress',
  'succeeded',
  'declined',
  'cancelled',
  'error',
]);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/** A terminal payment in the ledger. Amounts in minor units, instants in epoch ms of the service's clock. */
export const PaymentRecord = z
  .object({
    id: z.string(),
    type: PaymentType.default('sale'),
    /** The sale that a refund or a void belongs to. */
    parentId: Text.default(null),
    invoiceId: Text,
    deviceId: z.string(),
    status: PaymentStatus,
    amountMinor: z.int(),
    currency: z.string(),
    reference: Text,
    /** Fields of the result, as received. */
    result: z.record(z.string(), Text),
    createdAt: Instant,
    completedAt: Instant.nullable(),
    metadata: Free,
    /** The agent that claimed it. */
    agent: Text,
    /** `client`: over /v2; `back_office`: through the control routes. */
    askedBy: z.enum(['client', 'back_office']),
    /** What the creator sent, even when this service ignores it. */
    asked: z.object({ id: Text, metadata: Free.nullable() }).readonly(),
    /** `refund` and `void` count on the sale that they name. */
    calls: z
      .object({ create: Calls, claim: Calls, result: Calls, cancel: Calls, refund: Since, void: Since })
      .readonly(),
  })
  .readonly();
export type PaymentRecord = z.infer<typeof PaymentRecord>;

/** An event; `data` is the resource as GET returned it then. */
export const EventRecord = z
  .object({ id: z.string(), type: z.string(), created: z.string(), data: Free })
  .readonly();
export type EventRecord = z.infer<typeof EventRecord>;

/** The answer stored for a key. `id` is the `Idempotency-Key` itself. */
export const KeyRecord = z
  .object({
    id: z.string(),
    fingerprint: z.string(),
    requestId: z.string(),
    at: Instant,
    answer: z
      .object({
        status: z.int(),
        body: z.unknown(),
        call: z
          .object({ paymentId: z.string(), kind: z.enum(['create', 'claim', 'result', 'cancel']) })
          .exactOptional(),
      })
      .readonly(),
  })
  .readonly();
export type KeyRecord = z.infer<typeof KeyRecord>;

/** A registered webhook endpoint. */
export const EndpointRecord = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    secret: z.string(),
    /** A disabled endpoint gets no events. */
    status: z.enum(['enabled', 'disabled']).default('enabled'),
    createdAt: Instant,
    /** Null: unchanged since its creation. */
    updatedAt: Instant.nullable().default(null),
  })
  .readonly();
export type EndpointRecord = z.infer<typeof EndpointRecord>;

/** State of a delivery. */
export const DeliveryStatus = z.enum(['pending', 'delivered', 'failed']);

/** The delivery of one event to one endpoint. */
export const DeliveryRecord = z
  .object({
    id: z.string(),
    eventId: z.string(),
    /** Null in records of an earlier release. */
    eventType: Text.default(null),
    endpointId: z.string(),
    status: DeliveryStatus,
    attempts: z.int(),
    createdAt: Instant,
    nextAt: Instant,
    deliveredAt: Instant.nullable().default(null),
    responseStatus: z.int().nullable(),
    lastError: Text,
  })
  .readonly();
export type DeliveryRecord = z.infer<typeof DeliveryRecord>;

/** A resource that a client created, as GET returns it. */
export const ImportedRecord = z.looseObject({ id: z.string(), status: z.string() }).readonly();
export type ImportedRecord = z.infer<typeof ImportedRecord>;

/** A customer that another system reported. `id` is the id in that system. */
export const CustomerRecord = z
  .object({ id: z.string(), serviceId: z.string(), sourceUpdatedAt: Instant, fields: Free })
  .readonly();
export type CustomerRecord = z.infer<typeof CustomerRecord>;

/** The whole ledger as it is written. */
export const LedgerText = z.object({
  format: z.literal(1),
  forgotten: z.int(),
  payments: z.array(PaymentRecord),
  events: z.array(EventRecord),
  keys: z.array(KeyRecord),
  endpoints: z.array(EndpointRecord),
  deliveries: z.array(DeliveryRecord),
  apiKeys: z.array(ApiKeyRecord).default([]),
  keyEvents: z.array(KeyEventRecord).default([]),
  integrations: z.array(IntegrationRecord).default([]),
  invoices: z.array(ImportedRecord).default([]),
  entitlements: z.array(ImportedRecord).default([]),
  customers: z.array(CustomerRecord).default([]),
});
