import { concert } from '../../../drivers/terminals/concert/manifest.ts';
import { concertDialect } from '../../../drivers/terminals/concert/virtual.ts';
import type { ConcertVirtualOptions } from '../../../drivers/terminals/concert/virtual-options.ts';
import type { Capabilities } from '../../../src/terminal/ports.ts';
import type { Habits, Subject } from '../subject.ts';
import {
  cableTerminalReader,
  cableTillReader,
  networkTerminalReader,
  networkTillReader,
} from './concert-words.ts';

const REPORTS_NOTHING = 'the terminal reports nothing of its past (README)';
const ECR17 = {
  name: 'a terminal set to ECR17',
  answers: Uint8Array.of(0x15, 0x03, 0x69),
  code: 'TERMINAL_WRONG_PROTOCOL',
};
const BANNER = Uint8Array.of(0, 0, 0, 0x3e, ...new TextEncoder().encode('VER|APP 1.0|SERIAL 12345'));

const ANOTHER_AMOUNT = 'repeats the amount that was asked for; another one in its answer is unclear (README)';

/** E+ on a cable: whoever is not told "done" asks a person, unless the device's digits are known. */
export const concertEplusOverSerial: Subject = {
  ...onCable('eplus'),
  capabilities: { ...narrow('acknowledged'), identity: 'port', endOfDay: false },
  options: { dialect: 'eplus', results: { '7': 'refused' } },
  stopped: { outcome: 'declined', because: 'E+ says 7, not done, to both (README)' },
  foreign: [ECR17],
  exemptions: { 'money/less': `E+ ${ANOTHER_AMOUNT}`, 'money/more': `E+ ${ANOTHER_AMOUNT}` },
};

/** V3 on a cable: its text in the frames of E+. */
export const concertV3OverSerial: Subject = {
  ...onCable('v3'),
  capabilities: { ...narrow('acknowledged'), identity: 'serial' },
  options: { dialect: 'v3', end_of_day: true },
  foreign: [ECR17],
  exemptions: { 'money/more': `V3 ${ANOTHER_AMOUNT}` },
};

/** V3 over TCP: a connection for each exchange, on which nothing is framed, checked or acknowledged. */
export const concertV3OverTcp: Subject = {
  ...common('v3', 'tcp'),
  id: 'concert v3 over tcp',
  capabilities: { ...narrow('received'), identity: 'serial' },
  options: { dialect: 'v3', end_of_day: true },
  line: {
    acknowledges: false,
    checks: false,
    skipsNoise: false,
    because: 'over TCP the text goes bare, with neither ACK nor checksum nor start mark (README)',
  },
  noise: [Uint8Array.of(0xa5, 0x5a, 0x00, 0xff, 0x33, 0x7f), Uint8Array.of(0x41)],
  overlong: new TextEncoder().encode(`CZ0040301AK999${'A'.repeat(998)}`),
  foreign: [
    ECR17,
    { name: 'a Yomani that is not set to V3', greets: BANNER, code: 'TERMINAL_WRONG_PROTOCOL' },
    {
      name: 'a terminal that speaks the frames of Concert V2',
      answers: Uint8Array.of(0x02, 0x30, 0x31),
      code: 'TERMINAL_WRONG_PROTOCOL',
    },
  ],
  tillReader: networkTillReader,
  terminalReader: networkTerminalReader,
  exemptions: { 'money/more': `V3 ${ANOTHER_AMOUNT}` },
};

type Common = Omit<
  Subject,
  'id' | 'capabilities' | 'options' | 'line' | 'noise' | 'overlong' | 'foreign' | Readers
>;
type Readers = 'tillReader' | 'terminalReader' | 'exemptions';

function common(dialect: ConcertVirtualOptions['dialect'], wire: Subject['wire']): Common {
  return {
    manifest: concert,
    wire,
    currency: 'EUR',
    amounts: { usual: 1234, least: 1 },
    dialect: (habits) => concertDialect({ ...optionsOf(habits), dialect }),
    withoutHabit: {
      reportsNothing: REPORTS_NOTHING,
      cardStaysMs: 'no answer of either format speaks of a card that is left in the terminal (README)',
      bootMs: 'while it starts it answers nobody, as if it were off (README)',
      storesDeclined: REPORTS_NOTHING,
      numbersRestart: REPORTS_NOTHING,
      forgetsAtClose: REPORTS_NOTHING,
    },
    times: { bearableMs: 1000, acknowledgeMs: 3000, longestMs: 180_000 },
  };
}

function onCable(
  dialect: ConcertVirtualOptions['dialect'],
): Omit<Subject, 'capabilities' | 'options' | 'exemptions' | 'foreign'> {
  const shared = common(dialect, 'serial');
  return {
    ...shared,
    id: `concert ${dialect} over serial`,
    withoutHabit: {
      ...shared.withoutHabit,
      looksIdleMs:
        'on a cable there is one till, and a terminal whose customer still pays does not answer it (README)',
    },
    line: { acknowledges: true, checks: true, skipsNoise: true, unrepeated: ['end'], because: '' },
    noise: [Uint8Array.of(0xa5, 0x5a, 0xff, 0x33, 0x7f), Uint8Array.of(0x03, 0x41)],
    overlong: Uint8Array.of(0x02, ...new Uint8Array(700).fill(0x41)),
    tillReader: cableTillReader,
    terminalReader: cableTerminalReader,
  };
}

function narrow(commitPoint: Capabilities['commitPoint']): Capabilities {
  return { ...concert.capabilities, recover: 'none', commitPoint };
}

function optionsOf(habits: Habits): Partial<ConcertVirtualOptions> {
  return {
    endOfDay: true,
    tellsSerial: true,
    ...(habits.looksIdleMs === undefined ? {} : { looksIdleMs: habits.looksIdleMs }),
  };
}
