/** How a virtual ZVT terminal behaves where vendors differ; times in ms. */
export interface ZvtVirtualOptions {
  /** A card that is not presented in this time ends the payment with 6C. */
  readonly customerTimeoutMs: number;
  /** How long the host takes; an abort is refused meanwhile. */
  readonly hostMs: number;
  /** How long a chip card stays in the reader after a payment (terminal status DC). */
  readonly cardRemovalMs: number;
  /** How long the terminal is not ready after power-up (terminal status 9C). */
  readonly bootMs: number;
  /** Gap between two bytes of a serial frame. */
  readonly t1Ms: number;
  /** Wait for ACK or NAK. */
  readonly t2Ms: number;
  /** Wait for the till's answer to a command. */
  readonly t3Ms: number;
  /** Pause before a result is repeated that the till answered with `84 9C`. */
  readonly goodsRetryMs: number;
  /** Whether declined payments are stored for Repeat Receipt and use up a receipt number. */
  readonly storesDeclined: boolean;
}

export const defaultOptions: ZvtVirtualOptions = {
  customerTimeoutMs: 30_000,
  hostMs: 250,
  cardRemovalMs: 0,
  bootMs: 0,
  t1Ms: 200,
  t2Ms: 5000,
  t3Ms: 5000,
  goodsRetryMs: 2000,
  storesDeclined: false,
};
