import { z } from 'zod';
import { isCurrency } from '../../base/money.ts';
import { PaymentStatus } from './records.ts';
import { LIMITS } from './settings.ts';

/** What this service knows of a body beyond the interface's own fields. */
export interface BodyRules {
  /** `unknown`: ignored, or refused where the service is strict. */
  readonly id: 'honoured' | 'ignored' | 'unknown';
  readonly metadata: 'kept' | 'unknown';
  readonly strict: boolean;
}

const Metadata = z
  .record(z.string(), z.unknown())
  .refine(isSmall, `must be at most ${LIMITS.metadata} characters of JSON`);

const CREATE_FIELDS = {
  device_id: z.uuid().toLowerCase(),
  amount_minor: z.int().positive(),
  currency: z.string().refine(isCurrency, 'must be an ISO 4217 code'),
  invoice_id: z.uuid().toLowerCase().nullish(),
  reference: printable(64).nullish(),
};

const RESULT_FIELDS = {
  status: PaymentStatus.exclude(['requested']),
  terminal_serial: printable(64).nullish(),
  uti: printable(64).nullish(),
  auth_code: printable(32).nullish(),
  response_code: printable(32).nullish(),
  rrn: printable(32).nullish(),
  card_scheme: printable(64).nullish(),
  masked_pan: printable(32)
    .refine(isTruncated, 'must not hold more than ten digits of a card number')
    .nullish(),
  entry_mode: printable(32).nullish(),
  error_message: printable(500).nullish(),
  completed_at: z.iso.datetime({ offset: true }).nullish(),
};

const REFUND_FIELDS = { amount_minor: z.int().positive().nullish(), after: z.uuid().nullish() };

/** The bodies of the interface's operations under one set of rules; to build them costs more than many a parse. */
export function bodiesOf(rules: BodyRules) {
  const named: BodyRules = { ...rules, id: 'unknown' };
  return {
    /** `POST /terminal-payments`. */
    create: object(CREATE_FIELDS, rules),
    /** `POST /terminal-payments/{id}/refund`: without an amount all that is left; `after` is read by nobody here. */
    refund: object(REFUND_FIELDS, rules),
    /** `POST /terminal-payments/{id}/void`. */
    void: object({}, rules),
    /** `POST /terminal-payments/{id}/result`: the terminal-payment fields of the outcome. */
    result: object(RESULT_FIELDS, named),
    /** `POST /terminal-payments/{id}/claim`. */
    claim: object({ agent: printable(128) }, named),
    /** An operation that has none. */
    none: object({}, { ...named, metadata: 'unknown' }),
  };
}
export type Bodies = ReturnType<typeof bodiesOf>;
export type ResultBody = z.infer<Bodies['result']>;
/** What a creator may send of its own, where this service knows it. */
export type OwnFields = Pick<z.infer<Bodies['create']>, 'id' | 'metadata'>;

const BACK_OFFICE_FIELDS = {
  metadata: Metadata.nullish(),
  created_ago_ms: z.int().min(0).max(31_536_000_000).default(0),
};

/** Body of `POST /sandbox/payments`: a payment by the back office, made to look older when asked. */
export const BackOfficeBody = z.strictObject({ ...CREATE_FIELDS, ...BACK_OFFICE_FIELDS });

/** Body of `POST /sandbox/payments/{id}/refund` and `/void`; a void has no amount of its own. */
export const BackOfficeRefund = z.strictObject({
  amount_minor: REFUND_FIELDS.amount_minor,
  ...BACK_OFFICE_FIELDS,
});
export const BackOfficeVoid = z.strictObject(BACK_OFFICE_FIELDS);
export type BackOfficeFields = z.infer<typeof BackOfficeVoid>;

/** What a creator sent of its own: kept for the ledger also when this service ignores it. */
export const Asked = z.object({
  id: z.string().max(64).nullable().catch(null),
  metadata: Metadata.nullable().catch(null),
});

function object<T extends z.ZodRawShape>(fields: T, rules: BodyRules) {
  const ignored = z.unknown().transform((): undefined => undefined);
  const unknown = rules.strict ? z.never('is not a field this service knows') : ignored;
  const id = {
    honoured: z.uuid().toLowerCase().nullish(),
    ignored: ignored.optional(),
    unknown: unknown.optional(),
  };
  const metadata = { kept: Metadata.nullish(), unknown: unknown.optional() };
  const shape = { ...fields, id: id[rules.id], metadata: metadata[rules.metadata] };
  return rules.strict ? z.strictObject(shape) : z.object(shape);
}

function printable(longest: number) {
  return z
    .string()
    .min(1)
    .max(longest)
    .regex(/^\P{C}+$/u, 'must hold printable characters only');
}

function isTruncated(text: string): boolean {
  return text.replace(/\D/g, '').length <= 10;
}

function isSmall(value: unknown): boolean {
  try {
    return JSON.stringify(value).length <= LIMITS.metadata;
  } catch {
    return false;
  }
}
