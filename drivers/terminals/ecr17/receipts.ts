import { maskCardNumbers, type Receipts } from '../../../src/driver-kit/terminal.ts';

/** The end of a receipt's last part: six new lines and the end mark. */
const END_OF_RECEIPT = `${'}'.repeat(6)}\u001b`;
const NEW_LINE = '}';
/** Characters that set another height or width of the line: 7E, 7F, 7B, 7C, 5E. They are not text. */
const SIZES = /[\u007e\u007f\u007b\u007c^]/g;
/** A line ends by itself after this many characters. */
const LINE_WIDTH = 24;
/** The longest receipt that is kept, in characters. */
const MOST_CHARACTERS = 20_000;
/** Receipts of one procedure: a copy for each side. */
const MOST_RECEIPTS = 4;
/** Titles of the customer's copy. */
const CUSTOMERS_COPY = /CLIENTE|CUSTOMER/i;
const SHOPS_COPY = /ESERCENTE|MERCHANT/i;

export function isLastPart(part: string): boolean {
  return part.endsWith(END_OF_RECEIPT);
}

/** Receipts that a terminal sends in parts of up to 200 characters. */
export class ReceiptCollector {
  readonly #receipts: string[] = [];
  #parts = '';

  /** Whether the first part of an incomplete receipt has arrived. */
  get isOpen(): boolean {
    return this.#parts !== '';
  }

  get isEmpty(): boolean {
    return this.#receipts.length === 0 && !this.isOpen;
  }

  /** The text of one `S`. */
  add(part: string): void {
    this.#parts = (this.#parts + part).slice(0, MOST_CHARACTERS);
    if (isLastPart(part)) this.#finish();
  }

  /**
   * The receipts received so far. A receipt with the title of a copy is that copy; one without serves both sides.
   */
  receipts(): Receipts {
    const all = this.isOpen ? [...this.#receipts, readable(this.#parts)] : this.#receipts;
    const customer = all.find((text) => CUSTOMERS_COPY.test(text) && !SHOPS_COPY.test(text));
    const merchant = all.find((text) => text !== customer && SHOPS_COPY.test(text));
    const untitled = all.find((text) => text !== customer && text !== merchant);
    const [forMerchant, forCustomer] = [merchant ?? untitled, customer ?? untitled];
    return {
      ...(forMerchant === undefined ? {} : { merchant: forMerchant }),
      ...(forCustomer === undefined ? {} : { customer: forCustomer }),
    };
  }

  #finish(): void {
    if (this.#receipts.length < MOST_RECEIPTS) this.#receipts.push(readable(this.#parts));
    this.#parts = '';
  }
}

/**
 * A receipt as lines of text: 7D ends a line (an empty line if there is no text), a line of 24 characters ends by itself, size characters are
 * removed, card numbers are masked.
 */
function readable(parts: string): string {
  const lines: string[] = [];
  let line = '';
  const end = () => {
    lines.push(line.trimEnd());
    line = '';
  };
  for (const sign of parts.replace(END_OF_RECEIPT, '').replace(SIZES, '')) {
    if (sign === NEW_LINE) end();
    else line += /[\x20-\x7e]/.test(sign) ? sign : '?';
    if (line.length === LINE_WIDTH) end();
  }
  if (line !== '') end();
  return maskCardNumbers(lines.join('\n').trimEnd());
}
