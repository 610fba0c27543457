import type { Delivery, Step } from './delivery-rules.ts';
import type { OutboxRow } from './ports.ts';

/** Survives a restart in `lastError`: the body without metadata was sent under this key. */
export const PLAIN_MARK = 'plain_body: ';

/** A step that ends the turn of a row. */
export type LastStep = Exclude<Step, { do: 'send' | 'send_plain' | 'look_up' }>;

/** The state of a row during its turn. */
export class DeliveryAttempt implements Delivery {
  readonly row: OutboxRow;
  /** An earlier try may have been applied; only `done` ends that. */
  readonly unanswered: boolean;
  readonly parentAtService: string | null;
  plain: boolean;
  /** It was sent in this turn. */
  isSent = false;
  refused: Delivery['refused'] = null;

  constructor(row: OutboxRow, parentAtService: string | null) {
    this.row = row;
    this.unanswered = row.unanswered;
    this.parentAtService = parentAtService;
    this.plain = row.lastError?.startsWith(PLAIN_MARK) ?? false;
  }

  mark(error: string): string {
    return this.plain ? PLAIN_MARK + error : error;
  }
}
