import type { Attempt } from '../../payment/attempt/attempt.ts';

type Reported = Pick<Attempt, 'report' | 'receipts' | 'evidence'>;

/** Stands for the report of the attempt. */
const SAME = '=';
/** A text as its difference from another one: the length of the shared start, its own part, the length of the shared end. */
type Beside = readonly [start: number, own: string, end: number];

/**
 * Encodes an attempt so that its row stores repeated content once. Evidence of a dialogue is the report itself, and the customer's receipt equals the
 * merchant's except for a line or two; with both a row is a third longer, and takes a page of its own.
 */
export function encodeOnce<T extends Reported>(attempt: T): object {
  const { report, evidence, receipts } = attempt;
  const isSame = evidence !== null && report !== null && 'report' in evidence && evidence.report === report;
  const { merchant, customer } = receipts;
  const isPair = merchant !== undefined && customer !== undefined;
  return {
    ...attempt,
    evidence: isSame ? { ...evidence, report: SAME } : evidence,
    receipts: isPair ? { ...receipts, customer: beside(merchant, customer) } : receipts,
  };
}

/** Decodes {@link encodeOnce}; an attempt that was stored in full stays as it is. */
export function decodeAgain(written: object): void {
  const { report, evidence, receipts } = written as {
    report?: unknown;
    evidence?: unknown;
    receipts?: unknown;
  };
  if (isObject(evidence) && evidence['report'] === SAME) evidence['report'] = report;
  if (!isObject(receipts)) return;
  const { merchant, customer } = receipts;
  if (typeof merchant === 'string' && Array.isArray(customer)) {
    const [start, own, end] = customer as unknown as Beside;
    receipts['customer'] = merchant.slice(0, start) + own + merchant.slice(merchant.length - end);
  }
}

function beside(text: string, other: string): Beside {
  const most = Math.min(text.length, other.length);
  let start = 0;
  while (start < most && text[start] === other[start]) start += 1;
  let end = 0;
  while (end < most - start && text.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [start, other.slice(start, other.length - end), end];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
