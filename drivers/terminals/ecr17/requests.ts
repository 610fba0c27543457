import { asciiBytes, blankFilled, invariant, zeroFilled } from '../../../src/driver-kit/terminal.ts';

/** Terminal id and cash register id, eight digits each. */
export interface Address {
  readonly terminalId: string;
  readonly cashRegisterId: string;
}

/** STAN 000000: the terminal would void its last transaction without a check. It is never sent. */
const UNCHECKED = '000000';
const TEXT_LENGTH = 128;
/** No additional data follows. */
const NO_DATA = '0';

/** `12345678 0 s`: status? */
export function statusRequest({ terminalId }: Address): Uint8Array {
  return asciiBytes(`${terminalId}0s`);
}

/**
 * A sale, 167 bytes; X and P are alike, the answer to X has the amount:
 *
 *     tid(8) 0 X | register(8) | data 0 | 00 | card 0 | type 0 | cents(8) | text(128, blank) | 00000000
 */
export function paymentRequest(command: 'X' | 'P', address: Address, amountMinor: number): Uint8Array {
  const text = blankFilled('', TEXT_LENGTH);
  return asciiBytes(
    `${head(address, command)}${NO_DATA}0000${zeroFilled(amountMinor, 8)}${text}${'0'.repeat(8)}`,
  );
}

/**
 * Voids the last payment if its STAN is this one, 26 bytes: `tid(8) 0 S | register(8) | STAN(6) | data 0 | 0`.
 * @throws INVARIANT_BROKEN for 000000, for which the terminal makes no check
 */
export function reversalRequest(address: Address, stan: string): Uint8Array {
  invariant(/^\d{6}$/.test(stan) && stan !== UNCHECKED, 'a reversal names its payment');
  return asciiBytes(`${head(address, 'S')}${stan}${NO_DATA}0`);
}

/** `tid(8) 0 G | register(8) | data 0 | 000`: repeat your last result. */
export function lastResultRequest(address: Address): Uint8Array {
  return asciiBytes(`${head(address, 'G')}${NO_DATA}000`);
}

/** `tid(8) 0 T | register(8) | data 0 | 0000000`: the sum since the last close. */
export function totalsRequest(address: Address): Uint8Array {
  return asciiBytes(`${head(address, 'T')}${NO_DATA}${'0'.repeat(7)}`);
}

/** `tid(8) 0 C | register(8) | data 0 | 0000000`: close the session. */
export function closeRequest(address: Address): Uint8Array {
  return asciiBytes(`${head(address, 'C')}${NO_DATA}${'0'.repeat(7)}`);
}

/** `tid(8) 0 R | to us 1 or 0 | ticket type 0 | 0000000000`: repeat the last receipt, to us or on your paper. The ticket types are not published (?). */
export function reprintRequest({ terminalId }: Address, toUs: boolean): Uint8Array {
  return asciiBytes(`${terminalId}0R${toUs ? '1' : '0'}${'0'.repeat(11)}`);
}

/** `tid(8) 0 E | 1`: send the receipt of the next procedure to us. Only an ACK answers it. */
export function printOnEcrRequest({ terminalId }: Address): Uint8Array {
  return asciiBytes(`${terminalId}0E1`);
}

function head({ terminalId, cashRegisterId }: Address, code: string): string {
  return `${terminalId}0${code}${cashRegisterId}`;
}
