import { AppError } from '../../../src/driver-kit/terminal.ts';

/** First bytes of terminals that are set to another protocol, and what to tell staff. */
const FINGERPRINTS: readonly { readonly bytes: readonly number[]; readonly words: string }[] = [
  {
    bytes: [0x15, 0x03, 0x69],
    words:
      'the terminal speaks ECR17 (it answers 15 03 69): set it to ZVT, or set the driver of this device to ecr17',
  },
  {
    bytes: [0x00, 0x00, 0x00],
    words: 'the terminal greets with a banner (Worldline Yomani not in ZVT mode): switch ZVT on in its menu',
  },
];

/** The error for a terminal with another protocol, recognised by the first bytes that it sent. */
export function wrongProtocol(heard: Uint8Array): AppError | undefined {
  const found = FINGERPRINTS.find(({ bytes }) => bytes.every((byte, index) => heard[index] === byte));
  return found ? new AppError('TERMINAL_WRONG_PROTOCOL', found.words) : undefined;
}
