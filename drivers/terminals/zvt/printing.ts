import { maskCardNumbers, type Receipts } from '../../../src/driver-kit/terminal.ts';
import { type BitmapField, scanBitmaps, tlvOf } from './bitmaps.ts';
import { type Charset, charsetOfTag14, textOf } from './charset.ts';
import { textLinesOf } from './tlv-text.ts';

/** The longest receipt we keep, in characters; real ones stay under 5,000. */
const MAX_RECEIPT = 65_536;

type Copy = 'merchant' | 'customer' | 'administration';

/**
 * Gathers what a terminal asks us to print in one dialogue: lines (`06 D1`) and text blocks (`06 D3`).
 * Blocks say whose copy they are; lines do not, so a line receipt is told by its words, else the first is the merchant's
 * and the next the customer's.
 */
export class PrintSpool {
  readonly #charset: Charset;
  readonly #copies: Record<Copy, string> = { merchant: '', customer: '', administration: '' };
  #lines: string[] = [];

  constructor(charset: Charset) {
    this.#charset = charset;
  }

  take(control: '06D1' | '06D3', data: Uint8Array): void {
    if (control === '06D1') this.#line(data);
    else this.#block(data);
  }

  /** What was printed so far; the administration's copies are not the customer's business and are left out. */
  receipts(): Receipts {
    this.#closeLines();
    const { merchant, customer } = this.#copies;
    return { ...(merchant === '' ? {} : { merchant }), ...(customer === '' ? {} : { customer }) };
  }

  /** What was printed so far by a command of the shop's own business: all of it is the merchant's. */
  shopReceipts(): Receipts {
    this.#closeLines();
    const { administration, merchant, customer } = this.#copies;
    const text = [administration, merchant, customer].filter((copy) => copy !== '').join('\n');
    return text === '' ? {} : { merchant: text };
  }

  /** Takes the data of a `06 D1`: attribute, text, and the TLV that some terminals append unasked. */
  #line(data: Uint8Array): void {
    const { attribute, text, feeds } = readPrintLine(data, this.#charset);
    if (this.#lines.length < 2000) this.#lines.push(...(feeds > 0 ? Array<string>(feeds).fill('') : [text]));
    if (attribute > 0x80 && attribute < 0xff) this.#closeLines();
  }

  /** Takes the data of a `06 D3`; a receipt may come in several blocks. */
  #block(data: Uint8Array): void {
    const { fields } = scanBitmaps(data);
    const charset = charsetOfTag14(tlvOf(fields, '14')?.value ?? new Uint8Array()) ?? this.#charset;
    const text = textLinesOf(fields, '25')
      .map((line) => textOf(line, charset).trimEnd())
      .join('\n');
    this.#add(copyOf(fields) ?? this.#guess(text), text);
  }

  #closeLines(): void {
    const text = this.#lines.join('\n');
    this.#lines = [];
    if (text.trim() !== '') this.#add(this.#guess(text), text);
  }

  #add(copy: Copy, text: string): void {
    const before = this.#copies[copy];
    const joined = before === '' ? text : `${before}\n${text}`;
    this.#copies[copy] = maskCardNumbers(joined.slice(0, MAX_RECEIPT));
  }

  #guess(text: string): Copy {
    const words = text.replace(/[\s*.-]+/g, '').toLowerCase();
    if (/kundenbeleg|customer(receipt|copy)|kopiekunde|ticketclient/.test(words)) return 'customer';
    if (/händlerbeleg|haendlerbeleg|merchant(receipt|copy)/.test(words)) return 'merchant';
    return this.#copies.merchant === '' ? 'merchant' : 'customer';
  }
}

/** A print line taken apart. `feeds`: number of empty lines when the attribute is FF. */
interface PrintLine {
  readonly attribute: number;
  readonly text: string;
  readonly feeds: number;
  /** What followed the text as bitmap 06. */
  readonly fields: readonly BitmapField[];
}

/** Reads `attribute (1) | text [06 TLV]`; an empty one has attribute 0 and no text. */
function readPrintLine(data: Uint8Array, charset: Charset): PrintLine {
  const attribute = data[0] ?? 0;
  if (attribute === 0xff) return { attribute, text: '', feeds: Math.min(data[1] ?? 0, 20), fields: [] };
  const { text, fields } = splitTrailingTlv(data.subarray(1));
  return { attribute, text: textOf(text, charset).trimEnd(), feeds: 0, fields };
}

/** Cuts a TLV container from the end of a line, if one fits there exactly. */
export function splitTrailingTlv(bytes: Uint8Array): {
  readonly text: Uint8Array;
  readonly fields: readonly BitmapField[];
} {
  for (let at = bytes.indexOf(0x06); at !== -1; at = bytes.indexOf(0x06, at + 1)) {
    const { fields, error } = scanBitmaps(bytes.subarray(at));
    if (!error && bytes.length - at > 1) return { text: bytes.subarray(0, at), fields };
  }
  return { text: bytes, fields: [] };
}

function copyOf(fields: readonly BitmapField[]): Copy | undefined {
  const type = tlvOf(fields, '1F07')?.value[0];
  if (type === 1) return 'merchant';
  if (type === 2) return 'customer';
  return type === 3 ? 'administration' : undefined;
}
