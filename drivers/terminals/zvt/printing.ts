import { maskCardNumbers, type Receipts } from '../../../src/driver-kit/terminal.ts';
import { type BitmapField, scanBitmaps, tlvOf } from './bitmaps.ts';
import { type Charset, charsetOfTag14, textOf } from './charset.ts';
import { printedElements } from './tlv-text.ts';

/** The longest receipt that is stored, in characters; real ones stay under 5,000. */
const MAX_RECEIPT = 65_536;
const MAX_LINES = 2000;
/** More line feeds than this are ignored. */
const MAX_FEEDS = 20;

type Copy = 'merchant' | 'customer' | 'administration';

/** Print attributes. @see PA00P015 3.4 */
const FEEDS = 0xff;
const LAST_LINE = 0x80;
const CENTRED = 0x40;
const INDENT = 0x0f;

/** A line with its position on the paper. */
interface PlacedLine {
  readonly text: string;
  readonly centred: boolean;
}

/**
 * Collects the print commands of one dialogue: lines (`06 D1`) and text blocks (`06 D3`).
 * Blocks name their copy; lines do not, so a line receipt is recognised by its words, else the first is the merchant's
 * and the next the customer's. Of the attributes centring, indent and line feeds are kept; double width and height are not text.
 */
export class PrintSpool {
  readonly #charset: Charset;
  readonly #width: number;
  readonly #copies: Record<Copy, string> = { merchant: '', customer: '', administration: '' };
  #lines: PlacedLine[] = [];

  /** `width`: characters of a line, for centring; a wider receipt is as wide as its longest line. */
  constructor(charset: Charset, width: number) {
    this.#charset = charset;
    this.#width = width;
  }

  take(control: '06D1' | '06D3', data: Uint8Array): void {
    if (control === '06D1') this.#line(data);
    else this.#block(data);
  }

  /** The receipts printed so far; the administration's copies are not for the customer and are left out. */
  receipts(): Receipts {
    this.#closeLines();
    const { merchant, customer } = this.#copies;
    return { ...(merchant === '' ? {} : { merchant }), ...(customer === '' ? {} : { customer }) };
  }

  /** The receipts printed so far by an administrative command: all of them are the merchant's. */
  shopReceipts(): Receipts {
    this.#closeLines();
    const { administration, merchant, customer } = this.#copies;
    const text = [administration, merchant, customer].filter((copy) => copy !== '').join('\n');
    return text === '' ? {} : { merchant: text };
  }

  /** Reads a `06 D1`: attribute, text, and the TLV container that some terminals append. */
  #line(data: Uint8Array): void {
    const attribute = data[0] ?? 0;
    const { text } = splitTrailingTlv(data.subarray(1));
    this.#put(attribute, attribute === FEEDS ? undefined : textOf(text, this.#charset), data[1]);
    if (attribute > LAST_LINE && attribute < FEEDS) this.#closeLines();
  }

  #put(attribute: number, text: string | undefined, feeds = 1): void {
    if (this.#lines.length >= MAX_LINES) return;
    if (text === undefined) {
      const empty = { text: '', centred: false };
      this.#lines.push(...Array<PlacedLine>(Math.min(feeds, MAX_FEEDS)).fill(empty));
      return;
    }
    const placed = attribute < LAST_LINE;
    const centred = placed && (attribute & CENTRED) !== 0;
    const indent = placed && !centred ? ' '.repeat(attribute & INDENT) : '';
    this.#lines.push({ text: `${indent}${text.trimEnd()}`, centred });
  }

  /** Reads a `06 D3`; a receipt may come in several blocks. An attribute applies to the lines after it. */
  #block(data: Uint8Array): void {
    const { fields } = scanBitmaps(data);
    const charset = charsetOfTag14(tlvOf(fields, '14')?.value ?? new Uint8Array()) ?? this.#charset;
    this.#closeLines();
    let attribute = 0;
    for (const { tag, value } of printedElements(fields)) {
      if (tag === '09') attribute = value[0] ?? 0;
      else this.#put(attribute < LAST_LINE ? attribute : 0, textOf(value, charset));
    }
    const text = this.#laidOut();
    this.#add(copyOf(fields) ?? this.#guess(text), text);
  }

  #laidOut(): string {
    const lines = this.#lines;
    this.#lines = [];
    const width = lines.reduce((widest, { text }) => Math.max(widest, text.length), this.#width);
    return lines.map((line) => (line.centred ? centredIn(line.text.trim(), width) : line.text)).join('\n');
  }

  #closeLines(): void {
    const text = this.#laidOut();
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

function centredIn(text: string, width: number): string {
  return ' '.repeat(Math.max(0, Math.floor((width - text.length) / 2))) + text;
}

/** The longest container that is searched for after a line: every byte 06 may begin one, and a line may consist of those only. */
const MAX_TRAILING_TLV = 512;

/** Cuts a TLV container from the end of a line, if one fits there exactly. */
export function splitTrailingTlv(bytes: Uint8Array): {
  readonly text: Uint8Array;
  readonly fields: readonly BitmapField[];
} {
  const from = Math.max(0, bytes.length - MAX_TRAILING_TLV);
  for (let at = bytes.indexOf(0x06, from); at !== -1; at = bytes.indexOf(0x06, at + 1)) {
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
