import { z } from 'zod';
import { isCurrency } from '../../base/money.ts';
import { PaymentStatus } from './records.ts';
import { LIMITS } from './settings.ts';

/** How this service treats fields beyond the interface's own. */
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

/** The bodies of the interface's operations under one set of rules; built once, because building costs more than a parse. */
export function bodiesOf(rules: BodyRules) {
  const named: BodyRules = { ...rules, id: 'unknown' };
  return {
    /** `POST /terminal-payments`. */
    create: object(CREATE_FIELDS, rules),
    /** `POST /terminal-payments/{id}/refund`: without an amount all that is left; the service does not read `after`. */
    refund: object(REFUND_FIELDS, rules),
    /** `POST /terminal-payments/{id}/void`. */
    void: object({}, rules),
    /** `POST /terminal-payments/{id}/result`: the terminal-payment fields of the result. */
    result: object(RESULT_FIELDS, named),
    /** `POST /terminal-payments/{id}/claim`. */
    claim: object({ agent: printable(128) }, named),
    /** An operation without a body. */
    none: object({}, { ...named, metadata: 'unknown' }),
  };
}
export type Bodies = ReturnType<typeof bodiesOf>;
export type ResultBody = z.infer<Bodies['result']>;
/** The creator's own fields, where this service knows them. */
export type OwnFields = Pick<z.infer<Bodies['create']>, 'id' | 'metadata'>;

const BACK_OFFICE_FIELDS = {
  metadata: Metadata.nullish(),
  created_ago_ms: z.int().min(0).max(31_536_000_000).default(0),
};

/** Body of `POST /sandbox/payments`: a payment of the back office; `created_ago_ms` makes it look older. */
export const BackOfficeBody = z.strictObject({ ...CREATE_FIELDS, ...BACK_OFFICE_FIELDS });

/** Body of `POST /sandbox/payments/{id}/refund` and `/void`; a void takes no amount. */
export const BackOfficeRefund = z.strictObject({
  amount_minor: REFUND_FIELDS.amount_minor,
  ...BACK_OFFICE_FIELDS,
});
export const BackOfficeVoid = z.strictObject(BACK_OFFICE_FIELDS);
export type BackOfficeFields = z.infer<typeof BackOfficeVoid>;

/** The creator's own fields: kept for the ledger even when this service ignores them. */
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
