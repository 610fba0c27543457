/** By what terminals of this family differ, or may differ: where the maker is silent, both ways are to be borne. */
export interface TransbankVirtualOptions {
  /** A customer who does nothing is given up after this time, ms. */
  readonly customerTimeoutMs: number;
  /** How long after its acknowledgement of a command it says something, ms: some tills take both for one if they come together. */
  readonly answerMs: number;
  /** How long the host takes, ms. */
  readonly hostMs: number;
  /** How long it waits for an acknowledgement, ms, and how often it then says a frame again. */
  readonly acknowledgeMs: number;
  readonly answerRepeats: number;
  /** What a till hears while a dialogue runs: NAK, or nothing. */
  readonly busy: 'nak' | 'silence';
  /** How long after a sale began it answers poll and list as if it were idle, ms. */
  readonly looksIdleMs: number;
  /** It sends 0900 frames when it is asked to. */
  readonly progress: boolean;
  /** What it fills tickets with on the left, and to which width. */
  readonly ticketFill: '0' | ' ';
  readonly ticketWidth: number;
  /** It leaves the brand of the card blank. */
  readonly blankBrand: boolean;
  /** One customer in three pays by debit card; without it all cards are credit cards. */
  readonly debit: boolean;
  /** How the list shows a voided sale: a second line with a minus, or that one only. */
  readonly voidedShows: 'twin' | 'replaced';
  /** How many empty lines end the list. */
  readonly endLines: 1 | 2;
  /** The last, empty line of the list names the terminal. */
  readonly endNamesTerminal: boolean;
  /** How it tells a list without sales: the empty line only, or code 11. */
  readonly emptyList: 'end_line' | 'code_11';
  /** `refused`: it does not tell its list to a till. */
  readonly list: 'told' | 'refused';
  /** An end of day empties its memory. */
  readonly forgetsAtClose: boolean;
  /** Operation numbers begin anew with every day. */
  readonly numbersRestart: boolean;
  /** It refuses every sale (26) until its keys are loaded; `refused`: they cannot be. */
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
  endLines: 2,
  endNamesTerminal: true,
  emptyList: 'end_line',
  list: 'told',
  forgetsAtClose: true,
  numbersRestart: false,
  keys: 'loaded',
  mode: 'integrated',
};
