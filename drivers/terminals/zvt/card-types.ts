/**
 * Card type ids of bitmap 8A (and of tag 41 above 255) with a scheme name; the terminal names the others (8B).
 * @see PA00P015 12
 */
const CARD_TYPES: Readonly<Record<number, string>> = {
  2: 'ec',
  5: 'girocard',
  6: 'Mastercard',
  7: 'EAPS',
  8: 'American Express',
  10: 'Visa',
  11: 'Visa Electron',
  12: 'Diners Club',
  13: 'V PAY',
  14: 'JCB',
  15: 'REKA',
  30: 'Geldkarte',
  46: 'Maestro',
  69: 'PostFinance',
  87: 'Bancontact',
  97: 'Alipay',
  111: 'Instant Payment',
  196: 'Dankort',
  198: 'UnionPay',
  232: 'Discover',
  260: 'BlueCode',
};

/** The scheme name of a card type id. */
export function schemeOf(cardType: number): string | undefined {
  return CARD_TYPES[cardType];
}
