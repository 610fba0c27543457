/** How a virtual Concert terminal behaves where vendors differ; times in ms. */
export interface ConcertVirtualOptions {
  /** The dialect on a cable; over the network it always speaks V3. */
  readonly dialect: 'eplus' | 'v3';
  /** A payment ends when no card is presented within this time. */
  readonly customerTimeoutMs: number;
  /** How long the bank takes. */
  readonly hostMs: number;
  /** An answer that no till acknowledges is dropped after three calls, repeated for a minute, or kept until the next till's ENQ. */
  readonly lateAnswer: 'forgotten' | 'told' | 'on_knock';
  /** A busy terminal's answer to an ENQ on a cable. */
  readonly busySays: 'nothing' | 'nak';
  /** What a busy terminal does with a new connection. */
  readonly busyConnection: 'closes' | 'silent';
  /** How long after the till was lost during a payment another connection is answered as idle. */
  readonly looksIdleMs: number;
  /** E+: whether the answer has its report. */
  readonly answer: 'as_asked' | 'short';
  readonly report: 'masked' | 'whole_card' | 'zeros';
  /** E+: the content of the ten private characters. */
  readonly private: 'given_back' | 'zeros' | 'blanks';
  /** E+: whether it distinguishes a stopped payment (5) from a refused one (3), or answers 7 to both. */
  readonly tellsWhy: boolean;
  /** Whether it sends even parity in bit 7 on a cable. */
  readonly parity: boolean;
  /** V3: the version in its answers. */
  readonly version: '0300' | '0301' | '0310' | '0320';
  /** V3: amounts have seven digits. */
  readonly paddedAmount: boolean;
  /** V3: the content of CF. */
  readonly reference: 'given_back' | 'own' | 'none';
  /** V3, network: pause in the middle of an answer, between two tags; 0: none. */
  readonly splitMs: number;
  /** V3, network: whether it closes the connection after its answer. */
  readonly afterAnswer: 'closes' | 'stays';
  /** V3: the action that reports its last payment. */
  readonly statusQuery: 'none' | 'T' | '3';
  /** V3: whether it accepts an end of day (CD B). */
  readonly endOfDay: boolean;
  /** V3: whether it reports its serial number (AQ). */
  readonly tellsSerial: boolean;
  /** V3: whether it knows CD I. */
  readonly identifies: boolean;
  /** V3, network: it requires CR LF after a request. */
  readonly wantsLineEnd: boolean;
  /** V3: it refuses every money message as malformed. */
  readonly formatError: boolean;
  /** V3: a stopped payment is answered with AE and AF alone. */
  readonly stopWithoutEchoes: boolean;
}

export const defaultOptions: ConcertVirtualOptions = {
  dialect: 'v3',
  customerTimeoutMs: 30_000,
  hostMs: 250,
  lateAnswer: 'forgotten',
  busySays: 'nothing',
  busyConnection: 'closes',
  looksIdleMs: 0,
  answer: 'as_asked',
  report: 'masked',
  private: 'given_back',
  tellsWhy: false,
  parity: false,
  version: '0301',
  paddedAmount: false,
  reference: 'given_back',
  splitMs: 0,
  afterAnswer: 'closes',
  statusQuery: 'none',
  endOfDay: false,
  tellsSerial: false,
  identifies: true,
  wantsLineEnd: false,
  formatError: false,
  stopWithoutEchoes: true,
};
