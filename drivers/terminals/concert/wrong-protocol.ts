import { AppError } from '../../../src/driver-kit/terminal.ts';

interface Fingerprint {
  readonly bytes: readonly number[];
  readonly words: string;
}

/** First bytes of terminals that are set to another protocol, and what to tell staff. */
const FINGERPRINTS: readonly Fingerprint[] = [
  {
    bytes: [0x15, 0x03, 0x69],
    words:
      'the terminal speaks ECR17 (it answers 15 03 69): set it to Concert / Caisse-AP, or set the driver of this device to ecr17',
  },
  {
    bytes: [0x00, 0x00, 0x00],
    words: 'the terminal greets with a banner (Worldline Yomani): switch Caisse-AP on in its menu',
  },
];

/** Over the network, frames of the cable: Concert V2 over IP, which is not published. */
const FRAMES: Fingerprint = {
  bytes: [0x02],
  words:
    'the terminal answers with frames of Concert V2 over the network: set it to Caisse-AP V3 (port 8888)',
};

/** On a cable, V3 in its network form. */
const BARE_V3: Fingerprint = {
  bytes: [0x43, 0x5a, 0x30],
  words:
    'the terminal answers V3 without frames, as over the network: set its cable to frames, or connect it by network',
};

/** The error for a terminal with another protocol, recognised by the first bytes that it sent. */
export function wrongProtocol(heard: Uint8Array, wire: 'serial' | 'tcp'): AppError | undefined {
  const known = [...FINGERPRINTS, wire === 'tcp' ? FRAMES : BARE_V3];
  const found = known.find(({ bytes }) => bytes.every((byte, index) => heard[index] === byte));
  return found ? new AppError('TERMINAL_WRONG_PROTOCOL', found.words) : undefined;
}
