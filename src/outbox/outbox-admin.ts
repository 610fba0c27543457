import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Currency } from '../base/money.ts';
import type { OutboxRow } from './ports.ts';

/** `held`: tilld keeps it back until a pending decision; `dropped`: a person decided that it is never sent. */
export type PendingStatus = 'pending' | 'held' | 'parked' | 'dropped';

/** A person's decision about a dead letter; never changed. */
export interface ReportDecision {
  readonly reportId: string;
  readonly decision: 'retried' | 'dropped';
  readonly at: number;
  /** The id of the caller that asked. */
  readonly caller: string;
  /** The name of the person who decided; null: none was given. */
  readonly by: string | null;
  /** null: none was given. */
  readonly reason: string | null;
}

/** A report that the service does not have, as people see it. */
export interface PendingReport
  extends Pick<
    OutboxRow,
    | 'id'
    | 'attemptId'
    | 'kind'
    | 'operation'
    | 'parentId'
    | 'createdAt'
    | 'tries'
    | 'firstUsedAt'
    | 'lastError'
  > {
  readonly status: PendingStatus;
  /** Where its payment was taken, and the amount that was asked for. */
  readonly deviceId: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  /** The newest decision. */
  readonly decision: ReportDecision | null;
}

export interface ReportFilter {
  readonly status?: PendingStatus;
  readonly limit: number;
  /** The id of any report, also of one that the service has by now: the list goes on behind it. */
  readonly startingAfter?: string;
}

/** Refused reports with one cause: what the service or tilld said, and the HTTP status. */
export interface RefusalCause {
  /** `refused: 402`, `rejected`. */
  readonly cause: string;
  readonly reports: number;
  /** When the oldest of them was written, and what was said about it. */
  readonly oldestAt: number;
  readonly example: string;
}

/** Where such reports are stored; each call is one transaction. @throws STORAGE_FULL, STORAGE_FAILED; then nothing is written */
export interface OutboxAdminStore {
  /** Oldest first; without `status` all that are not dropped. @throws CURSOR_UNKNOWN */
  list(filter: ReportFilter): readonly PendingReport[];
  /** Of all dead letters, however many there are: the cause of the most reports first. */
  causes(): readonly RefusalCause[];
  find(id: string): PendingReport | null;
  /** Makes the report pending again, with its key; an open task of its attempt is finished, unless another of its reports is a dead letter. */
  retry(decision: ReportDecision): void;
  /** Never sent, and neither are the reports behind it in its attempt. Nothing is deleted; an open task of its attempt is finished, too. */
  drop(decision: ReportDecision): void;
}

export interface OutboxAdminDeps {
  readonly store: OutboxAdminStore;
  readonly clock: Clock;
  /** A report may be ready to send now. */
  readonly changed: () => void;
}

export interface Decider {
  readonly caller: string;
  readonly by: string | null;
}

/**
 * What people decide about reports that the service refuses.
 * Refused calls have written nothing: REPORT_UNKNOWN, REPORT_HELD, REPORT_NOT_PARKED (`context.details.report_status`).
 */
export class OutboxAdmin {
  readonly #deps: OutboxAdminDeps;

  constructor(deps: OutboxAdminDeps) {
    this.#deps = deps;
  }

  /** @throws CURSOR_UNKNOWN */
  list(filter: ReportFilter): readonly PendingReport[] {
    return this.#deps.store.list(filter);
  }

  causes(): readonly RefusalCause[] {
    return this.#deps.store.causes();
  }

  /** Tries a dead letter again, under its own key: one that is old is looked up first. */
  retry(id: string, { caller, by }: Decider): PendingReport {
    const { store, clock } = this.#deps;
    this.#parked(id);
    store.retry({ reportId: id, decision: 'retried', at: clock.now(), caller, by, reason: null });
    this.#deps.changed();
    return this.#found(id);
  }

  /** Drops a dead letter: its payment stays `reported: rejected` for ever. */
  drop(id: string, { caller, by, reason }: Decider & { readonly reason: string }): PendingReport {
    const { store, clock } = this.#deps;
    this.#parked(id);
    store.drop({ reportId: id, decision: 'dropped', at: clock.now(), caller, by, reason });
    this.#deps.changed();
    return this.#found(id);
  }

  #parked(id: string): void {
    const { status } = this.#found(id);
    if (status === 'parked') return;
    const context = { details: { report_status: status } };
    if (status === 'held')
      throw new AppError('REPORT_HELD', 'It is kept back until the payment it belongs to is decided', {
        context,
      });
    throw new AppError('REPORT_NOT_PARKED', `It is ${status}: only a parked report waits for a person`, {
      context,
    });
  }

  #found(id: string): PendingReport {
    const report = this.#deps.store.find(id);
    if (report) return report;
    throw new AppError('REPORT_UNKNOWN', 'The service has this report already, or no report has this id', {
      context: { param: 'id' },
    });
  }
}
