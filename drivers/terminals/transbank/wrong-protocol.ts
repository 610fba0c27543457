import { AppError } from '../../../src/driver-kit/terminal.ts';

const NAK = 0x15;

/** First bytes of terminals that are set to another protocol, and what to tell staff. */
const FINGERPRINTS: readonly { readonly bytes: readonly number[]; readonly words: string }[] = [
  {
    bytes: [NAK, 0x03, 0x69],
    words: 'the terminal speaks ECR17 (it answers 15 03 69): set the driver of this device to ecr17',
  },
  {
    bytes: [0x00, 0x00, 0x00],
    words:
      'the terminal greets with a banner (Worldline Yomani): it is no POS Integrado; set the driver of this device to zvt',
  },
];

/** The terminal may be in a payment just now, so it is asked again. */
const REFUSES_ALL =
  'the terminal refuses everything (NAK): it is in a payment just now, or it is not in integrated mode (switch it on in its menu: POS integrado), or it speaks another version of the protocol (call Transbank). Nothing was charged by this.';

/** The error for a terminal with another protocol, recognised by the first bytes that it sent. */
export function wrongProtocol(heard: Uint8Array): AppError | undefined {
  const found = FINGERPRINTS.find(({ bytes }) => bytes.every((byte, index) => heard[index] === byte));
  if (found) return new AppError('TERMINAL_WRONG_PROTOCOL', found.words);
  const refusesAll = heard.length > 0 && heard.every((byte) => byte === NAK);
  return refusesAll ? new AppError('TERMINAL_WRONG_PROTOCOL', REFUSES_ALL, { retry: 'safe' }) : undefined;
}
