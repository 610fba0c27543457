import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { OutboxRow } from './ports.ts';

/** `held`: kept back by us until something else is decided; `dropped`: a person said that it will never be told. */
export type OwedStatus = 'pending' | 'held' | 'parked' | 'dropped';

/** What a person decided about a parked report; never changed. */
export interface ReportDecision {
  readonly reportId: string;
  readonly decision: 'retried' | 'dropped';
  readonly at: number;
  /** How it was asked for: the caller's id. */
  readonly caller: string;
  /** Who says to have decided; null: nobody was named. */
  readonly by: string | null;
  /** null: none was given. */
  readonly reason: string | null;
}

/** A report that the service does not have, as people look at it. */
export interface OwedReport
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
  readonly status: OwedStatus;
  /** The newest. */
  readonly decision: ReportDecision | null;
}

/** Where they live; each call is one transaction. @throws STORAGE_FULL, STORAGE_FAILED; then nothing is written */
export interface OwedStore {
  /** Oldest first; without `status` what is not dropped. */
  list(filter: { readonly status?: OwedStatus; readonly limit: number }): readonly OwedReport[];
  find(id: string): OwedReport | null;
  /** Pending again, with the key it has; an open task of its attempt says so. */
  retry(decision: ReportDecision): void;
  /** Never sent, and neither is what waits behind it in its attempt; nothing is deleted, an open task of its attempt is finished. */
  drop(decision: ReportDecision): void;
}

export interface OwedPorts {
  readonly store: OwedStore;
  readonly clock: Clock;
  /** Something may go now. */
  readonly changed: () => void;
}

export interface Decider {
  readonly caller: string;
  readonly by: string | null;
}

/**
 * What people do about reports that the service does not take.
 * Refusals have written nothing: REPORT_UNKNOWN, REPORT_HELD, REPORT_NOT_PARKED (`context.details.status`).
 */
export class OwedReports {
  readonly #ports: OwedPorts;

  constructor(ports: OwedPorts) {
    this.#ports = ports;
  }

  list(filter: { readonly status?: OwedStatus; readonly limit: number }): readonly OwedReport[] {
    return this.#ports.store.list(filter);
  }

  /** Tries a parked report again, under its own key: one that is old is looked up first. */
  retry(id: string, { caller, by }: Decider): OwedReport {
    const { store, clock } = this.#ports;
    this.#parked(id);
    store.retry({ reportId: id, decision: 'retried', at: clock.now(), caller, by, reason: null });
    this.#ports.changed();
    return this.#found(id);
  }

  /** Gives a parked report up: its payment stays `reported: rejected` for ever. */
  drop(id: string, { caller, by, reason }: Decider & { readonly reason: string }): OwedReport {
    const { store, clock } = this.#ports;
    this.#parked(id);
    store.drop({ reportId: id, decision: 'dropped', at: clock.now(), caller, by, reason });
    this.#ports.changed();
    return this.#found(id);
  }

  #parked(id: string): void {
    const { status } = this.#found(id);
    if (status === 'parked') return;
    const context = { details: { status } };
    if (status === 'held')
      throw new AppError('REPORT_HELD', 'It is kept back until the payment it belongs to is decided', {
        context,
      });
    throw new AppError('REPORT_NOT_PARKED', `It is ${status}: only a parked report waits for a person`, {
      context,
    });
  }

  #found(id: string): OwedReport {
    const report = this.#ports.store.find(id);
    if (report) return report;
    throw new AppError('REPORT_UNKNOWN', 'The service has been told, or no report has this id', {
      context: { param: 'id' },
    });
  }
}
