import type { Money } from '../../base/money.ts';
import type { Trace } from '../../base/trace.ts';
import type {
  LastTransaction,
  OriginalTransaction,
  Receipts,
  TerminalIdentity,
  Totals,
  TransactionReport,
} from '../../terminal/ports.ts';
import type { AttemptState } from './state-machine.ts';

/** The origin of the request: a local caller (an API key's id, or the unix socket) or the service. */
export type Origin =
  | { readonly kind: 'local'; readonly caller: string }
  | { readonly kind: 'service'; readonly serviceId: string };

/** The baseline: the terminal's last transaction before ours, as it was read just before `dispatched`. */
export interface Baseline {
  readonly last: LastTransaction;
  readonly terminal: TerminalIdentity;
  /** The terminal's own clock when it was read, `MMDDhhmmss`; missing where it reports none. */
  readonly terminalClock?: string;
  /** The last number that tilld knows of the terminal, where it reports no transaction any more. */
  readonly lastNumber?: string;
  /** Its day was closed since our last transaction there: its numbers may start again. */
  readonly afterClose?: true;
  /** The sums of its open batch then, where it reports them without printing. */
  readonly totals?: Totals;
  /** A person has said that another terminal serves the device since; kept for terminals that only their port identifies. */
  readonly replaced?: true;
  /** The service could not be asked whether its invoice was paid elsewhere. */
  readonly invoiceUnasked?: true;
  /** The terminal was asked to request a tip: it may approve more than was requested, by the tip that it states. */
  readonly tipAsked?: true;
  /** The number of the terminal's open batch, counted by tilld: it rises with every close and whenever continuity was broken. */
  readonly batch: number;
  /** The number of its open day: it rises with every close, of tilld or by the terminal itself, and with nothing else. */
  readonly day: number;
}

/** Why an attempt ended, or why it is in doubt: a stable code and words for staff. */
export interface Reason {
  readonly code: string;
  readonly message: string;
}

/** Nothing that answers at its device can say how it ended: its terminal was replaced, or its approval was not believed. */
export function isTerminalGone({ reason }: Pick<Attempt, 'reason'>): boolean {
  return reason?.code === 'terminal_replaced' || reason?.code === 'terminal_not_believed';
}

/** The evidence for a final state. */
export type Evidence =
  | { readonly kind: 'nothing_sent'; readonly note: string }
  | { readonly kind: 'dialogue'; readonly report: TransactionReport | null }
  | { readonly kind: 'terminal_journal'; readonly row: string; readonly report: TransactionReport | null }
  | {
      readonly kind: 'person';
      readonly by: string;
      readonly reason: string;
      readonly shown: string;
      /** Where the person saw it; absent: on the terminal that took the payment. */
      readonly source?: EvidenceSource;
    };

/** What proves an outcome without the terminal itself. The journal is the one that the acquirer keeps of that terminal. */
export const EVIDENCE_SOURCES = ['customer_slip', 'acquirer_statement', 'terminal_journal'] as const;
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number];

/** Why tilld itself created an attempt: the void of a policy, or evidence that contradicts the end of an attempt. */
export type Cause = 'late_approval' | 'partial_approval' | 'correction';

/** Instants of an attempt as guards and limits count them: ms of elapsed time, which a change of a clock does not move. */
export interface ElapsedInstants {
  readonly dispatched: number | null;
  readonly inDoubt: number | null;
  readonly completed: number | null;
}

/**
 * One try to move money on one terminal.
 * Money in minor units, instants in epoch milliseconds UTC by the wall clock: labels, but for `elapsed`.
 */
export interface Attempt {
  readonly id: string;
  readonly type: 'sale' | 'refund' | 'void';
  /** The sale that a refund or a void belongs to; never one of those. */
  readonly parentId: string | null;
  /** The attempt whose end the evidence contradicted; this one was recorded, never sent to a terminal. */
  readonly corrects: string | null;
  readonly cause: Cause | null;
  /** The transaction that a void reverses on the terminal. */
  readonly original: OriginalTransaction | null;
  readonly deviceId: string;
  readonly amount: Money;
  readonly invoiceId: string | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
  /** The trace that the caller began; null: its id is its trace. */
  readonly trace: Trace | null;
  /** At its creation the service could not be asked whether its invoice was paid elsewhere; the report says so. */
  readonly invoiceUnasked?: true;
  /** A final attempt that a person has seen and overrides. */
  readonly after: string | null;
  /** The sale that ended without a charge, of which this is the one retry. */
  readonly retryOf?: string;
  readonly createdAt: number;
  /** After this instant it must not reach a terminal. */
  readonly expiresAt: number;
  readonly state: AttemptState;
  /** Rises by one with every change; the store refuses to overwrite a newer one. */
  readonly version: number;
  readonly dispatchedAt: number | null;
  readonly inDoubtSince: number | null;
  readonly cancelRequestedAt: number | null;
  readonly completedAt: number | null;
  readonly elapsed: ElapsedInstants;
  readonly baseline: Baseline | null;
  /** The reference under which it went to its terminal, for terminals that return one; null as long as nothing was sent. */
  readonly ticket: string | null;
  /** The newest result that the terminal reported for it. */
  readonly report: TransactionReport | null;
  readonly receipts: Receipts;
  readonly reason: Reason | null;
  readonly evidence: Evidence | null;
  /** In doubt, but the terminal was proved idle after the settle time and read: it sells on, the attempt stays. */
  readonly releasedAt: number | null;
  /** When the terminal was proved idle for its settle time after the doubt; before that neither tilld nor a person says "not charged". */
  readonly settledAt: number | null;
  /** Recovery could not decide: a person must check the terminal. */
  readonly needsPerson: boolean;
}
