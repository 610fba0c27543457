import { z } from 'zod';

/** A journal row as the database stores it, without its hash. */
export interface ChainedRow {
  readonly attempt_id: string;
  readonly at: number;
  readonly event: string;
  readonly from_state: string;
  readonly to_state: string;
  readonly details: string;
}

/** A row as it was found: its readable parts, and what is wrong with the row itself, in words. */
export type ReadRow =
  | {
      readonly kind: 'row';
      readonly seq: number;
      readonly attemptId: string;
      readonly row: ChainedRow;
      readonly hash: string;
      /** The text contains the replacement character for invalid bytes: only the bytes show whether it was written like that. */
      readonly mayHide: boolean;
    }
  | {
      readonly kind: 'damaged';
      readonly seq: number | null;
      readonly attemptId: string | null;
      readonly what: string;
    };

/** The columns that {@link readRow} needs. */
export const JOURNAL_COLUMNS = 'seq, attempt_id, at, event, from_state, to_state, details, hash';
/** The details of one row as bytes, for {@link isText}. */
export const DETAILS_AS_BYTES = 'SELECT CAST(details AS BLOB) AS bytes FROM journal WHERE seq = ?';

const HASH = /^[0-9a-f]{64}$/;

/** A strict table checks types on write, never on read. */
const Row = z.object({
  seq: z.int(),
  attempt_id: z.string(),
  at: z.int(),
  event: z.string(),
  from_state: z.string(),
  to_state: z.string(),
  details: z.string(),
  hash: z.string().regex(HASH),
});
type Row = z.output<typeof Row>;
const Known = z
  .object({
    seq: z.int().nullable().catch(null),
    attempt_id: z.string().nullable().catch(null),
  })
  .catch({ seq: null, attempt_id: null });
const Bytes = z.object({ bytes: z.instanceof(Uint8Array) });
const STAND_IN = '\uFFFD';

/** Reads a row of {@link JOURNAL_COLUMNS}; never throws. */
export function readRow(raw: unknown): ReadRow {
  if (isRow(raw)) return asRead(raw);
  const parsed = Row.safeParse(raw);
  if (parsed.success) return asRead(parsed.data);
  const { seq, attempt_id } = Known.parse(raw);
  return { kind: 'damaged', seq, attemptId: attempt_id, what: flawsOf(parsed.error) };
}

/** The same check as {@link Row}, at a fifth of the cost: the doctor reads hundreds of thousands of rows. */
function isRow(raw: unknown): raw is Row {
  if (typeof raw !== 'object' || raw === null) return false;
  const {
    seq,
    attempt_id,
    at,
    event,
    from_state,
    to_state,
    details,
    hash,
  }: Partial<Record<keyof Row, unknown>> = raw;
  return (
    Number.isSafeInteger(seq) &&
    Number.isSafeInteger(at) &&
    typeof attempt_id === 'string' &&
    typeof event === 'string' &&
    typeof from_state === 'string' &&
    typeof to_state === 'string' &&
    typeof details === 'string' &&
    typeof hash === 'string' &&
    HASH.test(hash)
  );
}

function asRead(row: Row): ReadRow {
  const { seq, attempt_id: attemptId, hash, details } = row;
  return { kind: 'row', seq, attemptId, row, hash, mayHide: details.includes(STAND_IN) };
}

/** Whether a row of {@link DETAILS_AS_BYTES} is valid text throughout. */
export function isText(raw: unknown): boolean {
  const parsed = Bytes.safeParse(raw);
  if (!parsed.success) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(parsed.data.bytes);
    return true;
  } catch {
    return false;
  }
}

function flawsOf(error: z.ZodError): string {
  const names = [...new Set(error.issues.map((issue) => String(issue.path[0] ?? 'the whole row')))];
  return `the row is damaged: ${names.join(', ')} holds what tilld never wrote`;
}
