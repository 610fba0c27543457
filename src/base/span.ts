import type { Traced } from './trace.ts';

/** A piece of a payment's way that has ended, for whoever draws traces. */
export interface Span {
  readonly of: Traced;
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** null: it stands at the top. */
  readonly parent: string | null;
  readonly kind: 'server' | 'client';
  readonly name: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly facts: Readonly<Record<string, string | number>>;
}

/** Takes spans; never throws, never waits. */
export interface Spans {
  ended(span: Span): void;
}
