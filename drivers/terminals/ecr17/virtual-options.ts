/** How a virtual ECR17 terminal behaves where vendors differ, or where nothing is published; times in ms. */
export interface Ecr17VirtualOptions {
  /** Its LRC mode, see the driver's README. */
  readonly lrc: 'std' | 'noext' | 'stx' | 'stx_noext';
  /** Whether it acknowledges a payment, a reversal or a close before it sends the result. */
  readonly acksFirst: boolean;
  /** Whether it closes the connection after each answer. */
  readonly hangsUp: boolean;
  /** When receipts are sent to a till that requested them: after the result, before it, or never. */
  readonly receipts: 'after' | 'before' | 'none';
  /** Whether it sends progress messages. */
  readonly progress: boolean;
  /** Whether it knows the payment with extended result (X); else it refuses it with NAK. P is known by all. */
  readonly knowsX: boolean;
  /** Whether it knows the reversal. */
  readonly knowsReversal: boolean;
  /** Whether a refused payment is also kept as the last result. */
  readonly savesKo: boolean;
  /** Whether a payment that was stopped at the terminal uses up a STAN. */
  readonly abortTakesStan: boolean;
  /** Whether a transaction that staff type becomes the last result; published is that only a till's command does. */
  readonly savesByHand: boolean;
  /** Whether it reports its last result, refuses the question (NAK), or does not answer it. */
  readonly lastResult: 'told' | 'refused' | 'silent';
  /** Whether it reports no last result after a close. */
  readonly forgetsAtClose: boolean;
  /** Whether it reports its totals, or refuses the question (NAK). */
  readonly totals: 'told' | 'refused';
  /** The answer to another call while a customer pays: none, NAK, or as if idle. Commands are never accepted. */
  readonly whenBusy: 'silent' | 'nak' | 'looks_idle';
  /** Its status digit. */
  readonly status: string;
  /** Whether it refuses messages for another terminal id. */
  readonly checksTerminalId: boolean;
  /** A payment ends with 01 when no card is presented within this time. */
  readonly customerTimeoutMs: number;
  /** How long the host takes. */
  readonly hostMs: number;
  /** How long it waits for ACK or NAK. */
  readonly acknowledgementMs: number;
}

export const defaultOptions: Ecr17VirtualOptions = {
  lrc: 'noext',
  acksFirst: true,
  hangsUp: false,
  receipts: 'after',
  progress: true,
  knowsX: true,
  knowsReversal: true,
  savesKo: true,
  abortTakesStan: true,
  savesByHand: false,
  lastResult: 'told',
  forgetsAtClose: false,
  totals: 'told',
  whenBusy: 'silent',
  status: '2',
  checksTerminalId: true,
  customerTimeoutMs: 30_000,
  hostMs: 250,
  acknowledgementMs: 3000,
};
