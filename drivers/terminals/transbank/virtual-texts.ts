import { cardById } from '../../../src/sandbox/terminal/cards.ts';
import { civilTime } from '../../../src/sandbox/terminal/civil-time.ts';
import type { TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import type { TransbankVirtualOptions } from './virtual-options.ts';

/** The shop's id at its acquirer. */
const COMMERCE = '597029414300';
const NO_AUTHORISATION = ' '.repeat(6);
const BRANDS = { mastercard: 'MC', visa: 'VI', girocard: 'DB' } as const;

/** The messages of a virtual terminal of this family, field by field. */
export class VirtualTexts {
  readonly #terminalId: string;
  readonly #options: TransbankVirtualOptions;

  constructor(terminalId: string, options: TransbankVirtualOptions) {
    this.#terminalId = terminalId;
    this.#options = options;
  }

  /** `0210` or `0260` of an approved sale; `code`: the code that is sent instead. */
  sale(functionCode: '0210' | '0260', record: TransactionRecord): string {
    const { type, brand, last4 } = this.#card(record);
    const { date, time } = clockOf(record.at);
    return [
      ...this.#head(functionCode, '00'),
      this.#ticket(record.reference),
      record.authCode ?? NO_AUTHORISATION,
      record.amountMinor,
      '0',
      '',
      last4,
      operationOf(record),
      type,
      '',
      '',
      brand,
      date,
      time,
      '',
      record.tipMinor,
      '',
      '',
    ].join('|');
  }

  /** `0210` of a sale that failed, or that the terminal reports as failed. */
  refusal(code: string, ticket: string): string {
    const fields = [this.#ticket(ticket), NO_AUTHORISATION, 0, 0, '', '', '', '', '', '', '', '', '', '', 0];
    return [...this.#head('0210', code), ...fields, '', ''].join('|');
  }

  /** One line of the list. A voided sale has a negative amount and the time and authorisation of its void. */
  line(sale: TransactionRecord, undone: TransactionRecord | null): string {
    const shown = undone ?? sale;
    const { type, brand, last4 } = this.#card(sale);
    const { date, time } = clockOf(shown.at);
    return [
      ...this.#head('0261', '00'),
      this.#ticket(sale.reference),
      shown.authCode ?? NO_AUTHORISATION,
      undone ? -sale.amountMinor : sale.amountMinor,
      last4,
      operationOf(sale),
      type,
      '',
      '',
      brand,
      date,
      time,
      '0',
      sale.tipMinor,
      '',
      '0',
      '',
    ].join('|');
  }

  /** The empty line that ends the list. */
  endLine(code = '00'): string {
    const head = this.#options.endNamesTerminal ? this.#head('0261', code) : ['0261', code, '', ''];
    return [...head, ...Array<string>(16).fill('')].join('|');
  }

  closed(code: string): string {
    return [...this.#head('0510', code), ''].join('|');
  }

  keysLoaded(code: string): string {
    return this.#head('0810', code).join('|');
  }

  undo(code: string, authCode: string, operation: string): string {
    return [...this.#head('1210', code), authCode, operation].join('|');
  }

  #head(functionCode: string, code: string): readonly string[] {
    return [functionCode, code, COMMERCE, this.#terminalId];
  }

  #ticket(reference: string): string {
    const { ticketFill, ticketWidth } = this.#options;
    return reference === '' ? ' ' : reference.padStart(ticketWidth, ticketFill);
  }

  #card({ cardId }: TransactionRecord) {
    const card = cardById(cardId ?? '');
    if (!card) return { type: '', brand: '', last4: '' };
    const type = this.isDebit(cardId) ? 'DB' : 'CR';
    const known = card.scheme === 'girocard' && type === 'CR' ? 'MC' : BRANDS[card.scheme];
    return { type, brand: this.#options.blankBrand ? '  ' : known, last4: card.maskedPan.slice(-4) };
  }

  isDebit(cardId: string | null): boolean {
    return this.#options.debit && cardById(cardId ?? '')?.scheme === 'girocard';
  }
}

/** The operation number with which a sale can be voided. */
export function operationOf({ receiptNumber }: TransactionRecord): string {
  return receiptNumber.padStart(6, '0');
}

/** `DDMMYYYY` and `hhmmss`. */
function clockOf(at: number): { readonly date: string; readonly time: string } {
  const { date, time } = civilTime(at);
  return { date: date.slice(6) + date.slice(4, 6) + date.slice(0, 4), time };
}
