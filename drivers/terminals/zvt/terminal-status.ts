import { type Readiness, toHex } from '../../../src/driver-kit/terminal.ts';
import { type BitmapField, tlvOf } from './bitmaps.ts';
import { resultWords } from './result-codes.ts';

type Row = readonly [kind: 'wait' | 'person', code: string, message: string];

/** Terminal status codes of a Status-Enquiry and who must act. @see PA00P015 10.2 */
const STATUS: Readonly<Record<string, Row>> = {
  '37': [
    'person',
    'TERMINAL_NOT_REGISTERED',
    'The terminal refuses our password: set options.password of this device to the one in its menu.',
  ],
  '51': [
    'person',
    'TERMINAL_NOT_INITIALISED',
    'The terminal must be initialised: start the initialisation in its menu.',
  ],
  '62': [
    'person',
    'TERMINAL_CLOCK_WRONG',
    "The terminal's clock is wrong: start a diagnosis in its menu, or set the time.",
  ],
  '6B': [
    'person',
    'TERMINAL_NOT_REGISTERED',
    'The terminal does not accept our registration: check password and ZVT mode.',
  ],
  '9C': ['wait', 'TERMINAL_BUSY', 'The terminal is busy, one moment please.'],
  '9D': ['wait', 'TERMINAL_BUSY', 'The terminal is still issuing, one moment please.'],
  A0: ['wait', 'TERMINAL_BUSY', 'The terminal is not ready yet, one moment please.'],
  B1: ['person', 'TERMINAL_MEMORY_FULL', "The terminal's memory is full: run an end-of-day."],
  B2: ['person', 'TERMINAL_JOURNAL_FULL', "The terminal's journal is full: run an end-of-day."],
  BF: ['person', 'TERMINAL_POWER', "The terminal's power is too low: check its power supply."],
  C0: ['person', 'TERMINAL_CARD_LOCK', "The terminal's card lock is out of order: call its service."],
  C1: [
    'person',
    'TERMINAL_MERCHANT_CARD',
    'The merchant card is missing or locked: insert it, or call the service.',
  ],
  C4: ['person', 'TERMINAL_CARD_PROFILE', "The terminal's card profile does not allow it: call its service."],
  C2: ['person', 'TERMINAL_DIAGNOSIS_NEEDED', 'The terminal asks for a diagnosis: start it in its menu.'],
  CC: ['person', 'TERMINAL_PRINTER', "The terminal's printer has a problem: check paper and cover."],
  DC: ['wait', 'TERMINAL_CARD_INSERTED', 'A card is in the terminal: please take it out.'],
  DF: ['person', 'TERMINAL_OUT_OF_ORDER', 'The terminal is out of order: call its service.'],
  E0: ['wait', 'TERMINAL_UPDATING', 'The terminal is under remote maintenance, this may take some minutes.'],
  E1: ['person', 'TERMINAL_CARD_LEFT_IN', 'A card was left in the terminal: take it out and give it back.'],
  E2: ['person', 'TERMINAL_CARD_READER', "The terminal's card reader is out of order: call its service."],
  E3: [
    'person',
    'TERMINAL_SHUTTER',
    "The terminal's shutter is closed or blocked: open it, or call its service.",
  ],
  E4: ['person', 'TERMINAL_NOT_ACTIVATED', 'The terminal must be activated: call its service.'],
  F0: [
    'person',
    'TERMINAL_END_OF_DAY_NEEDED',
    'The terminal asks for an end-of-day before it sells again: run it.',
  ],
  F6: ['person', 'TERMINAL_OPT_ACTION', 'The terminal asks for personalisation (OPT): start it in its menu.'],
};

/** The meaning of a terminal's status for the next sale; only 00 is ready. */
export function readinessOf(status: string | undefined, fields: readonly BitmapField[] = []): Readiness {
  if (status === '00') return { kind: 'ready', ...clockOf(fields) };
  const row = status === undefined ? undefined : STATUS[status];
  if (row) return { kind: row[0], code: row[1], message: row[2] };
  const words = status === undefined ? 'it did not say whether it is ready' : resultWords(status);
  return { kind: 'person', code: 'TERMINAL_NOT_READY', message: `The terminal cannot sell now: ${words}.` };
}

/** The terminal's clock, `MMDDhhmmss`, from tag 34 {1F0E YYYYMMDD, 1F0F HHMMSS} if it sent it. */
function clockOf(fields: readonly BitmapField[]): { terminalClock?: string } {
  const date = toHex(tlvOf(fields, '1F0E')?.value ?? new Uint8Array());
  const time = toHex(tlvOf(fields, '1F0F')?.value ?? new Uint8Array());
  return /^\d{8}$/.test(date) && /^\d{6}$/.test(time) ? { terminalClock: `${date.slice(4)}${time}` } : {};
}
