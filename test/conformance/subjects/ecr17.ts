import { ecr17 } from '../../../drivers/terminals/ecr17/manifest.ts';
import { ecr17Dialect } from '../../../drivers/terminals/ecr17/virtual.ts';
import type { Ecr17VirtualOptions } from '../../../drivers/terminals/ecr17/virtual-options.ts';
import type { Habits, Subject } from '../subject.ts';
import { ecr17TerminalReader, ecr17TillReader } from './ecr17-words.ts';

const EXEMPTIONS = {
  'recovery/by-hand':
    'a terminal keeps as its last result only what a till has commanded ("send last result", Nexi); what staff type shows in the totals',
};

/** ECR17 over TCP: a call for each exchange. The terminal computes its check as the one real recording does (`noext`). */
export const ecr17OverTcp: Subject = {
  ...common('tcp'),
  exemptions: EXEMPTIONS,
};

/** ECR17 on a cable: the same frames on one line. */
export const ecr17OverSerial: Subject = {
  ...common('serial'),
  exemptions: EXEMPTIONS,
};

function common(wire: Subject['wire']): Omit<Subject, 'exemptions'> {
  return {
    id: `ecr17 over ${wire}`,
    manifest: ecr17,
    capabilities: ecr17.capabilities,
    wire,
    options: {},
    currency: 'EUR',
    amounts: { usual: 1234, least: 1 },
    dialect: (habits) => ecr17Dialect(optionsOf(habits)),
    withoutHabit: {
      cardStaysMs: 'a card that was left in the terminal is in no message of the protocol',
      bootMs:
        'a terminal that starts takes no calls yet: the connection is refused, which is the core’s to wait for',
      numbersRestart:
        'the STAN is counted by the terminal; that it would begin anew with a session is published nowhere',
    },
    stopped: {
      outcome: 'declined',
      because: 'result 01 is both, refused and stopped at the terminal; only its text tells which',
    },
    times: { bearableMs: 1000, acknowledgeMs: 3000, longestMs: 180_000 },
    line: {
      acknowledges: true,
      checks: true,
      skipsNoise: true,
      because: '',
      nak: Uint8Array.of(0x15, 0x03, 0x69),
    },
    noise: [Uint8Array.of(0xa5, 0x5a, 0xff, 0x33, 0x7f), Uint8Array.of(0x03, 0x41)],
    overlong: Uint8Array.of(0x02, ...new Uint8Array(2000).fill(0x41)),
    foreign: [
      { name: 'a terminal set to Concert', answers: Uint8Array.of(0x15), code: 'TERMINAL_WRONG_PROTOCOL' },
      {
        name: 'a terminal set to ZVT',
        answers: Uint8Array.of(0x84, 0x83, 0x00),
        code: 'TERMINAL_WRONG_PROTOCOL',
      },
      {
        name: 'a Yomani in its own mode',
        greets: Uint8Array.of(0, 0, 0, 0x3e, ...new TextEncoder().encode('VER|APP 1.0|SERIAL 12345')),
        code: 'TERMINAL_WRONG_PROTOCOL',
      },
    ],
    tillReader: ecr17TillReader,
    terminalReader: ecr17TerminalReader,
  };
}

function optionsOf(habits: Habits): Partial<Ecr17VirtualOptions> {
  return {
    ...(habits.reportsNothing ? { lastResult: 'refused' as const } : {}),
    ...(habits.looksIdleMs === undefined ? {} : { whenBusy: 'looks_idle' as const }),
    ...(habits.storesDeclined === undefined ? {} : { savesKo: habits.storesDeclined }),
    ...(habits.forgetsAtClose ? { forgetsAtClose: true } : {}),
  };
}
