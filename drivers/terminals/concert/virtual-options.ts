/** How a virtual Concert terminal behaves where vendors differ; times in ms. */
export interface ConcertVirtualOptions {
  /** What it is set to on a cable; over the network it always speaks V3. */
  readonly dialect: 'eplus' | 'v3';
  /** A card that is not presented in this time ends the payment. */
  readonly customerTimeoutMs: number;
  /** How long the bank takes. */
  readonly hostMs: number;
  /** What becomes of an answer that no till takes: forgotten after three calls, told for a minute, or kept until a till knocks. */
  readonly lateAnswer: 'forgotten' | 'told' | 'on_knock';
  /** What a busy terminal does on a cable when a till knocks. */
  readonly busySays: 'nothing' | 'nak';
  /** What a busy terminal does with a new connection. */
  readonly busyConnection: 'closes' | 'silent';
  /** For so long after the till was lost in the middle of a payment, another connection is told that it is idle. */
  readonly looksIdleMs: number;
  /** E+: how long its answer is, and what its report holds. */
  readonly answer: 'as_asked' | 'short';
  readonly report: 'masked' | 'whole_card' | 'zeros';
  /** E+: what stands in the ten private characters. */
  readonly private: 'given_back' | 'zeros' | 'blanks';
  /** E+: whether it tells a stopped payment (5) and a refused one (3) apart, or says 7 to both. */
  readonly tellsWhy: boolean;
  /** What it sends on a cable has even parity in bit 7. */
  readonly parity: boolean;
  /** V3: the version in its answers. */
  readonly version: '0300' | '0301' | '0310' | '0320';
  /** V3: amounts have seven digits. */
  readonly paddedAmount: boolean;
  /** V3: what stands in CF. */
  readonly reference: 'given_back' | 'own' | 'none';
  /** V3, network: pause in the middle of an answer, between two tags; 0: none. */
  readonly splitMs: number;
  /** V3, network: what it does behind its answer. */
  readonly afterAnswer: 'closes' | 'stays';
  /** V3: the action that tells of its last payment. */
  readonly statusQuery: 'none' | 'T' | '3';
  /** Whether it cancels its last payment (CD 2, E+ type 2). */
  readonly voids: boolean;
  /** V3: whether it takes an end of day (CD B). */
  readonly endOfDay: boolean;
  /** V3: whether it tells its serial number (AQ). */
  readonly tellsSerial: boolean;
  /** V3: whether it knows CD I. */
  readonly identifies: boolean;
  /** V3, network: it waits for CR LF behind a request. */
  readonly wantsLineEnd: boolean;
  /** V3: it refuses every message about money as malformed. */
  readonly formatError: boolean;
  /** V3: a payment that was stopped is answered with AE and AF alone. */
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
  voids: false,
  endOfDay: false,
  tellsSerial: false,
  identifies: true,
  wantsLineEnd: false,
  formatError: false,
  stopWithoutEchoes: true,
};
