import { z } from 'zod';
import { maskCardNumbers } from '../base/card-number.ts';
import type { Currency } from '../base/money.ts';
import type { Link, LinkLoss, NetworkAddress } from '../terminal/link.ts';
import {
  CapabilitiesShape,
  type Method,
  OutcomeShape,
  ReferencesShape,
  ReportShape,
} from './terminal-values.ts';

/** An error as it passes the channel. */
export interface SentError {
  readonly code: string;
  readonly message: string;
  readonly retry: 'never' | 'safe' | 'after_recovery';
  readonly moneyMoved: 'no' | 'unknown';
}

/** A link of the daemon, as the package knows it. */
export interface SentLink {
  readonly id: number;
  readonly kind: Link['kind'];
}

/** What tilld sends to the process of a package. */
export type ToChild =
  /** URLs: the folder ends with a slash. */
  | { readonly type: 'load'; readonly folder: string; readonly file: string }
  | { readonly type: 'ping'; readonly count: number }
  | {
      readonly type: 'open';
      readonly call: number;
      readonly session: number;
      readonly link: SentLink;
      readonly deviceId: string;
      readonly currency: Currency;
      readonly address?: NetworkAddress;
      readonly options: unknown;
    }
  | {
      readonly type: 'call';
      readonly call: number;
      readonly session: number;
      readonly method: Method;
      readonly argument: unknown;
    }
  /** The signal of a call was aborted. */
  | { readonly type: 'aborted'; readonly call: number; readonly reason: SentError }
  /** `TerminalSession.abort`: it has no answer. */
  | { readonly type: 'abort'; readonly session: number }
  | { readonly type: 'bytes'; readonly link: number; readonly bytes: string }
  | { readonly type: 'ended'; readonly link: number; readonly loss: LinkLoss }
  /** The answer to a request of the package. */
  | {
      readonly type: 'answer';
      readonly request: number;
      readonly link?: SentLink;
      readonly error?: SentError;
    };

/** The answer to a callback that waits for it: whether it is on disk. */
export interface CallbackAnswer {
  readonly stored: boolean;
}

const id = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const text = (most: number) => z.string().max(most).transform(maskCardNumbers);

const ErrorShape = z.object({
  code: z.string().max(64),
  message: text(500),
  retry: z.enum(['never', 'safe', 'after_recovery']),
  moneyMoved: z.enum(['no', 'unknown']),
}) satisfies z.ZodType<SentError>;

/** What the session says of itself, with each answer. */
const StateShape = z.object({
  capabilities: CapabilitiesShape,
  /** null: it has no such list. Absent: unchanged. */
  references: ReferencesShape.nullable().exactOptional(),
});

export type SessionState = z.output<typeof StateShape>;

/** The longest write of a package, in characters of base64. */
const MAX_WRITE = 87_384;

/** What the process of a package sends to tilld: hostile input. */
export const FromChild = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('pong'), count: id }),
  z.object({
    type: z.literal('opened'),
    call: id,
    state: StateShape,
    optional: z.array(z.enum(['ownTransaction', 'lateEnd', 'reprint'])).max(3),
  }),
  z.object({ type: z.literal('result'), call: id, value: z.unknown(), state: StateShape }),
  z.object({ type: z.literal('failed'), call: id, error: ErrorShape }),
  z.object({ type: z.literal('write'), request: id, link: id, bytes: z.base64().max(MAX_WRITE) }),
  z.object({ type: z.literal('close'), request: id, link: id, how: z.enum(['close', 'abandon']) }),
  z.object({ type: z.literal('dial'), request: id, session: id, beside: z.boolean() }),
  z.object({ type: z.literal('undial'), request: id }),
  /** Callbacks that wait for {@link CallbackAnswer}. */
  z.object({ type: z.literal('accepted'), call: id }),
  z.object({
    type: z.literal('beforeAcknowledge'),
    call: id,
    report: ReportShape,
    end: OutcomeShape.exactOptional(),
  }),
  z.object({ type: z.literal('beforeEnd'), call: id, outcome: OutcomeShape }),
  z.object({ type: z.literal('progress'), call: id, text: text(500) }),
  z.object({
    type: z.literal('record'),
    session: id,
    direction: z.enum(['sent', 'received']),
    summary: text(1000),
  }),
  z.object({
    type: z.literal('log'),
    level: z.enum(['trace', 'debug', 'info', 'warn', 'error']),
    message: text(500),
    fields: text(1000),
  }),
  /** An error that nothing in the package handled; its process ends. */
  z.object({ type: z.literal('fault'), message: text(500) }),
]);

export type FromChild = z.output<typeof FromChild>;
/** As the process of a package writes it. */
export type Sent = z.input<typeof FromChild>;
