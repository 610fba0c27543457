/** How a virtual ECR17 terminal behaves where vendors differ, or where nothing is published; times in ms. */
export interface Ecr17VirtualOptions {
  /** How it computes its check, see the driver's README. */
  readonly lrc: 'std' | 'noext' | 'stx' | 'stx_noext';
  /** Whether it acknowledges a payment, a reversal or a close before it tells the result. */
  readonly acksFirst: boolean;
  /** Whether it hangs up after each answer. */
  readonly hangsUp: boolean;
  /** When receipts go to a till that asked for them: behind the result, before it, or never. */
  readonly receipts: 'after' | 'before' | 'none';
  /** Whether it says what it is doing. */
  readonly progress: boolean;
  /** Whether it knows the payment with extended result (X); else it refuses it with NAK and knows P. */
  readonly knowsX: boolean;
  /** Whether it knows the reversal. */
  readonly knowsReversal: boolean;
  /** Whether a refused payment is kept as the last result, too. */
  readonly savesKo: boolean;
  /** Whether a payment that was stopped at the terminal takes a STAN. */
  readonly abortTakesStan: boolean;
  /** Whether what staff type at the terminal becomes the last result; published is that only what a till commanded does. */
  readonly savesByHand: boolean;
  /** Whether it tells its last result, refuses the question (NAK), or says nothing to it. */
  readonly lastResult: 'told' | 'refused' | 'silent';
  /** Whether it tells no last result after a close. */
  readonly forgetsAtClose: boolean;
  /** Whether it tells its totals, or refuses the question (NAK). */
  readonly totals: 'told' | 'refused';
  /** What another call meets while a customer pays: silence, NAK, or answers as if nothing were. Commands are never taken. */
  readonly whenBusy: 'silent' | 'nak' | 'looks_idle';
  /** The digit of its status. */
  readonly status: string;
  /** Whether it refuses messages for another terminal id. */
  readonly checksTerminalId: boolean;
  /** A card that is not presented in this time ends the payment with 01. */
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
