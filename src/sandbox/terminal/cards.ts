import { invariant } from '../../base/invariant.ts';

/** A customer's card as a terminal reads it, its number already masked. */
export interface VirtualCard {
  readonly id: string;
  /** Digits, `E` where masked. */
  readonly maskedPan: string;
  readonly scheme: 'girocard' | 'mastercard' | 'visa';
  /** The card's own label. */
  readonly label: string;
  /** Hexadecimal application identifier. */
  readonly aid: string;
  readonly entryMode: 'chip' | 'contactless';
  readonly verification: 'none' | 'online_pin' | 'signature';
  /** The terminal approves it offline. */
  readonly offline?: boolean;
  /** `YYMM`. */
  readonly expiry: string;
}

/** Synthetic cards: no issuer has issued these numbers, and their middle is masked from the start. */
const CARDS: readonly VirtualCard[] = [
  {
    id: 'mastercard-contactless',
    maskedPan: '512345EEEEEE2346',
    scheme: 'mastercard',
    label: 'Mastercard',
    aid: 'A0000000041010',
    entryMode: 'contactless',
    verification: 'none',
    expiry: '2912',
  },
  {
    id: 'visa-chip',
    maskedPan: '476173EEEEEE0119',
    scheme: 'visa',
    label: 'VISA',
    aid: 'A0000000031010',
    entryMode: 'chip',
    verification: 'online_pin',
    expiry: '2810',
  },
  {
    id: 'girocard-contactless',
    maskedPan: '672501EEEEEEEEE4711',
    scheme: 'girocard',
    label: 'girocard',
    aid: 'A00000005945430100',
    entryMode: 'contactless',
    verification: 'online_pin',
    expiry: '2712',
  },
];

/** The customer signs and the terminal is offline: used only when a test or staff select it. */
const SIGNED_OFFLINE: VirtualCard = {
  id: 'visa-signed-offline',
  maskedPan: '476173EEEEEE0143',
  scheme: 'visa',
  label: 'VISA',
  aid: 'A0000000031010',
  entryMode: 'chip',
  verification: 'signature',
  offline: true,
  expiry: '2811',
};

/** The card of the n-th customer: the cards rotate, so that a replay uses the same ones. */
export function cardOfCustomer(n: number): VirtualCard {
  const card = CARDS[n % CARDS.length];
  invariant(card, 'a customer without a card', { n });
  return card;
}

/** Every card that a test or staff can select. */
export function allCards(): readonly VirtualCard[] {
  return [...CARDS, SIGNED_OFFLINE];
}

export function cardById(id: string): VirtualCard | null {
  return allCards().find((card) => card.id === id) ?? null;
}
