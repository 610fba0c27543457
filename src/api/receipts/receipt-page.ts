import { createHash } from 'node:crypto';
import { invariant } from '../../base/invariant.ts';
import type { Language } from '../../base/language.ts';
import { exponentOf, formatMoney, isCurrency } from '../../base/money.ts';
import { filled } from '../../sentences/tongue.js';
import type { TerminalPayment } from '../contract/terminal-payment.ts';
import { RECEIPT_WORDS, type ReceiptFact, type ReceiptWords } from './receipt-words.ts';

const STYLE =
  ':root{color-scheme:light dark;font:1.1rem/1.5 system-ui,sans-serif}body{max-width:30rem;margin:0 auto;padding:1.5rem 1rem}h1{font-size:1.5rem}pre{overflow-x:auto;padding:1rem;border:1px solid}dl{display:grid;grid-template-columns:auto 1fr;gap:.3rem 1rem}dd{margin:0}';

/** Without scripts, pictures and frames; the one style by its hash. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every page here; `Cache-Control: no-store` is in every response of the API. */
export const RECEIPT_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const;

export interface ReceiptPageFacts {
  readonly payment: TerminalPayment;
  readonly language: Language;
  /** Of the shop, as the time-zone database names it. */
  readonly timeZone: string;
  /** When the link ends, epoch ms. */
  readonly expiresAt: number;
}

/** The receipt of a payment for its customer: the text of the terminal, or the same facts where it gave none. */
export function receiptPage({ payment, language, timeZone, expiresAt }: ReceiptPageFacts): string {
  const words = RECEIPT_WORDS[language];
  const at = (instant: string | number, style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(words.locale, { ...style, timeZone }).format(new Date(instant));
  const title = filled(words.titles[payment.type], { amount: amountOf(payment, words.locale) });
  const { customer } = payment.receipts;
  return document(language, title, [
    `<p>${escaped(at(payment.completed_at ?? payment.created_at, { dateStyle: 'long', timeStyle: 'short' }))}</p>`,
    customer === null
      ? factsOf(payment, words)
      : `<pre tabindex="0" aria-label="${escaped(words.copy)}">${escaped(customer)}</pre>`,
    `<p>${escaped(filled(words.keep, { until: at(expiresAt, { timeStyle: 'short' }) }))}</p>`,
  ]);
}

/** What every address answers that opens no receipt, whatever is wrong with it. */
export function noReceiptPage(language: Language, why: 'gone' | 'busy'): string {
  const words = RECEIPT_WORDS[language];
  const sentence = why === 'gone' ? words.goneNow : words.busyNow;
  return document(language, words.gone, [`<p>${escaped(filled(sentence))}</p>`]);
}

function document(language: Language, title: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${parts.join('\n')}
</main>
</body>
</html>
`;
}

function factsOf(payment: TerminalPayment, { facts }: ReceiptWords): string {
  const card = [payment.card_scheme, payment.masked_pan].filter((part) => part !== null).join(' ');
  const values: Readonly<Record<ReceiptFact, string | null>> = {
    card: card === '' ? null : card,
    receipt_number: payment.receipt_number,
    auth_code: payment.auth_code,
    terminal_id: payment.terminal_id,
  };
  const rows = (Object.keys(values) as ReceiptFact[]).flatMap((name) =>
    values[name] === null ? [] : [`<dt>${escaped(facts[name])}</dt><dd>${escaped(values[name])}</dd>`],
  );
  return rows.length === 0 ? '' : `<dl>${rows.join('')}</dl>`;
}

function amountOf(
  { approved_amount_minor, amount_minor, currency }: TerminalPayment,
  locale: string,
): string {
  invariant(isCurrency(currency), `${currency} is a currency of the table`);
  const digits = exponentOf(currency);
  const text = formatMoney({ minor: approved_amount_minor ?? amount_minor, currency }).split(' ')[0];
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(text as `${number}`);
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
