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
  /**
   * Which payments of the open batch it takes back: any, its very last one, none, or (`last_regardless`) its last one whatever
   * number it is given.
   */
  readonly voids: 'any' | 'last' | 'none' | 'last_regardless';
  /** Whether receipt numbers begin at 0001 again after an end of day. */
  readonly numbersRestart: boolean;
  /** Whether Repeat Receipt tells of nothing after an end of day. */
  readonly forgetsAtClose: boolean;
  /** What Repeat Receipt tells: the last result; nothing, with a good end; or the result only where paper is allowed. */
  readonly repeatReceipt: 'told' | 'empty' | 'only_with_paper';
  /** Bitmap 37 of a void that the terminal took back by itself: its own trace, or still that of the original. */
  readonly takenBackVoidShows: 'own_trace' | 'original_trace';
  /**
   * For so long after the till was lost in the middle of a payment, another connection is told that the terminal is ready, and
   * its questions are answered, although the payment goes on. Money commands are still told to wait.
   */
  readonly looksIdleMs: number;
  /** Whether it can reserve money, and how it tells what is open: one receipt number, or all of them (TLV 23). */
  readonly reservations: 'none' | 'one' | 'list';
  /** What it needs after power-up before it pays; it says so at the registration and in its status. */
  readonly needs: 'nothing' | 'initialisation' | 'diagnosis' | 'clock';
  /** For so long after a cancel that it took, it answers no Status-Enquiry. */
  readonly quietAfterCancelMs: number;
  /** Whether it sends a text of its own at the very moment in which the till asks it to stop. */
  readonly collides: boolean;
  /** The most lines of one text block (`06 D3`); 0: as many as the till's longest packet holds. */
  readonly blockLines: number;
  /** Whether it writes in the charset that a till offers as the only one (TLV 27); else always CP437. */
  readonly agreesOnCharset: boolean;
  /** Whether staff cannot type payments (config byte 10) or an end of day (20) once a till has locked them. */
  readonly honoursLock: boolean;
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
  voids: 'any',
  numbersRestart: false,
  forgetsAtClose: false,
  repeatReceipt: 'told',
  takenBackVoidShows: 'own_trace',
  looksIdleMs: 0,
  reservations: 'one',
  needs: 'nothing',
  quietAfterCancelMs: 0,
  collides: false,
  blockLines: 0,
  agreesOnCharset: true,
  honoursLock: false,
};
