import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import type { Settlement } from '../../src/payment/batch/settlement.ts';
import type { Task } from '../../src/payment/tasks/task.ts';
import type { Charge, Charges } from './charges.ts';
import type { Claims } from './claims.ts';
import type { Crime } from './crimes.ts';

/** What somebody wanted once, however often the button was pressed: a customer to pay, or a sum to go back. */
export interface TillRequest {
  readonly name: string;
  readonly attempts: Set<string>;
  /** `sale`: paid once, net of what went back; `refund`: given back once; `any`: as often as the sale allows. */
  readonly once: 'sale' | 'refund' | 'any';
}

/** What the judges have before them: the agent's books as they are on disk, the ledgers, and when what happened (ms of the history). */
export interface CaseFile {
  readonly now: number;
  readonly attempts: ReadonlyMap<string, Attempt>;
  /** What a life that is lost had committed. */
  readonly forgotten: ReadonlyMap<string, Attempt>;
  readonly settlements: ReadonlyMap<string, Settlement>;
  readonly charges: Charges;
  readonly claims: Claims;
  /** How long ago the service was asked for this, by its own clock, ms. */
  ageOfWork(serviceId: string): number | null;
  accuse(crime: Crime, text: string): void;
  /** A short name of an attempt for people. */
  nameOf(id: string): string;
  /** When it fell in doubt last; undefined: never. */
  doubtedAt(attemptId: string): number | undefined;
  open(): readonly Attempt[];
  requestOf(attemptId: string): TillRequest | undefined;
  correctionOf(attemptId: string): Attempt | undefined;
  /** Refunds, voids and corrections of a sale. */
  childrenOf(attemptId: string): readonly Attempt[];
  /** A person was, or is, asked this about the attempt. */
  wasAsked(attemptId: string, kind: Task['kind']): boolean;
  sentAt(attemptId: string): number | undefined;
  approvedAt(attemptId: string): number | undefined;
  endedAt(attemptId: string): number | undefined;
  /** The attempt must be corrected before anything else is sent to this terminal. */
  mustCorrect(attemptId: string, charge: Charge): void;
  needsNoCorrection(attemptId: string): void;
  /** Nobody could know what its terminal did to it in the end, and its correction is still to come. */
  isRequested(attemptId: string): boolean;
}
