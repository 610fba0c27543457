import { maskCardNumbers } from './card-number.ts';

/**
 * The position in a trace that the caller began, as W3C Trace Context defines it.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** The caller's span: 16 hexadecimal digits. */
  readonly parent: string;
  /** The caller records this trace. */
  readonly sampled: boolean;
}

/** An item that has a trace: a UUID of version 7, and the trace that the caller began; null: a trace of its own. */
export interface Traced {
  readonly id: string;
  readonly trace: Trace | null;
}

const HEADER =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<id>[0-9a-f]{32})-(?!0{16})(?<parent>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.{0,400})?$/;
const SPAN_DIGITS = 16;
const SAMPLED = 1;

/** Parses a `traceparent`; null for a missing or invalid one, which is no reason to refuse the request. */
export function traceOfHeader(header: string | undefined): Trace | null {
  const { version, id, parent, flags, more } = HEADER.exec(header ?? '')?.groups ?? {};
  if (id === undefined || parent === undefined || flags === undefined) return null;
  if (version === '00' && more !== undefined) return null;
  // Digits alone may be a card number, which is stored nowhere.
  if (maskCardNumbers(id) !== id || maskCardNumbers(parent) !== parent) return null;
  return { id, parent, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** The id of the trace that a payment belongs to; without a caller's trace it is the payment's own id, so that every payment has one. */
export function traceIdOf({ id, trace }: Traced): string {
  return trace?.id ?? digitsOf(id);
}

/** The fields that a log line gives for a payment. */
export function factsOf(traced: Traced): { readonly attempt: string; readonly trace: string } {
  return { attempt: traced.id, trace: traceIdOf(traced) };
}

/** The span of the request that created a payment: derived from its id, so that it is the same after a restart. */
export function requestSpanOf({ id }: Traced): string {
  return digitsOf(id).slice(0, SPAN_DIGITS);
}

/** The span id of a UUID: its random half. Used for a payment's dialogue and for a report. */
export function spanOf(uuid: string): string {
  return digitsOf(uuid).slice(-SPAN_DIGITS);
}

/** The header for a request that tilld makes in such a trace; `span` is tilld's own. */
export function traceparentOf(traced: Traced, span: string): string {
  const sampled = traced.trace?.sampled ?? true;
  return `00-${traceIdOf(traced)}-${span}-${sampled ? '01' : '00'}`;
}

function digitsOf(uuid: string): string {
  return uuid.replaceAll('-', '').toLowerCase();
}
