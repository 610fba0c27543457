import { z } from 'zod';
import { TruncatedCardNumber } from '../../base/card-number.ts';
import { canonicalId } from '../../base/ids.ts';
import { invariant } from '../../base/invariant.ts';
import { isCurrency } from '../../base/money.ts';
import type { Trace } from '../../base/trace.ts';
import type {
  Attempt,
  Baseline,
  Cause,
  ElapsedInstants,
  Evidence,
  Reason,
} from '../../payment/attempt/attempt.ts';
import { type AttemptState, chargedOf, publicStatus } from '../../payment/attempt/state-machine.ts';
import type { Settlement } from '../../payment/batch/settlement.ts';
import type { AttemptView, EventSubject } from '../../payment/payments.ts';
import type { OriginalTransaction, Receipts, TransactionReport } from '../../terminal/ports.ts';
import { decodeAgain, encodeOnce } from './attempt-codec.ts';

const integer = z.int();
const optional = <T extends z.ZodType>(schema: T) => schema.nullable();

/** A row of `attempts` as SQLite returns it. */
const Row = z.object({
  id: z.string(),
  type: z.enum(['sale', 'refund', 'void']),
  parent_id: optional(z.string()),
  device_id: z.string(),
  amount_minor: integer,
  currency: z.string(),
  invoice_id: optional(z.string()),
  reference: optional(z.string()),
  origin: z.enum(['local', 'service']),
  caller: z.string(),
  after_id: optional(z.string()),
  /** Absent in a row of an older version, which is read when damaged books are saved. */
  retry_of: z.string().nullish(),
  created_at: integer,
  expires_at: integer,
  version: integer,
  dispatched_at: optional(integer),
  in_doubt_since: optional(integer),
  cancel_requested_at: optional(integer),
  completed_at: optional(integer),
  completed_elapsed: optional(integer),
  released_at: optional(integer),
  needs_person: integer,
  corrects: optional(z.string()),
  ticket: optional(z.string()),
  detail: z.string(),
});

/** Columns that only tilld writes and reads: JSON of its own types, with repeated content once. A null field is left out. */
interface Detail {
  readonly state: AttemptState;
  readonly cause?: Cause | null;
  readonly original?: OriginalTransaction | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly mark?: Baseline | null;
  readonly report?: TransactionReport | null;
  readonly receipts: Receipts;
  readonly reason?: Reason | null;
  readonly evidence?: Evidence | null;
  readonly settledAt?: number | null;
  /** Payments of older releases have none. */
  readonly elapsed?: ElapsedInstants;
  readonly trace?: Trace | null;
  readonly invoiceUnasked?: true | null;
}

/** The request, which never changes. In the order of {@link askedValues}. */
export const ASKED_COLUMNS = [
  'id',
  'type',
  'parent_id',
  'device_id',
  'amount_minor',
  'currency',
  'invoice_id',
  'reference',
  'origin',
  'caller',
  'after_id',
  'created_at',
  'expires_at',
  'corrects',
  'retry_of',
] as const;

/** The progress and result, in the order of {@link becameValues}. */
export const BECAME_COLUMNS = [
  'state',
  'status',
  'version',
  'dispatched_at',
  'in_doubt_since',
  'cancel_requested_at',
  'completed_at',
  'completed_elapsed',
  'released_at',
  'needs_person',
  'batch',
  'day',
  'ticket',
  'detail',
] as const;

const NEVER: ElapsedInstants = { dispatched: null, inDoubt: null, completed: null };

/** An attempt as values of {@link ASKED_COLUMNS}. */
export function askedValues(attempt: Attempt): readonly unknown[] {
  const { origin } = attempt;
  return [
    attempt.id,
    attempt.type,
    attempt.parentId,
    attempt.deviceId,
    attempt.amount.minor,
    attempt.amount.currency,
    attempt.invoiceId,
    attempt.reference,
    origin.kind,
    origin.kind === 'local' ? origin.caller : origin.serviceId,
    attempt.after,
    attempt.createdAt,
    attempt.expiresAt,
    attempt.corrects,
    attempt.retryOf ?? null,
  ];
}

/** An attempt as values of {@link BECAME_COLUMNS}. */
export function becameValues(attempt: Attempt): readonly unknown[] {
  const { state } = attempt;
  return [
    state.name,
    publicStatus(state),
    attempt.version,
    attempt.dispatchedAt,
    attempt.inDoubtSince,
    attempt.cancelRequestedAt,
    attempt.completedAt,
    attempt.elapsed.completed,
    attempt.releasedAt,
    attempt.needsPerson ? 1 : 0,
    attempt.baseline?.batch ?? null,
    attempt.baseline?.day ?? null,
    attempt.ticket,
    detailText(attempt),
  ];
}

/** Reads a row: card numbers become the type that can only hold a truncated one, ids of an older release become canonical. */
export function attemptOf(raw: unknown): Attempt {
  const row = Row.parse(raw);
  const { currency } = row;
  invariant(isCurrency(currency), 'a stored currency is known', { currency });
  const detail = parseDetail(row.detail);
  return {
    id: row.id,
    type: row.type,
    parentId: row.parent_id,
    corrects: row.corrects,
    cause: detail.cause ?? null,
    original: detail.original ?? null,
    deviceId: canonicalId(row.device_id),
    amount: { minor: row.amount_minor, currency },
    invoiceId: row.invoice_id === null ? null : canonicalId(row.invoice_id),
    reference: row.reference,
    metadata: detail.metadata,
    origin:
      row.origin === 'local'
        ? { kind: 'local', caller: row.caller }
        : { kind: 'service', serviceId: canonicalId(row.caller) },
    trace: detail.trace ?? null,
    ...(detail.invoiceUnasked ? { invoiceUnasked: true } : {}),
    after: row.after_id,
    ...(row.retry_of ? { retryOf: row.retry_of } : {}),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    state: detail.state,
    version: row.version,
    dispatchedAt: row.dispatched_at,
    inDoubtSince: row.in_doubt_since,
    cancelRequestedAt: row.cancel_requested_at,
    completedAt: row.completed_at,
    elapsed: { ...NEVER, ...detail.elapsed, completed: row.completed_elapsed },
    releasedAt: row.released_at,
    needsPerson: row.needs_person === 1,
    baseline: detail.mark ?? null,
    ticket: row.ticket,
    report: detail.report ?? null,
    receipts: detail.receipts,
    reason: detail.reason ?? null,
    evidence: detail.evidence ?? null,
    settledAt: detail.settledAt ?? null,
  };
}

/** The content of an event, as JSON. */
export function snapshotText(subject: EventSubject): string {
  if (subject.kind === 'settlement') return JSON.stringify({ settlement: subject.settlement });
  const { progress: _, ...view } = subject.view;
  return JSON.stringify({ ...view, attempt: encodeOnce(view.attempt) });
}

/** Reads {@link snapshotText} back; releases before the first refund wrote only the attempt and the reported state. */
export function snapshotOf(text: string): EventSubject {
  const snapshot = parseStored(text) as Snapshot;
  if ('settlement' in snapshot) return { kind: 'settlement', settlement: snapshot.settlement };
  const { attempt } = snapshot;
  decodeAgain(attempt);
  const newer = {
    charged: chargedOf(attempt.state),
    refusedBecause: null,
    correctedBy: null,
    // Earlier releases recorded it only by this.
    correctsType:
      attempt.corrects !== null && attempt.corrects === attempt.parentId ? ('sale' as const) : null,
    refundedMinor: 0,
    refundingMinor: 0,
    tasks: [],
  };
  const older = { corrects: null, cause: null, original: null, ticket: null, trace: null, elapsed: NEVER };
  return {
    kind: 'payment',
    view: { ...newer, ...snapshot, attempt: { ...older, ...attempt }, progress: null },
  };
}

type Snapshot =
  | { readonly settlement: Settlement }
  | (Pick<AttemptView, 'attempt' | 'reported'> & Partial<AttemptView>);

function detailText(attempt: Attempt): string {
  const { state, cause, original, metadata, baseline, report, receipts, reason, evidence, settledAt } =
    attempt;
  const { trace, elapsed, invoiceUnasked = null } = attempt;
  const detail = {
    state,
    cause,
    original,
    metadata,
    mark: baseline,
    report,
    receipts,
    reason,
    evidence,
    settledAt,
    trace,
    elapsed,
    invoiceUnasked,
  };
  const entries = Object.entries(encodeOnce(detail satisfies Detail)).filter(([, value]) => value !== null);
  return JSON.stringify(Object.fromEntries(entries));
}

function parseDetail(text: string): Detail {
  const detail = parseStored(text) as Detail;
  decodeAgain(detail);
  return detail;
}

/** JSON in which card numbers become their type again; this walk costs a fifth of a reviver of `JSON.parse`. */
function parseStored(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (text.includes('"maskedPan"')) reviveCardNumbers(value);
  return value;
}

function reviveCardNumbers(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const name of Object.keys(value)) {
    const inner: unknown = Reflect.get(value, name);
    if (name !== 'maskedPan' || typeof inner !== 'string') {
      reviveCardNumbers(inner);
      continue;
    }
    const truncated = TruncatedCardNumber.of(inner);
    if (truncated) Reflect.set(value, name, truncated);
    else Reflect.deleteProperty(value, name);
  }
}
