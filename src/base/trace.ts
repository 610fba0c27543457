import { maskCardNumbers } from './card-number.ts';

/**
 * Where something stands in a trace that somebody else has begun, as W3C Trace Context has it.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** The span of whoever asked: 16 hexadecimal digits. */
  readonly parent: string;
  /** Whoever asked keeps what is told of it. */
  readonly sampled: boolean;
}

/** What has a trace: a UUID of version 7, and the trace that whoever asked has begun; null: its own. */
export interface Traced {
  readonly id: string;
  readonly trace: Trace | null;
}

const HEADER =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<id>[0-9a-f]{32})-(?!0{16})(?<parent>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.{0,400})?$/;
const SPAN_DIGITS = 16;
const SAMPLED = 1;

/** Reads a `traceparent`; null for none and for a bad one, which is no reason to refuse anybody. */
export function traceOfHeader(header: string | undefined): Trace | null {
  const { version, id, parent, flags, more } = HEADER.exec(header ?? '')?.groups ?? {};
  if (id === undefined || parent === undefined || flags === undefined) return null;
  if (version === '00' && more !== undefined) return null;
  // Digits alone may be a card number, which is kept nowhere.
  if (maskCardNumbers(id) !== id || maskCardNumbers(parent) !== parent) return null;
  return { id, parent, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** The id of the trace that a payment belongs to; without a caller's it is the payment's own id, so that each one has one. */
export function traceIdOf({ id, trace }: Traced): string {
  return trace?.id ?? digitsOf(id);
}

/** What a log line says of a payment. */
export function factsOf(traced: Traced): { readonly attempt: string; readonly trace: string } {
  return { attempt: traced.id, trace: traceIdOf(traced) };
}

/** The span of the request that made a payment: it follows from its id, so that it is the same after a restart. */
export function requestSpanOf({ id }: Traced): string {
  return digitsOf(id).slice(0, SPAN_DIGITS);
}

/** A span that a UUID stands for by the random half of it: a payment's dialogue, a report. */
export function spanOf(uuid: string): string {
  return digitsOf(uuid).slice(-SPAN_DIGITS);
}

/** The header for a request that we make in such a trace; `span` is ours. */
export function traceparentOf(traced: Traced, span: string): string {
  const sampled = traced.trace?.sampled ?? true;
  return `00-${traceIdOf(traced)}-${span}-${sampled ? '01' : '00'}`;
}

function digitsOf(uuid: string): string {
  return uuid.replaceAll('-', '').toLowerCase();
}
