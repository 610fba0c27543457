import { cardById, type VirtualCard } from '../../../src/sandbox/terminal/cards.ts';
import { civilTime } from '../../../src/sandbox/terminal/civil-time.ts';
import type { TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import { bcd, concat, container, encodeApdu, lvar, packed, tlv } from './virtual-apdu.ts';
import { currencyField } from './virtual-commands.ts';

/** The settings that select the fields of a result. */
export interface StatusSetting {
  readonly terminalId: string;
  readonly currency: string;
  /** Bitmap 49 is sent when the till sent one. */
  readonly withCurrency: boolean;
  /** TLV is sent when the till has used it. */
  readonly withTlv: boolean;
  /** See the option of the same name. */
  readonly takenBackVoidShows: 'own_trace' | 'original_trace';
}

const CARD_TYPE = { girocard: 5, mastercard: 6, visa: 10 } as const;
const VERIFICATION = { none: 0x00, signature: 0x01, online_pin: 0x02 } as const;
const ENTRY = { chip: 0x01, contactless: 0x02 } as const;
const DECLINED = 0x05;

/** `04 0F` of a transaction in the ledger. */
export function statusInformation(record: TransactionRecord, setting: StatusSetting): Uint8Array {
  const card = record.cardId === null ? null : cardById(record.cardId);
  const code = record.result === 'approved' ? 0x00 : DECLINED;
  return encodeApdu(
    0x040f,
    common(code, record, setting),
    record.stored ? concat([0x87], bcd(record.receiptNumber, 2)) : [],
    undoneTrace(record, setting),
    card ? cardFields(card) : [],
    record.authCode === null ? [] : concat([0x3b], asciiPadded(record.authCode, 8)),
    card && setting.withTlv ? cardContainer(card, record) : [],
  );
}

/** A result for a payment that is not (or not yet) in the ledger. */
export interface Refusal {
  readonly code: number;
  readonly text: string;
  readonly amountMinor: number;
  /** Absent when the host was never asked. */
  readonly trace: string | null;
  /** Absent when it is not stored. */
  readonly receiptNumber: string | null;
  readonly at: number;
}

/** `04 0F` of a failed payment: refused, aborted, wrong PIN. */
export function refusalInformation(refusal: Refusal, setting: StatusSetting): Uint8Array {
  const text = concat([0x3c], lvar(3, ascii(refusal.text)));
  const receipt = refusal.receiptNumber === null ? [] : concat([0x87], bcd(refusal.receiptNumber, 2));
  return encodeApdu(0x040f, common(refusal.code, refusal, setting), receipt, text);
}

function common(
  code: number,
  of: { amountMinor: number; trace: string | null; at: number },
  setting: StatusSetting,
): Uint8Array {
  const { date, time } = civilTime(of.at);
  return concat(
    [0x27, code, 0x04],
    bcd(String(of.amountMinor), 6),
    setting.withCurrency ? currencyField(setting.currency) : [],
    of.trace === null ? [] : concat([0x0b], bcd(of.trace, 3)),
    [0x0c],
    bcd(time, 3),
    [0x0d],
    bcd(date.slice(4), 2),
    [0x29],
    bcd(setting.terminalId, 4),
    [0x2a],
    asciiPadded(contractNumber(setting.terminalId), 15, 0x20),
  );
}

/** Bitmap 37: a void names the trace of its original; a transaction that the terminal reversed by itself names its own. */
function undoneTrace(record: TransactionRecord, setting: StatusSetting): Uint8Array {
  const own = record.reversed ? record.trace : null;
  const trace =
    setting.takenBackVoidShows === 'own_trace'
      ? (own ?? record.originalTrace)
      : (record.originalTrace ?? own);
  return trace === null ? Uint8Array.of() : concat([0x37], bcd(trace, 3));
}

function cardFields(card: VirtualCard): Uint8Array {
  return concat(
    [0x0e],
    bcd(card.expiry, 2),
    [0x19, paymentType(card), 0x22],
    lvar(2, packed(card.maskedPan)),
    [0x8a, CARD_TYPE[card.scheme], 0x8b],
    lvar(2, concat(ascii(card.label), [0])),
  );
}

/** Bitmap 19: 40 offline, 60 online, 70 with a PIN. */
function paymentType(card: VirtualCard): number {
  if (card.offline) return 0x40;
  return card.verification === 'online_pin' ? 0x70 : 0x60;
}

function cardContainer(card: VirtualCard, { tipMinor, cashbackMinor }: TransactionRecord): Uint8Array {
  return container(
    tlv(
      0x2f,
      tlv(0x1f10, [VERIFICATION[card.verification]]),
      tlv(0x1f11, [card.offline ? 0 : 1]),
      tlv(0x1f12, [ENTRY[card.entryMode]]),
    ),
    tlv(0x60, tlv(0x43, packed(card.aid)), tlv(0x44, ascii(card.label))),
    tipMinor === 0 ? Uint8Array.of() : tlv(0x1f36, bcd(String(tipMinor), 6)),
    cashbackMinor === 0 ? Uint8Array.of() : tlv(0x1f25, bcd(String(cashbackMinor), 6)),
  );
}

/** The number of the contract with the acquirer (bitmap 2A). */
export function contractNumber(terminalId: string): string {
  return `100${terminalId}`;
}

/** The code of an approval: looks random, but is the same in every replay. */
export function approvalCode(trace: string): string {
  return String((Number(trace) * 7919 + 104_729) % 1_000_000).padStart(6, '0');
}

export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (symbol) => symbol.charCodeAt(0) & 0x7f);
}

function asciiPadded(text: string, size: number, fill = 0): Uint8Array {
  const bytes = new Uint8Array(size).fill(fill);
  bytes.set(ascii(text).slice(0, size));
  return bytes;
}

/** Bitmap 60: receipt numbers from and to, then count (binary) and sum of girocard, JCB, Mastercard, Amex, Visa, Diners, others. */
export function totalsInformation(
  records: readonly TransactionRecord[],
  trace: string,
  at: number,
  setting: StatusSetting,
): Uint8Array {
  const standing = standingOf(records);
  const groups = ['girocard', null, 'mastercard', null, 'visa', null, null].map((scheme) => {
    const own = standing.filter(
      (record) => scheme !== null && cardById(record.cardId ?? '')?.scheme === scheme,
    );
    return concat([Math.min(own.length, 255)], bcd(String(Math.max(0, sumOf(own))), 6));
  });
  const [from, to] = [records.at(0)?.receiptNumber ?? '0', records.at(-1)?.receiptNumber ?? '0'];
  const block = concat(bcd(from, 2), bcd(to, 2), ...groups);
  const { date, time } = civilTime(at);
  return encodeApdu(
    0x040f,
    [0x27, 0x00, 0x04],
    bcd(String(Math.max(0, sumOf(standing))), 6),
    setting.withCurrency ? currencyField(setting.currency) : [],
    [0x0b],
    bcd(trace, 3),
    [0x0c],
    bcd(time, 3),
    [0x0d],
    bcd(date.slice(4), 2),
    [0x60],
    lvar(3, block),
  );
}

/** The transactions that count in the batch: neither refused nor reversed; voids are left out with their originals. */
export function standingOf(records: readonly TransactionRecord[]): readonly TransactionRecord[] {
  return records.filter(
    (record) => record.result === 'approved' && !record.reversed && record.kind !== 'void',
  );
}

/** Minor units; refunds count negative. */
export function sumOf(records: readonly TransactionRecord[]): number {
  return records.reduce(
    (sum, record) => sum + (record.kind === 'refund' ? -record.amountMinor : record.amountMinor),
    0,
  );
}
