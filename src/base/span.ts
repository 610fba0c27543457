import type { Traced } from './trace.ts';

/** A finished span of a payment, for trace exporters. */
export interface Span {
  readonly of: Traced;
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** null: a root span. */
  readonly parent: string | null;
  readonly kind: 'server' | 'client';
  readonly name: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly facts: Readonly<Record<string, string | number>>;
}

/** Receives finished spans; never throws, never waits. */
export interface Spans {
  ended(span: Span): void;
}
