import { z } from 'zod';
import { canonicalId } from '../../base/ids.ts';
import type { Attempt } from '../../payment/attempt/attempt.ts';
import type { AttemptSearch, PublicStatus } from '../../payment/payments.ts';

/** Payments of one step. */
export const MOST_READ = 250;
const COLUMNS = `seq, created_at AS createdAt, completed_at AS completedAt, amount_minor AS amountMinor, currency, type, status, state,
  device_id AS deviceId, invoice_id AS invoiceId, reference, detail ->> '$.report.maskedPan' AS maskedPan,
  detail ->> '$.report.number' AS receiptNumber, detail ->> '$.report.amountMinor' AS reportedMinor`;
/** The next payments in their order. */
export const FACTS_BEHIND = `SELECT ${COLUMNS} FROM attempts WHERE seq > CAST(? AS INTEGER) ORDER BY seq LIMIT ${MOST_READ}`;
/** Of a JSON list of rows. */
export const FACTS_OF = `SELECT ${COLUMNS} FROM attempts WHERE seq IN (SELECT value FROM json_each(CAST(? AS TEXT)))`;

export const TYPES = ['sale', 'refund', 'void'] as const;
export const STATUSES = [
  'requested',
  'in_progress',
  'succeeded',
  'declined',
  'cancelled',
  'error',
] as const satisfies PublicStatus[];

/** The columns of a payment by which it is found. */
export const FactsRow = z.object({
  seq: z.int(),
  createdAt: z.int(),
  completedAt: z.int().nullable(),
  amountMinor: z.int(),
  currency: z.string(),
  type: z.enum(TYPES),
  status: z.enum(STATUSES),
  state: z.string(),
  deviceId: z.string(),
  invoiceId: z.string().nullable(),
  reference: z.string().nullable(),
  maskedPan: z.string().nullable(),
  receiptNumber: z.union([z.string(), z.number()]).nullable(),
  reportedMinor: z.int().nullable(),
});
export type FactsRow = z.infer<typeof FactsRow>;

/** The last four digits of a card; null where the terminal shows fewer. */
export function lastFourOf(maskedPan: string | null): string | null {
  return maskedPan === null ? null : (/\d{4}$/.exec(maskedPan)?.[0] ?? null);
}

/** The texts by which a payment is found, each in the one form that is compared; null: it has none. */
export interface SearchTexts {
  readonly receiptNumber: string | null;
  readonly reference: string | null;
  readonly invoiceId: string | null;
}

/** A terminal reports `0042` and prints `42`; a person does not know which letters of a reference are capital. */
export function textsOf({
  receiptNumber,
  reference,
  invoiceId,
}: {
  readonly [Name in keyof SearchTexts]?: string | number | null | undefined;
}): SearchTexts {
  return {
    receiptNumber: formOf(receiptNumber, (text) => text.replace(/^0+(?=\d+$)/, '')),
    reference: formOf(reference, (text) => text),
    invoiceId: formOf(invoiceId, canonicalId),
  };
}

/** Whether every text of a search is that of the payment. */
export function hasTexts(attempt: Attempt, search: AttemptSearch): boolean {
  const { report, reference, invoiceId } = attempt;
  const own = textsOf({ receiptNumber: report?.number, reference, invoiceId });
  const wanted = textsOf(search);
  const isWhole = (['receiptNumber', 'reference', 'invoiceId'] as const).every(
    (name) => wanted[name] === null || wanted[name] === own[name],
  );
  return isWhole && (search.part === undefined || isPartOf(search.part, own));
}

function isPartOf({ text, invoiceIds }: NonNullable<AttemptSearch['part']>, own: SearchTexts): boolean {
  const wanted = textsOf({ reference: text }).reference ?? '';
  return (
    own.reference?.includes(wanted) === true ||
    invoiceIds.some((id) => textsOf({ invoiceId: id }).invoiceId === own.invoiceId)
  );
}

function formOf(text: string | number | null | undefined, form: (text: string) => string): string | null {
  return text === null || text === undefined ? null : form(String(text).trim()).toLowerCase();
}
