import { formatMoney, isCurrency } from '../../../src/base/money.ts';
import { cardById } from '../../../src/sandbox/terminal/cards.ts';
import { civilTime } from '../../../src/sandbox/terminal/civil-time.ts';
import type { TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import { container, encodeApdu, tlv } from './virtual-apdu.ts';
import { contractNumber } from './virtual-status.ts';

/** One printed receipt. `type` is TLV 1F07: 1 merchant, 2 customer, 3 administration. */
export interface VirtualReceipt {
  readonly type: 1 | 2 | 3;
  readonly lines: readonly string[];
}

const WIDTH = 24;
const TITLE = {
  sale: 'Kartenzahlung',
  refund: 'Gutschrift',
  void: 'Storno',
} as const;

const CENTRED = 0x40;
const LAST_LINE = 0x81;

/** The merchant's and the customer's receipt. */
export function paymentReceipts(
  record: TransactionRecord,
  shop: string,
  terminalId: string,
): readonly VirtualReceipt[] {
  return [
    { type: 1, lines: lines('Händlerbeleg', record, shop, terminalId) },
    { type: 2, lines: lines('Kundenbeleg', record, shop, terminalId) },
  ];
}

/** A copy of the customer's receipt. */
export function copyReceipt(record: TransactionRecord, shop: string, terminalId: string): VirtualReceipt {
  return { type: 2, lines: lines('Kundenbeleg  KOPIE', record, shop, terminalId) };
}

export function closingReceipt(
  count: number,
  totalMinor: number,
  currency: string,
  at: number,
  shop: string,
): VirtualReceipt {
  return {
    type: 3,
    lines: [
      centred(shop),
      centred('Kassenschnitt'),
      pair('Datum', dateOf(at)),
      pair('Anzahl', String(count)),
      pair('Summe', money(totalMinor, currency)),
    ],
  };
}

function lines(
  title: string,
  record: TransactionRecord,
  shop: string,
  terminalId: string,
): readonly string[] {
  const card = record.cardId === null ? null : cardById(record.cardId);
  return [
    centred(shop),
    centred(`* * ${title} * *`),
    pair('Terminal-ID', terminalId),
    pair('VU-Nr', contractNumber(terminalId)),
    pair('TA-Nr', record.trace),
    pair('Beleg-Nr', record.receiptNumber),
    TITLE[record.kind],
    ...(card
      ? [card.label, pair('Karte', card.maskedPan.replaceAll('E', '#').slice(-16)), pair('AID', card.aid)]
      : []),
    ...(card ? [card.entryMode === 'contactless' ? 'Kontaktlos' : 'Chip'] : []),
    pair('Datum', dateOf(record.at)),
    ...(record.authCode === null ? [] : [pair('Autor.-Nr', record.authCode)]),
    pair('BETRAG', money(record.amountMinor, record.currency)),
    centred(record.kind === 'sale' ? '** Zahlung erfolgt **' : '** Vorgang erfolgt **'),
  ];
}

/** How a till wants receipts printed. */
export interface PrintManner {
  readonly as: 'block' | 'lines';
  /** Tag 14: FF CP437, FE UTF-8, 01 ISO-8859-1. */
  readonly charset: number;
  /** The most lines of a block. */
  readonly blockLines: number;
}

/** The packets that print a receipt: text blocks (`06 D3`), or one packet per line (`06 D1`). */
export function printPackets(receipt: VirtualReceipt, manner: PrintManner): readonly Uint8Array[] {
  const { as, charset, blockLines } = manner;
  const { lines: all, type } = receipt;
  if (as === 'block') {
    const pieces = Math.max(1, Math.ceil(all.length / blockLines));
    return Array.from({ length: pieces }, (_, piece) => {
      const own = all.slice(piece * blockLines, (piece + 1) * blockLines);
      const text = own.map((line) => tlv(0x07, encodeText(line, charset)));
      const end = piece === pieces - 1 ? [tlv(0x09, [LAST_LINE])] : [];
      return encodeApdu(0x06d3, container(tlv(0x1f07, [type]), tlv(0x25, ...text, ...end)));
    });
  }
  const packets = all.map((line) =>
    line.startsWith(' ')
      ? encodeApdu(0x06d1, [CENTRED], encodeText(line.trim(), charset))
      : encodeApdu(0x06d1, [0], encodeText(line, charset)),
  );
  return [...packets, encodeApdu(0x06d1, [LAST_LINE])];
}

const CP437: Readonly<Record<string, number>> = {
  ä: 0x84,
  ö: 0x94,
  ü: 0x81,
  Ä: 0x8e,
  Ö: 0x99,
  Ü: 0x9a,
  ß: 0xe1,
};

const [ISO_8859_1, UTF_8] = [0x01, 0xfe];
/** The charset for printing unless another one is agreed. */
export const DEFAULT_CHARSET = 0xff;

/** Whether this terminal supports a charset. */
export function canWrite(charset: number): boolean {
  return [ISO_8859_1, UTF_8, DEFAULT_CHARSET].includes(charset);
}

/** A text in the charset with this id of tag 14. */
export function encodeText(text: string, charset: number): Uint8Array {
  if (charset === UTF_8) return new TextEncoder().encode(text);
  if (charset === ISO_8859_1) return Uint8Array.from(text, (symbol) => symbol.charCodeAt(0) & 0xff);
  return cp437(text);
}

function cp437(text: string): Uint8Array {
  return Uint8Array.from(
    text,
    (symbol) => CP437[symbol] ?? (symbol.charCodeAt(0) < 0x80 ? symbol.charCodeAt(0) : 0x3f),
  );
}

function centred(text: string): string {
  return ' '.repeat(Math.max(1, Math.floor((WIDTH - text.length) / 2))) + text;
}

function pair(name: string, value: string): string {
  return name + value.padStart(Math.max(value.length + 1, WIDTH - name.length));
}

function money(minor: number, currency: string): string {
  return isCurrency(currency) ? formatMoney({ minor, currency }) : `${minor} ${currency}`;
}

function dateOf(at: number): string {
  const { date, time } = civilTime(at);
  return `${date.slice(6)}.${date.slice(4, 6)}.${date.slice(2, 4)} ${time.slice(0, 2)}:${time.slice(2, 4)}`;
}
