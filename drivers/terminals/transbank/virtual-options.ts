/** How terminals of this family differ, or may differ: where the maker's documents say nothing, the driver must handle both. */
export interface TransbankVirtualOptions {
  /** Longest wait for the customer, ms. */
  readonly customerTimeoutMs: number;
  /** The pause between its acknowledgement of a command and its next frame, ms: some tills mistake the two for one if they come together. */
  readonly answerMs: number;
  /** How long the host takes, ms. */
  readonly hostMs: number;
  /** How long it waits for an acknowledgement, ms, and how often it then repeats a frame. */
  readonly acknowledgeMs: number;
  readonly answerRepeats: number;
  /** The answer to a till while a dialogue runs: NAK, or none. */
  readonly busy: 'nak' | 'silence';
  /** How long after the start of a sale it answers poll and list as if it were idle, ms. */
  readonly looksIdleMs: number;
  /** Whether it sends 0900 frames on request. */
  readonly progress: boolean;
  /** Padding of tickets on the left, and their width. */
  readonly ticketFill: '0' | ' ';
  readonly ticketWidth: number;
  /** Whether it leaves the brand of the card blank. */
  readonly blankBrand: boolean;
  /** True: one customer in three pays by debit card; false: all cards are credit cards. */
  readonly debit: boolean;
  /** How the list shows a voided sale: a second line with a negative amount, or only that line. */
  readonly voidedShows: 'twin' | 'replaced';
  /** How many empty lines end the list: one by the reference; some terminals send a second one. */
  readonly endLines: 1 | 2;
  /** Whether the last, empty line of the list names the terminal. */
  readonly endNamesTerminal: boolean;
  /** How it sends a list without sales: the empty line only, or code 11. */
  readonly emptyList: 'end_line' | 'code_11';
  /** `refused`: it does not send its list to a till. */
  readonly list: 'told' | 'refused';
  /** Whether an end of day clears its memory. */
  readonly forgetsAtClose: boolean;
  /** Whether operation numbers restart with every batch. */
  readonly numbersRestart: boolean;
  /** It refuses every sale (26) until its keys are loaded; `refused`: they cannot be loaded. */
  readonly keys: 'loaded' | 'missing' | 'refused';
  /** `normal`: it answers everything with NAK. */
  readonly mode: 'integrated' | 'normal';
}

export const USUAL: TransbankVirtualOptions = {
  customerTimeoutMs: 60_000,
  answerMs: 150,
  hostMs: 300,
  acknowledgeMs: 10_000,
  answerRepeats: 2,
  busy: 'silence',
  looksIdleMs: 0,
  progress: true,
  ticketFill: '0',
  ticketWidth: 6,
  blankBrand: false,
  debit: false,
  voidedShows: 'twin',
  endLines: 1,
  endNamesTerminal: true,
  emptyList: 'end_line',
  list: 'told',
  forgetsAtClose: true,
  numbersRestart: false,
  keys: 'loaded',
  mode: 'integrated',
};
