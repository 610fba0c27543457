/** Length of the account numbers of each country (ISO 13616, the registry of SWIFT). */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    15: 'NO',
    16: 'BE',
    18: 'DK FI FK FO GL NL SD',
    19: 'MK SI',
    20: 'AT BA EE KZ LT LU MN XK',
    21: 'CH HR LI LV',
    22: 'BG BH CR DE GB GE IE ME RS VA',
    23: 'AE GI IL IQ OM SO TL',
    24: 'AD CZ ES MD PK RO SA SE SK TN VG',
    25: 'LY PT ST',
    26: 'IS TR',
    27: 'BI DJ FR GR IT MC MR SM',
    28: 'AL AZ BY CY DO EG GT HN HU LB NI PL SV',
    29: 'BR PS QA UA',
    30: 'JO KW MU YE',
    31: 'MT SC',
    32: 'LC',
    33: 'RU',
  }).flatMap(([length, countries]) => countries.split(' ').map((country) => [country, Number(length)])),
);
const SYMBOL = /[A-Z0-9]/i;

/**
 * Where the account number (IBAN) that begins at `at` ends, in digits and letters with up to one blank or hyphen between; null: there is none, because
 * the country, the length or the check digits are not those of one.
 */
export function endOfIban(text: string, at: number): number | null {
  const length = LENGTHS.get(text.slice(at, at + 2).toUpperCase());
  if (length === undefined) return null;
  let symbols = '';
  let end = at;
  while (symbols.length < length) {
    if (/[ -]/.test(text[end] ?? '')) end += 1;
    const symbol = text[end] ?? '';
    if (!SYMBOL.test(symbol)) return null;
    symbols += symbol;
    end += 1;
  }
  return SYMBOL.test(text[end] ?? '') || !hasChecksum(symbols.toUpperCase()) ? null : end;
}

/** ISO 7064, MOD 97-10. */
function hasChecksum(symbols: string): boolean {
  const moved = symbols.slice(4) + symbols.slice(0, 4);
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}
