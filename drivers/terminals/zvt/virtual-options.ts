/** How a virtual ZVT terminal behaves where vendors differ; times in ms. */
export interface ZvtVirtualOptions {
  /** A payment ends with 6C when no card is presented within this time. */
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
  /** Whether declined payments are stored for Repeat Receipt and use up a receipt number. */
  readonly storesDeclined: boolean;
  /**
   * Which payments of the open batch it voids: any, its very last one, none, or (`last_regardless`) its last one whatever
   * number is given.
   */
  readonly voids: 'any' | 'last' | 'none' | 'last_regardless';
  /** Whether receipt numbers restart at 0001 after an end of day. */
  readonly numbersRestart: boolean;
  /** Whether Repeat Receipt reports nothing after an end of day. */
  readonly forgetsAtClose: boolean;
  /** The answer to Repeat Receipt: the last result; none, with a completion; or the result only where paper is allowed. */
  readonly repeatReceipt: 'told' | 'empty' | 'only_with_paper';
  /** Bitmap 37 of a void that the terminal reversed by itself: its own trace, or still that of the original. */
  readonly takenBackVoidShows: 'own_trace' | 'original_trace';
  /**
   * How long after the till was lost during a payment another connection is told that the terminal is ready, and
   * its questions are answered, although the payment continues. Money commands are still told to wait.
   */
  readonly looksIdleMs: number;
  /** Its need after power-up before it pays; it is in the registration and in the status. */
  readonly needs: 'nothing' | 'initialisation' | 'diagnosis' | 'clock';
  /** How long after an accepted Abort it answers no Status-Enquiry. */
  readonly quietAfterCancelMs: number;
  /** Whether it sends a packet of its own at the moment of the till's Abort. */
  readonly collides: boolean;
  /** The most lines of one text block (`06 D3`); 0: as many as the till's longest packet holds. */
  readonly blockLines: number;
  /** Whether it uses the only charset that a till offers (TLV 27); else always CP437. */
  readonly agreesOnCharset: boolean;
  /** Whether staff cannot type payments (config byte 10) or an end of day (20) once a till has locked the keys. */
  readonly honoursLock: boolean;
  /** Its passwords, six digits each; a command with another one is refused with `84 37`. Test devices often have one of the default ones. */
  readonly passwords: readonly string[];
}

export const defaultOptions: ZvtVirtualOptions = {
  customerTimeoutMs: 30_000,
  hostMs: 250,
  cardRemovalMs: 0,
  bootMs: 0,
  t1Ms: 200,
  t2Ms: 5000,
  t3Ms: 5000,
  storesDeclined: false,
  voids: 'any',
  numbersRestart: false,
  forgetsAtClose: false,
  repeatReceipt: 'told',
  takenBackVoidShows: 'own_trace',
  looksIdleMs: 0,
  needs: 'nothing',
  quietAfterCancelMs: 0,
  collides: false,
  blockLines: 0,
  agreesOnCharset: true,
  honoursLock: false,
  passwords: ['000000', '123456'],
};
