import { encodeApdu } from '../../../drivers/terminals/zvt/apdu.ts';
import { type Field, type Password, pin } from '../../../drivers/terminals/zvt/commands.ts';

/**
 * Commands that this driver never sends: they change the terminal, move money in ways that tilld does not offer, or control the card
 * reader directly. They exist so that the decoder's tests can encode them.
 * @see PA00P015 2
 */

/** Log-Off: ends the registration and its agreements. `06 02 00` */
export function logOff(): Uint8Array {
  return encodeApdu('0602');
}

/** Reset: the terminal restarts. `06 18 00` */
export function reset(): Uint8Array {
  return encodeApdu('0618');
}

/** Set Terminal-ID. `06 1B 08 12 34 56 29 52 52 35 35` */
export function setTerminalId(password: Password, ...fields: readonly Field[]): Uint8Array {
  return encodeApdu('061B', pin(password), ...fields);
}

/** Change Password. `06 95 06 12 34 56 65 43 21` */
export function changePassword(old: Password, next: Password): Uint8Array {
  return encodeApdu('0695', pin(old), pin(next));
}

/** Read Card. `06 C0 01 0F`: for 15 seconds. */
export function readCard(timeoutSeconds?: number, ...fields: readonly Field[]): Uint8Array {
  return encodeApdu(
    '06C0',
    ...(timeoutSeconds === undefined ? [] : [Uint8Array.of(timeoutSeconds)]),
    ...fields,
  );
}

/** Book Tip. */
export function bookTip(password: Password | undefined, ...fields: readonly Field[]): Uint8Array {
  return encodeApdu('060C', ...(password === undefined ? [] : [pin(password)]), ...fields);
}

/** Print Turnover Receipts. `06 12 03 12 34 56` */
export function printTurnoverReceipts(password: Password, ...fields: readonly Field[]): Uint8Array {
  return encodeApdu('0612', pin(password), ...fields);
}

/** Display Text, alone (`06 E0`) or with an answer: a function key (`06 E1`), digits (`06 E2`), a PIN (`06 E3`). */
export function display(how: 'E0' | 'E1' | 'E2' | 'E3', ...fields: readonly Field[]): Uint8Array {
  return encodeApdu(`06${how}`, ...fields);
}

/** Prints one line at the terminal. `06 D1 …` */
export function printLine(attribute: number, text: Uint8Array): Uint8Array {
  return encodeApdu('06D1', Uint8Array.of(attribute), text);
}

/** Prints a text block at the terminal. `06 D3 …` */
export function printBlock(...fields: readonly Field[]): Uint8Array {
  return encodeApdu('06D3', ...fields);
}

const BAUD = { 9600: 0, 19200: 1, 57600: 6, 115200: 7 } as const;

/** Change Baud-Rate. `08 40 01 07`: 115,200. */
export function changeBaudRate(baud: keyof typeof BAUD): Uint8Array {
  return encodeApdu('0840', Uint8Array.of(BAUD[baud]));
}

/** Software-Update. `08 10 00` */
export function softwareUpdate(...fields: readonly Field[]): Uint8Array {
  return encodeApdu('0810', ...fields);
}

/** Activate Service-Mode. `08 01 00` */
export function serviceMode(): Uint8Array {
  return encodeApdu('0801');
}
