import { cardById } from '../../../src/sandbox/terminal/cards.ts';
import { civilTime } from '../../../src/sandbox/terminal/civil-time.ts';
import type { TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';

/** Characters of one part. */
const PART = 200;
const NEW_LINE = '}';
const BOLD = '\u007f';
const END = `${NEW_LINE.repeat(6)}\u001b`;
const TITLES = { sale: 'ACQUISTO', void: 'STORNO', refund: 'ACCREDITO' };
const RESULTS = {
  approved: 'TRANSAZIONE AUTORIZZATA',
  declined: 'TRANSAZIONE NEGATA',
  aborted: 'OPERAZIONE ANNULLATA',
};

/** The receipts of a transaction: a copy for the shop and one for the customer, each in parts of at most 200 characters. */
export function receiptParts(terminalId: string, record: TransactionRecord): readonly string[] {
  return ['COPIA ESERCENTE', 'COPIA CLIENTE'].flatMap((title) => partsOf(copy(title, terminalId, record)));
}

/** The shop's copy once more. */
export function copyParts(terminalId: string, record: TransactionRecord): readonly string[] {
  return partsOf(copy('DUPLICATO ESERCENTE', terminalId, record));
}

/** The receipt of a close. */
export function closeParts(terminalId: string, sumMinor: number): readonly string[] {
  return partsOf(lines(['CHIUSURA CONTABILE', `TML ${terminalId}`, `TOTALE EUR ${amount(sumMinor)}`]));
}

function copy(title: string, terminalId: string, record: TransactionRecord): string {
  const { date, time } = civilTime(record.at);
  const card = cardById(record.cardId ?? '')?.maskedPan.replaceAll('E', '*') ?? '';
  return lines([
    'NEGOZIO DI PROVA',
    title,
    '',
    TITLES[record.kind],
    `TML ${terminalId} STAN ${record.trace}`,
    `${date.slice(6)}/${date.slice(4, 6)}/${date.slice(2, 4)} ${time.slice(0, 2)}:${time.slice(2, 4)}`,
    card,
    `${BOLD}IMPORTO EUR ${amount(record.amountMinor)}`,
    RESULTS[record.result],
  ]);
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => text + NEW_LINE).join('') + END;
}

/** The end mark is never split. */
function partsOf(receipt: string): readonly string[] {
  const body = receipt.slice(0, -END.length);
  const parts: string[] = [];
  for (let at = 0; at < body.length; at += PART - END.length)
    parts.push(body.slice(at, at + PART - END.length));
  return parts.map((part, index) => (index === parts.length - 1 ? part + END : part));
}

function amount(minor: number): string {
  return `${Math.floor(minor / 100)},${String(minor % 100).padStart(2, '0')}`;
}
