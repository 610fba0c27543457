import type { Language } from './reader.ts';

/** What a judge gets of a shop week: plain facts, in ms since it began and in minor units. Nothing here knows how tilld works. */
export interface Facts {
  readonly baskets: readonly Basket[];
  /** What stood charged of a basket on the terminals' own ledgers, at each moment when it changed. Sales typed by hand are none of these. */
  readonly ledger: readonly Standing[];
  /** Every text that was shown of a payment to a till or a person, in the order in which they were shown. */
  readonly shown: readonly Shown[];
  /** What persons said when they were asked. */
  readonly answers: readonly Answer[];
  readonly end: End;
}

/** What one customer wants to buy. No two baskets of a week have one amount. */
export interface Basket {
  readonly id: string;
  readonly amountMinor: number;
  /** It was rung up in a process run whose books were put back later. */
  readonly wasForgotten: boolean;
  /** A person was asked to compare it with the terminal afterwards. */
  readonly wasCompared: boolean;
  /** The way to the service was troubled when a second till took it: it could not be told that the first one had. */
  readonly takenOffline: boolean;
  /** A person was asked, because two tills took it. */
  readonly wasAskedTwice: boolean;
}

export interface Standing {
  readonly at: number;
  readonly basket: string;
  /** Charged less given back. */
  readonly minor: number;
}

export interface Shown {
  readonly at: number;
  readonly basket: string;
  readonly payment: string;
  readonly type: 'sale' | 'refund' | 'void';
  /** Where it was shown. */
  readonly surface: string;
  readonly language: Language;
  readonly text: string;
}

/** What a person said of one payment: of an unknown outcome, or of one that the books had lost and the terminal shows. */
export interface Answer {
  readonly at: number;
  readonly basket: string;
  readonly payment: string;
  readonly type: 'sale' | 'refund' | 'void';
  readonly stated: 'yes' | 'no' | 'unknown';
  readonly isTrue: boolean;
}

/** The books when everything is mended, everybody was asked, and an hour has passed. */
export interface End {
  readonly payments: readonly Outcome[];
  /** Tasks that were ever put before a person. */
  readonly personTasks: number;
}

export interface Outcome {
  readonly payment: string;
  readonly basket: string;
  readonly type: 'sale' | 'refund' | 'void';
  readonly charged: 'yes' | 'no' | 'unknown';
  readonly isOpen: boolean;
  /** It is being asked by a machine, or a person has it on the list. */
  readonly hasOwner: boolean;
  /** Recorded because evidence contradicted another one, or contradicted by one. */
  readonly isCorrected: boolean;
}
