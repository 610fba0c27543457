import type { Json, JsonObject } from '../../integration/connector.ts';

/** Of one row, or of one search. */
const MOST_WORDS = 200;
const LONGEST_WORD = 40;
const DEEPEST = 4;
/** Fields whose text is the same in most rows, or that no person would type. */
const UNSAID = new Set([
  'object',
  'locale',
  'status',
  'currency',
  'default_currency',
  'interval',
  'tax_code',
]);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}(?:T|$)/;
const LINK = /^https?:/i;
const AMOUNT = /(?:_minor|amount|total|subtotal|price)$/;
const ASCII = /^[\x20-\x7e]*$/;
/** Letters that no accent can be taken from. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/**
 * The words of a text in the form in which they are compared: lower case, without accents, letters and digits only. `12,34` is the one word `1234`, as
 * amounts stand in the rows. Everything else in the text, quotes and operators included, separates words.
 */
export function foldedWords(text: string): readonly string[] {
  const folded = ASCII.test(text) ? text.toLowerCase() : withoutAccents(text);
  const words = folded.replace(/(\d)[.,](?=\d{2}(?!\d))/g, '$1').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, MOST_WORDS)
    .map((word) => (word.length > LONGEST_WORD ? cut(word, LONGEST_WORD) : word));
}

/** The first `length` characters of a word. */
export function cut(word: string, length: number): string {
  return [...word].slice(0, length).join('');
}

/** The words by which a row is found: of its texts and amounts, nested ones included; ids, timestamps and links are not words. */
export function wordsOfRow(body: JsonObject): readonly string[] {
  const words = new Set<string>();
  collect(body, '', 0, words);
  return [...words];
}

function collect(value: Json, field: string, depth: number, words: Set<string>): void {
  if (words.size >= MOST_WORDS || depth > DEEPEST) return;
  if (typeof value === 'string') collectText(value, field, words);
  else if (typeof value === 'number') collectAmount(value, field, words);
  else if (Array.isArray(value)) for (const item of value) collect(item, field, depth + 1, words);
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) collect(item, name, depth + 1, words);
}

function collectText(text: string, field: string, words: Set<string>): void {
  if (UNSAID.has(field) || UUID.test(text) || TIMESTAMP.test(text) || LINK.test(text)) return;
  for (const word of foldedWords(text)) words.add(word);
}

function collectAmount(minor: number, field: string, words: Set<string>): void {
  if (AMOUNT.test(field) && Number.isSafeInteger(minor)) words.add(String(Math.abs(minor)));
}

function withoutAccents(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter);
}
