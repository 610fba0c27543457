import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Attempt, Reason } from './attempt/attempt.ts';
import type { ElapsedTime } from './attempt/elapsed-time.ts';
import type { AttemptEvent } from './attempt/state-machine.ts';
import type { DevicePolicy } from './follow-up.ts';
import type { KeyUse } from './payments.ts';
import type { IdentityStore, PaymentStore } from './ports.ts';

/** The report bodies for the service; `null` where no service is configured. */
export interface ReportBodies {
  create(attempt: Attempt): Readonly<Record<string, unknown>>;
  result(attempt: Attempt): Readonly<Record<string, unknown>>;
}

export interface PaymentServiceDeps {
  readonly store: PaymentStore;
  readonly clock: Clock;
  readonly elapsed: ElapsedTime;
  readonly ids: Ids;
  readonly log: Log;
  readonly reports: ReportBodies | null;
  /** The stored facts of each device's terminal. */
  readonly terminals: Pick<IdentityStore, 'withdrawVoid' | 'setAside'>;
  /** The policy of a device's owner, and what its terminal can do right now. */
  readonly policyOf: (deviceId: string) => DevicePolicy;
}

/** The fields that a state change sets; `details` go to the journal only. */
export interface Change
  extends Partial<
    Pick<
      Attempt,
      | 'baseline'
      | 'ticket'
      | 'report'
      | 'receipts'
      | 'reason'
      | 'evidence'
      | 'needsPerson'
      | 'releasedAt'
      | 'settledAt'
    >
  > {
  readonly details?: Readonly<Record<string, unknown>>;
  /** Ms between the terminal's approval and this end of the same dialogue. */
  readonly approvedForMs?: number;
}

/** An event and its change; several of them may be one commit. */
export interface Step {
  readonly event: AttemptEvent;
  readonly change?: Change;
}

/** What is written together with a new attempt. */
export interface Opening {
  readonly key?: KeyUse & { readonly caller: string };
  /** The service's id of it. */
  readonly serviceId?: string;
  /** Facts for the journal. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** It may reach the disk with the next commit; the caller gets its answer then (`Payments.durable`). */
  readonly deferSync?: boolean;
  /** Why it may not run: it is cancelled at once, and reported. */
  readonly refusal?: Reason;
  /** Why it is in doubt from its creation on: a forgotten process run may have run it. */
  readonly forgotten?: Reason;
}
