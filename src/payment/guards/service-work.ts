import type { Money } from '../../base/money.ts';

/** Work of the service, already claimed by tilld. */
export interface ServiceRequest {
  readonly serviceId: string;
  readonly type: 'sale' | 'refund' | 'void';
  /** The service's id (or ours) of the sale that a refund or a void belongs to. */
  readonly parentId: string | null;
  readonly deviceId: string;
  readonly amount: Money;
  readonly invoiceId: string | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Age by the service's own clock when it was asked, in ms. */
  readonly ageMs: number;
}

/** The interface through which claimed work enters the payment core. */
export interface ServiceWork {
  /** True when the id, an alias or `metadata.tilld` names one of our attempts in any state: never run it. */
  isOurs(serviceId: string, metadata: Readonly<Record<string, unknown>>): boolean;
  /** False: claim nothing now; the effects of more work might not be stored, this folder may be a copy, or the terminals are drained. */
  mayTake?(): boolean;
  /**
   * The service shows a payment that this agent reported and that is not in our database: the database is older, or another machine uses it,
   * too. `ageMs`: by the service's clock; null: it gives none.
   */
  unknownAttempt?(serviceId: string, attempt: string, ageMs: number | null): void;
  /** The newest payments that the service shows of this agent were all compared with the database. */
  compared?(): void;
  /** Takes claimed work: it becomes an attempt, which is cancelled at once and reported when it may not run. Throws only what the store throws. */
  accept(request: ServiceRequest): void;
  /**
   * The service, or a person through it, has cancelled this payment. Not yet sent: cancelled here too. Running: the terminal is asked.
   * Ended, or not ours: nothing happens here, the reports give the outcome. Throws only what the store throws.
   */
  cancelled(serviceId: string): void;
}
