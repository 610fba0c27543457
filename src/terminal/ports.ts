import type { TruncatedCardNumber } from '../base/card-number.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Currency, Money } from '../base/money.ts';
import type { Link, NetworkAddress, OpenLink } from './link.ts';

/** How a terminal is distinguished from others: by its serial number, by its terminal id, or only by its port. */
export type IdentityGrade = 'serial' | 'tid' | 'port';

export interface TerminalIdentity {
  readonly grade: IdentityGrade;
  readonly serial?: string;
  readonly terminalId?: string;
  readonly model?: string;
  readonly firmware?: string;
  /** It names itself in its transactions only and has none now: it may be the known terminal. */
  readonly untold?: true;
}

/**
 * What a driver can do on this terminal; any other command is refused before anything is sent.
 * `commitPoint`: when an approval counts: when the terminal shows that our acknowledgement arrived, or at its reception.
 * `settleMs`: how long the terminal must be idle without interruption before "nothing happened" may be said.
 * `goesOnMs`: the longest time in which a terminal that seems idle can still charge, counted from the loss of contact: the time that the
 * device's options give its customer, plus the protocol's own tail. "Nothing happened" is not said before it is over. 0 where idle means idle.
 */
export interface Capabilities {
  readonly refund: boolean;
  readonly void: 'any' | 'last' | 'none';
  /** The customer must present the card again. */
  readonly voidNeedsCard: boolean;
  /** It asks the customer for a tip when a sale says so, and states the tip in its result. */
  readonly tip: boolean;
  readonly abort: boolean;
  readonly recover: 'by_reference' | 'by_number' | 'last_only' | 'none';
  readonly commitPoint: 'acknowledged' | 'received';
  readonly settleMs: number;
  readonly goesOnMs: number;
  readonly endOfDay: boolean;
  /** Its totals can be read without printing, closing or changing anything. */
  readonly totalsWithoutPaper: boolean;
  /** It repeats the receipt of its last transaction on request: {@link TerminalSession.reprint}. Absent: it does not. */
  readonly reprint?: boolean;
  readonly identity: IdentityGrade;
}

/** `refused`: on the driver's list of explicit refusals; `unclear`: anything that the list does not name. */
export type Verdict = 'approved' | 'refused' | 'aborted' | 'unclear';

/**
 * What a terminal reports of one transaction. Every field but `verdict` and `kind` is optional: protocols differ.
 * `kind`: tilld reserves no money, but staff may do so at the terminal itself: a `preauthorisation` charged nothing, its amount is reserved; a
 * `capture` charged its amount; a `release` freed a reservation. None of the three is ever evidence for a sale, a refund or a void: recovery
 * leaves them to a person.
 */
export interface TransactionReport {
  readonly verdict: Verdict;
  readonly kind: 'sale' | 'refund' | 'void' | 'preauthorisation' | 'capture' | 'release' | 'unknown';
  /** Minor units that were charged (or refunded), with everything that was added at the terminal. */
  readonly amountMinor?: number;
  /** What was added at the terminal to the requested amount, in minor units of the same currency. */
  readonly tipMinor?: number;
  readonly surchargeMinor?: number;
  readonly cashbackMinor?: number;
  readonly currency?: Currency;
  /** The result code of the protocol, as written there (`00`, `6C`). */
  readonly responseCode?: string;
  /** Our own reference, as far as the terminal returned it: the command's `ticket`, or its `attemptId` (see {@link OwnReference}). */
  readonly reference?: string;
  /** The terminal's own running number of the transaction (ZVT: receipt number), and its trace (STAN). */
  readonly number?: string;
  readonly trace?: string;
  /** The trace of the transaction that this one reverses. */
  readonly originalTrace?: string;
  readonly authCode?: string;
  readonly maskedPan?: TruncatedCardNumber;
  readonly cardScheme?: string;
  readonly entryMode?: 'chip' | 'contactless' | 'magstripe' | 'manual';
  readonly cardholderVerification?: string;
  readonly applicationId?: string;
  readonly terminalId?: string;
  readonly merchantId?: string;
  readonly rrn?: string;
  readonly uti?: string;
  /** The terminal's own clock, raw: it may be wrong and has no zone. */
  readonly terminalClock?: string;
  readonly online?: 'yes' | 'no';
  /** It refused because its printer has no paper. */
  readonly noPaper?: true;
  /** Free text of the terminal, redacted of card numbers. */
  readonly text?: string;
}

/** What a terminal reports as its last stored transaction. */
export type LastTransaction =
  | { readonly kind: 'found'; readonly report: TransactionReport }
  | { readonly kind: 'empty' }
  | { readonly kind: 'unreadable'; readonly detail: string };

/** What the terminal printed: lines joined by `\n`, redacted of card numbers. */
export interface Receipts {
  readonly merchant?: string;
  readonly customer?: string;
}

/**
 * How a money dialogue ended. Silence, a lost link and an unknown code are `unknown`, with the last evidence. Only an explicit message of the
 * terminal produces the others.
 */
export type Outcome =
  | { readonly kind: 'approved'; readonly report: TransactionReport; readonly receipts: Receipts }
  | { readonly kind: 'declined'; readonly report: TransactionReport; readonly receipts: Receipts }
  | { readonly kind: 'aborted'; readonly report: TransactionReport; readonly receipts: Receipts }
  /** No byte of the money frame was handed to the system, or the terminal refused before accepting it. */
  | { readonly kind: 'not_started'; readonly code: string; readonly message: string }
  | {
      readonly kind: 'unknown';
      readonly code: string;
      readonly message: string;
      readonly lastReport?: TransactionReport;
    };

/** The transaction that a void reverses, or the sale of a refund, in the terminal's own numbers; `amountMinor` is what it charged. */
export interface OriginalTransaction {
  readonly number?: string;
  readonly trace?: string;
  /** Our own reference of it, as the terminal returned it. */
  readonly reference?: string;
  readonly amountMinor: number;
  /** The terminal's own clock, raw. */
  readonly terminalClock?: string;
  readonly maskedPan?: TruncatedCardNumber;
}

/** How a payment of tilld is named to a terminal that returns a reference; both are unique for ever. */
export interface OwnReference {
  /** A UUID. */
  readonly attemptId: string;
  /** Six characters of base 36 in capitals, the first a letter; never used twice, and in no open batch that was read. */
  readonly ticket: string;
}

/** The reference by which tilld asks for one of its payments. */
export interface AskedReference extends OwnReference {
  /** Of a void: the sale that it reverses, for terminals that keep no record of a void under a reference of its own. */
  readonly sale?: OwnReference;
}

/** A command that moves money. The driver sends it once; it never repeats it on silence. */
export type MoneyCommand = OwnReference &
  (
    | {
        readonly kind: 'sale';
        readonly amount: Money;
        /** The terminal asks the customer for a tip, which comes on top; only where `capabilities.tip`. Absent: it does not. */
        readonly tip?: 'ask';
      }
    | {
        readonly kind: 'refund';
        readonly amount: Money;
        /** The sale, where this very terminal took it; absent: another one did, or it is not known. Its batch may be closed: then its numbers may be given again. */
        readonly original?: OriginalTransaction;
      }
    | {
        readonly kind: 'void';
        readonly amount: Money;
        /** Named as strongly as the protocol can. */
        readonly original: OriginalTransaction;
      }
  );

/**
 * What a terminal reports of one payment of tilld, asked for by our own reference.
 * `absent`: it reports all it has stored, and this payment is not in it; `others` is the report, oldest first. The core decides whether that
 * proves anything: a list that lost its older lines proves nothing. `never_seen`: for terminals that store every command under its reference
 * and have no record of this one; `keptMs`: for how long they store it, `last`: their last transaction now. The core decides what that proves.
 */
export type OwnTransaction =
  | { readonly kind: 'found'; readonly report: TransactionReport }
  | { readonly kind: 'absent'; readonly others: readonly TransactionReport[] }
  | { readonly kind: 'never_seen'; readonly keptMs: number; readonly last: LastTransaction }
  | { readonly kind: 'unreadable'; readonly detail: string };

/** Sums of the terminal's open batch, as far as it reports them: minor units, with the terminal's own sign. */
export interface Totals {
  readonly count?: number;
  readonly amountMinor?: number;
  readonly currency?: Currency;
  readonly firstNumber?: string;
  readonly lastNumber?: string;
  readonly byScheme?: readonly {
    readonly scheme: string;
    readonly count: number;
    readonly amountMinor: number;
  }[];
}

/** How an end of day ended. `refused`: explicitly by the terminal, its batch is still open. */
export type CloseOutcome =
  | { readonly kind: 'closed'; readonly totals: Totals | null; readonly receipts: Receipts }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'unknown'; readonly code: string; readonly message: string };

/**
 * What became of a request to repeat the last receipt. `printed`: the terminal took the command and prints on its own paper, where it has some;
 * `received`: the copy came to us as text, redacted of card numbers; `refused`: explicitly, there is no copy. It is for a person who
 * compares, and never evidence for tilld.
 */
export type Reprint =
  | { readonly kind: 'printed' }
  | { readonly kind: 'received'; readonly text: string }
  | { readonly kind: 'refused'; readonly message: string };

/** What the terminal reports of its open batch without printing, oldest first. `complete`: `lines` holds the whole batch. */
export interface TerminalJournal {
  readonly complete: boolean;
  readonly lines: readonly TransactionReport[];
  readonly totals: Totals | null;
}

/**
 * The callbacks of the core while a money dialogue runs. They are synchronous and commit to disk before they return.
 * `false` means that it is not on disk: do not answer the terminal, leave the link silent and resolve `unknown`.
 */
export interface Observer {
  /** The terminal accepted the command. */
  accepted(): boolean;
  /** A text for the people at the counter; nothing is stored. */
  progress(text: string): void;
  /**
   * A result arrived inside the dialogue. It may come several times; the last one counts. Called before it is answered.
   * `end`: what `execute` will resolve to, where nothing relevant follows this result; both are one commit, and `beforeEnd` is not called.
   */
  beforeAcknowledge(report: TransactionReport, end?: Outcome): boolean;
  /** The dialogue's end arrived. Called before it is answered, with what `execute` will resolve to. */
  beforeEnd(outcome: Outcome): boolean;
}

/**
 * Whether a sale could go to the terminal now. The driver first does what it can do by itself (register, wake the terminal), then answers. The
 * code TERMINAL_BUSY says that a dialogue runs on the terminal: nothing else is asked of it then.
 */
export type Readiness =
  /** `terminalClock`: the present time of its own clock, `MMDDhhmmss`, where it reports it. */
  | { readonly kind: 'ready'; readonly terminalClock?: string }
  | { readonly kind: 'wait'; readonly code: string; readonly message: string }
  | { readonly kind: 'person'; readonly code: string; readonly message: string };

/**
 * A session with one terminal over one link. The caller runs one method at a time; `abort` and `close` may overlap.
 * Every method rejects with an {@link AppError} when the link ends or the signal aborts, except `execute`, which resolves `unknown`.
 */
export interface TerminalSession {
  /** Capabilities measured on this device; at least as narrow as the manifest's. */
  readonly capabilities: Capabilities;
  /** Identifies the terminal. Never contains a money command and prints nothing. */
  identify(signal: AbortSignal): Promise<TerminalIdentity>;
  /** Proves the terminal idle, without a card, and able to sell. Never money, prints nothing. */
  readiness(signal: AbortSignal): Promise<Readiness>;
  /** Reads the last stored transaction without printing it. */
  lastTransaction(signal: AbortSignal): Promise<LastTransaction>;
  /**
   * Every reference in the terminal's open batch, of this till and of others, as of its newest reading. Absent where the terminal reports its
   * last transaction alone. Sends nothing to the terminal.
   */
  references?(): ReadonlySet<string>;
  /**
   * The result of one payment of tilld, read by its reference, without printing: present where `recover` is
   * `by_reference` and nowhere else (such a session is refused). The reference must
   * match; amount or time alone never do. A void is asked for by its own reference. Where the terminal keeps none of it, the `sale`'s reference
   * is used, whose record must then show whether it was reversed. Never money.
   */
  ownTransaction?(reference: AskedReference, signal: AbortSignal): Promise<OwnTransaction>;
  /**
   * Takes the late result of a payment that an earlier session began, where a terminal stores it and sends it unasked. Waits a few seconds (set
   * by the driver), matches it by its reference, and answers it as `execute` would.
   * Null when none came, or one of another payment, which is not acknowledged. Sends no command. Absent where terminals do not do that.
   */
  lateEnd?(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome | null>;
  /** Runs one money dialogue to its end. Resolves once; never throws. */
  execute(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome>;
  /**
   * Asks the terminal to stop the running money dialogue, inside it and on the same link, or on a connection beside it
   * ({@link DriverContext.openBeside}); the dialogue still gives the outcome.
   * Does nothing where no dialogue runs or the protocol has no such command.
   */
  abort(): void;
  /**
   * Closes the terminal's batch. No money moves, but the terminal may erase its transactions. Resolves once; never throws.
   * `progress`: texts for the people at the counter.
   */
  endOfDay(progress: (text: string) => void, signal: AbortSignal): Promise<CloseOutcome>;
  /** Sums of the open batch; null where the terminal does not report them. Never money, prints nothing, closes nothing. */
  totals(signal: AbortSignal): Promise<Totals | null>;
  /** Reads what the terminal reports of its open batch. Never money, prints nothing, closes nothing. */
  journal(signal: AbortSignal): Promise<TerminalJournal>;
  /**
   * Repeats the receipt of the last transaction, on the terminal's paper or as text, wherever its receipts go. Never money, changes nothing that
   * the terminal stores; a lost answer costs a second copy at most. Absent where the protocol has no such request.
   */
  reprint?(signal: AbortSignal): Promise<Reprint>;
  /** Ends the session; idempotent, safe after a failed open. */
  close(): Promise<void>;
}

/** Records the frames of a dialogue, card data already redacted. */
export interface Transcript {
  record(direction: 'sent' | 'received', summary: string): void;
}

export interface DriverContext {
  readonly deviceId: string;
  readonly currency: Currency;
  readonly clock: Clock;
  readonly log: Log;
  readonly transcript: Transcript;
  /** The device's `options` of the config, already parsed by the manifest's schema. */
  readonly options: unknown;
  /**
   * Opens another connection to the same terminal, for protocols whose terminals hang up after each answer; the previous one must be closed. At
   * most one is open, and the caller of the session ends it together with the session.
   * @throws LINK_REFUSED (nothing was sent), or the signal's reason.
   */
  readonly dial: OpenLink;
  /**
   * Opens a connection beside the open one, which stays: for protocols that take the request to stop a payment on a connection of its own. At
   * most one is open; it ends with the session.
   * @throws LINK_REFUSED (nothing was sent), also on a serial line; the signal's reason
   */
  readonly openBeside: OpenLink;
  /** Where the terminal is in the network; absent on a serial line. */
  readonly address?: NetworkAddress;
}

/** The driver of one terminal family. */
export interface TerminalDriver {
  /**
   * Opens the session: nothing that moves money, nothing that prints.
   * @throws TERMINAL_WRONG_PROTOCOL, TERMINAL_NO_ANSWER, or what the link throws.
   */
  open(link: Link, context: DriverContext, signal: AbortSignal): Promise<TerminalSession>;
}
