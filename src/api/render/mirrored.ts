import type { z } from 'zod';
import { canonicalId } from '../../base/ids.ts';
import type { JsonObject } from '../../integration/connector.ts';
import type { MirrorRow } from '../../integration/views/mirror.ts';
import type { InvoiceHere } from '../../payment/payments.ts';

/** A mirrored row: as the service sent it, without known fields of another type than theirs. */
export function renderMirrored(resource: z.ZodObject, { id, body }: MirrorRow): JsonObject {
  return { ...fitting(resource, body), id: canonicalId(id) };
}

/** A mirrored invoice, and what tilld has taken for it since. */
export function renderInvoice(resource: z.ZodObject, row: MirrorRow, here: InvoiceHere): JsonObject {
  return {
    ...renderMirrored(resource, row),
    open_payment_id: here.openPaymentId,
    paid_here_minor: here.unseenMinor,
  };
}

function fitting({ shape }: z.ZodObject, body: JsonObject): JsonObject {
  const isFitting = ([name, value]: [string, unknown]) => {
    const field: z.core.$ZodType | undefined = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return field === undefined || !('safeParse' in field) || fits(field, value);
  };
  return Object.fromEntries(Object.entries(body).filter(isFitting));
}

function fits(field: object, value: unknown): boolean {
  if (!('safeParse' in field) || typeof field.safeParse !== 'function') return true;
  return field.safeParse(value).success === true;
}
