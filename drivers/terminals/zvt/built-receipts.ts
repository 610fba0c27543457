import {
  type Currency,
  type MoneyCommand,
  maskCardNumbers,
  type Receipts,
  type TransactionReport,
  toHex,
} from '../../../src/driver-kit/terminal.ts';
import { type BitmapField, bitmapOf, scanBitmaps, tlvOf } from './bitmaps.ts';
import { type Charset, textOf } from './charset.ts';
import { readReport } from './report.ts';

/** The copies of a receipt, and the tag of the terminal's texts for it (TLV 46 customer, 47 merchant). */
const COPIES = { customer: '46', merchant: '47' } as const;
/** Result rules of the card's application; they must be printed on both copies. */
const RULES = '45';
const MAX_LINES = 60;

interface Words {
  readonly copy: Readonly<Record<keyof typeof COPIES, string>>;
  readonly kind: Readonly<Record<MoneyCommand['kind'], string>>;
  readonly terminal: string;
  readonly merchant: string;
  readonly trace: string;
  readonly receipt: string;
  readonly card: string;
  readonly date: string;
  readonly authorisation: string;
  readonly amount: string;
  readonly tip: string;
  readonly signature: string;
}

const WORDS: Readonly<Record<'de' | 'en', Words>> = {
  de: {
    copy: { customer: 'Kundenbeleg', merchant: 'Händlerbeleg' },
    kind: {
      sale: 'Kartenzahlung',
      refund: 'Gutschrift',
      void: 'Storno',
    },
    terminal: 'Terminal-ID',
    merchant: 'VU-Nr.',
    trace: 'TA-Nr.',
    receipt: 'Beleg-Nr.',
    card: 'Karte',
    date: 'Datum',
    authorisation: 'Autor.-Nr.',
    amount: 'Betrag',
    tip: 'davon Trinkgeld',
    signature: 'Unterschrift',
  },
  en: {
    copy: { customer: 'Customer copy', merchant: 'Merchant copy' },
    kind: {
      sale: 'Card payment',
      refund: 'Refund',
      void: 'Reversal',
    },
    terminal: 'Terminal id',
    merchant: 'Merchant id',
    trace: 'Trace',
    receipt: 'Receipt',
    card: 'Card',
    date: 'Date',
    authorisation: 'Authorisation',
    amount: 'Amount',
    tip: 'tip included',
    signature: 'Signature',
  },
};

interface BuildSettings {
  readonly charset: Charset;
  readonly language: 'de' | 'en';
  readonly width: number;
  readonly currency: Currency;
}

/**
 * Builds both copies of a receipt from an approval (`04 0F`), for terminals that send no print commands: the fields of the result, the
 * terminal's texts (3C, TLV 45, 46, 47), and a signature line when the customer signs.
 */
export function builtReceipts(
  data: Uint8Array,
  kind: MoneyCommand['kind'],
  settings: BuildSettings,
): Receipts {
  const { fields } = scanBitmaps(data);
  const report = readReport(data, kind, settings.charset);
  const copyFor = (who: keyof typeof COPIES) =>
    maskCardNumbers(linesOf(who, kind, report, fields, settings).slice(0, MAX_LINES).join('\n'));
  return { merchant: copyFor('merchant'), customer: copyFor('customer') };
}

function linesOf(
  who: keyof typeof COPIES,
  kind: MoneyCommand['kind'],
  report: TransactionReport,
  fields: readonly BitmapField[],
  { charset, language, width, currency }: BuildSettings,
): readonly string[] {
  const words = WORDS[language];
  const money = (minor: number | undefined) =>
    minor === undefined ? undefined : amountText(minor, report.currency ?? currency, language);
  const facts: readonly (readonly [string, string | undefined])[] = [
    [words.terminal, report.terminalId],
    [words.merchant, report.merchantId],
    [words.trace, report.trace],
    [words.receipt, report.number],
    [words.card, report.cardScheme],
    ['', report.maskedPan?.toString()],
    ['AID', report.applicationId],
    [words.date, dateOf(report.terminalClock)],
    [words.authorisation, report.authCode],
    [words.amount, money(report.amountMinor)],
    [words.tip, money(report.tipMinor)],
  ];
  return [
    centred(`* * ${words.copy[who]} * *`, width),
    centred(words.kind[kind], width),
    '',
    ...facts.flatMap(([name, value]) => (value === undefined ? [] : [pair(name, value, width)])),
    ...textLines(report, fields, who, charset),
    ...(who === 'merchant' && isSigned(report) ? ['', '', `${words.signature} ${'_'.repeat(16)}`] : []),
  ];
}

/** The terminal's own texts for the receipt. */
function textLines(
  { text }: TransactionReport,
  fields: readonly BitmapField[],
  who: keyof typeof COPIES,
  charset: Charset,
): readonly string[] {
  const own = [RULES, COPIES[who]].map((tag) => wordsOf(tlvOf(fields, tag)?.value, charset));
  const additional = bitmapOf(fields, '3C') === undefined ? '' : (text ?? '');
  return [additional, ...own].filter((one) => one !== '').flatMap((one) => one.split('\n'));
}

/** Text if the value is printable; binary EMV data as hex digits, as the terminal would print it. */
function wordsOf(value: Uint8Array | undefined, charset: Charset): string {
  if (value === undefined || value.length === 0) return '';
  const isText = value.every((byte) => byte >= 0x20 || byte === 0x0a || byte === 0x0d);
  return isText ? textOf(value, charset).replace(/\r\n?/g, '\n').trim() : toHex(value);
}

function isSigned({ cardholderVerification }: TransactionReport): boolean {
  return cardholderVerification === 'signature' || cardholderVerification === 'pin_and_signature';
}

/** `12,34 EUR` in German, `12.34 EUR` in English; decimals by ISO 4217. */
function amountText(minor: number, currency: Currency, language: 'de' | 'en'): string {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  if (digits === 0) return `${minor} ${currency}`;
  const padded = String(minor).padStart(digits + 1, '0');
  const point = language === 'de' ? ',' : '.';
  return `${padded.slice(0, -digits)}${point}${padded.slice(-digits)} ${currency}`;
}

/** `MMDDhhmmss` as `DD.MM. hh:mm:ss`; the terminal reports no year. */
function dateOf(clock: string | undefined): string | undefined {
  const [, month, day, hour, minute, second] = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(clock ?? '') ?? [];
  return day === undefined ? undefined : `${day}.${month}. ${hour}:${minute}:${second}`;
}

function pair(name: string, value: string, width: number): string {
  return name + value.padStart(Math.max(value.length + 1, width - name.length));
}

function centred(text: string, width: number): string {
  return ' '.repeat(Math.max(0, Math.floor((width - text.length) / 2))) + text;
}
