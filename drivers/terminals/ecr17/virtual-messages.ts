import { cardById } from '../../../src/sandbox/terminal/cards.ts';
import { civilTime } from '../../../src/sandbox/terminal/civil-time.ts';
import type { TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';

const RELEASE = 'VIRT0100';
const ACQUIRER = '88105';
const [OK, KO] = ['00', '01'];
/** The reason of a payment that was not approved, in at most 24 characters. */
const REASONS = { declined: 'CARTA RIFIUTATA', aborted: 'OPERAZIONE ANNULLATA' };
const ENTRY = { chip: 'ICC', contactless: 'CLI' };

/** A till's request. */
export type Command =
  | { readonly code: 's' | 'G' | 'T' | 'C' }
  | { readonly code: 'E' | 'R'; readonly onEcr: boolean }
  | { readonly code: 'P' | 'X'; readonly amountMinor: number }
  /** 000000: the last transaction. */
  | { readonly code: 'S'; readonly stan: string };

/** Message code → length of the till's message. */
const LENGTHS: Readonly<Record<string, number>> = {
  s: 10,
  G: 22,
  T: 26,
  C: 26,
  E: 11,
  R: 22,
  P: 167,
  X: 167,
  S: 26,
};

/** Reads `tid(8) 0 code …`; undefined for an unknown message. */
export function readCommand(
  text: string,
): { readonly terminalId: string; readonly command: Command } | undefined {
  const [, terminalId = '', code = ''] = /^(\d{8})0(.)/.exec(text) ?? [];
  if (LENGTHS[code] !== text.length) return undefined;
  const command = commandOf(code, text);
  return command && { terminalId, command };
}

function commandOf(code: string, text: string): Command | undefined {
  switch (code) {
    case 's':
    case 'G':
    case 'T':
    case 'C':
      return { code };
    case 'E':
    case 'R':
      return { code, onEcr: text[10] === '1' };
    case 'P':
    case 'X': {
      const amount = text.slice(23, 31);
      return /^\d{8}$/.test(amount) ? { code, amountMinor: Number(amount) } : undefined;
    }
    case 'S': {
      const stan = text.slice(18, 24);
      return /^\d{6}$/.test(stan) ? { code, stan } : undefined;
    }
    default:
      return undefined;
  }
}

/** `tid 0 s`, ten zeros, DDMMYYhhmm, status digit, release. */
export function statusText(terminalId: string, now: number, status: string): string {
  const { date, time } = civilTime(now);
  const clock = `${date.slice(6)}${date.slice(4, 6)}${date.slice(2, 4)}${time.slice(0, 4)}`;
  return `${terminalId}0s${'0'.repeat(10)}${clock}${status}${RELEASE}`;
}

export function totalsText(terminalId: string, sumMinor: number): string {
  return `${terminalId}0T${OK}${digits(sumMinor, 16)}${'0'.repeat(6)}`;
}

export function closedText(terminalId: string, sumMinor: number): string {
  return `${terminalId}0C${OK}${digits(sumMinor, 16)}${digits(sumMinor, 16)}`;
}

export function notClosedText(terminalId: string): string {
  return `${terminalId}0C${KO}${'HOST NON RAGGIUNTO'.padEnd(19)}911${'0'.repeat(10)}`;
}

/** The stored result of a terminal without one; the answer of real terminals is not published (?). */
export function nothingText(terminalId: string): string {
  return refusal(terminalId, { reason: '', stan: '000000', online: '000000', action: '000' }, 'X');
}

/** The answer to a reversal of another payment than the last, or of none. */
export function notReversedText(terminalId: string): string {
  return refusal(
    terminalId,
    { reason: 'STORNO NON POSSIBILE', stan: '000000', online: '000000', action: '000' },
    'S',
  );
}

/** The result of a stored transaction: the same bytes each time. `paidWithP`: the payments whose result is the short one. */
export function resultText(
  terminalId: string,
  record: TransactionRecord,
  paidWithP: ReadonlySet<number>,
): string {
  const layout = record.kind === 'void' ? 'S' : paidWithP.has(record.sequence) ? 'P' : 'X';
  const [stan, online] = [record.trace, digits(record.sequence % 1_000_000, 6)];
  if (record.result !== 'approved')
    return refusal(terminalId, { reason: REASONS[record.result], stan, online, action: '116' }, layout);
  const card = cardById(record.cardId ?? '');
  const pan = (card?.maskedPan ?? '').replaceAll('E', '*').padStart(19, '0');
  const entry = ENTRY[card?.entryMode ?? 'chip'];
  const auth = layout === 'S' ? '000000' : (record.authCode ?? '').padStart(6, '0');
  const type = card?.scheme === 'girocard' ? '1' : '2';
  const common = `${type}${ACQUIRER.padEnd(11)}${stan}${online}`;
  const end = { P: '', X: `000${digits(record.amountMinor, 8)}${'0'.repeat(10)}`, S: `000${'0'.repeat(10)}` };
  return `${terminalId}0E${OK}${pan}${entry}${auth}${hostTime(record.at)}${common}${end[layout]}`;
}

function refusal(
  terminalId: string,
  { reason, stan, online, action }: Readonly<Record<'reason' | 'stan' | 'online' | 'action', string>>,
  layout: 'P' | 'X' | 'S',
): string {
  const end = { P: '', X: `${action}${'0'.repeat(18)}`, S: `${action}${'0'.repeat(10)}` };
  const common = `3${ACQUIRER.padEnd(11)}${stan}${online}`;
  return `${terminalId}0E${KO}${reason.padEnd(24)}${'0'.repeat(11)}${common}${end[layout]}`;
}

/** Days before each month of a common year. */
const DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/** DDDHHMM; here the days count from 1, which the specification leaves open (?). */
function hostTime(at: number): string {
  const { date, time } = civilTime(at);
  const [year, month, day] = [date.slice(0, 4), date.slice(4, 6), date.slice(6)].map(Number);
  const isLeap = (year ?? 0) % 4 === 0;
  const days = (DAYS_BEFORE[(month ?? 1) - 1] ?? 0) + (day ?? 1) + (isLeap && (month ?? 1) > 2 ? 1 : 0);
  return `${digits(days, 3)}${time.slice(0, 4)}`;
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
