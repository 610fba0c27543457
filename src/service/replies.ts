import { z } from 'zod';
import type { RefundOrVoid } from '../outbox/report-port.ts';
import type { ReportBody } from '../outbox/reports.ts';
import { InvoiceReply, ListReply, PaymentStatus, type ServiceInvoice, ServicePayment } from './contract.ts';

/** The schema of a 2xx; a body that does not fit it is not the service's answer to the request. */
export type Reply<T> = z.ZodType<T>;

/** A payment that the service shows by itself: unknown fields stay, its status is one of the contract. */
const ShownPayment = ServicePayment.extend({ status: PaymentStatus });
export type ShownPayment = z.infer<typeof ShownPayment>;
const PaymentReply = z.looseObject({ data: ShownPayment }).transform(({ data }) => data);

/** A page of a list. `unreadable` counts the items that could not be read. */
export interface ReadPage<T> {
  readonly items: readonly T[];
  readonly unreadable: number;
  readonly hasMore: boolean;
}

/** `{data: payment}` of exactly this payment. */
export function paymentReply(id: string): Reply<ShownPayment> {
  return paymentThat((payment) => isSame(payment.id, id), 'another payment than the one that was asked for');
}

/** The claimed payment, no longer `requested`; an agent that it names is this one. */
export function claimReply(id: string, agent: string): Reply<ShownPayment> {
  return paymentThat((payment) => {
    const holder = Holder.safeParse(payment).data?.agent ?? agent;
    return isSame(payment.id, id) && payment.status !== 'requested' && holder === agent;
  }, 'not this payment, claimed by this agent');
}

/** The created sale: tilld's id, or its echo in the metadata under an id of the service's own. */
export function saleReply(asked: ReportBody): Reply<ShownPayment> {
  return paymentThat(
    (payment) => isKind(payment, 'sale') && isCreated(payment, asked, isSameSale),
    'not the payment that was created',
  );
}

/** The created refund or void below one of `parentIds`, never the sale itself. */
export function refundOrVoidReply(
  type: RefundOrVoid,
  asked: ReportBody,
  parentIds: readonly string[],
): Reply<ShownPayment> {
  const isSameRequest = (payment: ShownPayment) =>
    payment.type === type && parentIds.some((id) => isSame(payment.parent_id, id));
  return paymentThat(
    (payment) =>
      isKind(payment, type) &&
      !parentIds.some((id) => isSame(payment.id, id)) &&
      isCreated(payment, asked, isSameRequest),
    `not the ${type} that was created`,
  );
}

/** A list; items are parsed one by one, so that an unreadable one hides no other. */
export function listReply<T extends z.ZodType>(item: T): Reply<ReadPage<z.infer<T>>> {
  return ListReply.transform(({ data, has_more, pagination }) => {
    const parsed = data.map((one) => item.safeParse(one));
    const items = parsed.flatMap((one) => (one.success ? [one.data] : []));
    const hasMore = has_more ?? pagination?.hasMore ?? false;
    return { items, unreadable: parsed.length - items.length, hasMore };
  });
}

/** Exactly this invoice, by itself or as `{data}`. */
export function invoiceReply(id: string): Reply<ServiceInvoice> {
  const message = 'another invoice than the one that was asked for';
  return meant(InvoiceReply, (invoice) => isSame(invoice.id, id), { path: ['data', 'id'], message });
}

/** `{data: {id, …}}` of exactly this resource; without an id: of one that the service has just created. */
export function resourceReply(id?: string): Reply<z.infer<typeof Resource>> {
  const message = 'another resource than the one that was asked for';
  const isMeant = ({ data }: z.infer<typeof Resource>) => id === undefined || isSame(data.id, id);
  return meant(Resource, isMeant, { path: ['data', 'id'], message });
}

const Resource = z.looseObject({ data: z.looseObject({ id: z.string().min(1).max(200) }) });
const Holder = z.looseObject({ agent: z.string().nullish() });
const Echo = z.looseObject({ tilld: z.looseObject({ attempt: z.string() }) });

function paymentThat(isMeant: (payment: ShownPayment) => boolean, message: string): Reply<ShownPayment> {
  return meant(PaymentReply, isMeant, { path: ['data'], message });
}

/** A transformation, not a refinement, which is a schema anew: zod compiles each when it first parses, and that takes longer than all else here. */
function meant<T>(
  reply: Reply<T>,
  isMeant: (value: T) => boolean,
  issue: { readonly path: string[]; readonly message: string },
): Reply<T> {
  return reply.transform((value, { issues }) => {
    if (!isMeant(value)) issues.push({ code: 'custom', input: value, ...issue });
    return value;
  });
}

/** tilld's echo decides. Where a service keeps no metadata and gives an id of its own, the payment's fields decide. */
function isCreated(
  payment: ShownPayment,
  asked: ReportBody,
  isSameRequest: (payment: ShownPayment, asked: ReportBody) => boolean,
): boolean {
  const echo = attemptIn(payment.metadata);
  if (echo !== null) return isSame(echo, attemptIn(asked['metadata']) ?? String(asked['id']));
  return isSame(payment.id, String(asked['id'])) || isSameRequest(payment, asked);
}

function isSameSale({ device_id, amount_minor, currency }: ShownPayment, asked: ReportBody): boolean {
  return (
    isSame(device_id, String(asked['device_id'])) &&
    amount_minor === asked['amount_minor'] &&
    currency === asked['currency']
  );
}

/** The kind may be absent; it may not be another one. */
function isKind({ type }: ShownPayment, asked: 'sale' | RefundOrVoid): boolean {
  return (type ?? asked) === asked;
}

function attemptIn(metadata: unknown): string | null {
  return Echo.safeParse(metadata).data?.tilld.attempt ?? null;
}

/** UUIDs are equal in upper and lower case. */
function isSame(shown: string | null | undefined, asked: string): boolean {
  return shown?.toLowerCase() === asked.toLowerCase();
}
